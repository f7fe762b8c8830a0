/** The form that starts an import, and how far what it sends is. */
import { X } from 'lucide-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { Button } from '../kit/button.tsx'
import { Check, Select, TextField } from '../kit/field.tsx'
import { Choices } from '../kit/forms/choices.tsx'
import { FieldProblem, FormProblem } from '../kit/forms/problem.tsx'
import { showDone, showProblem } from '../kit/toast.tsx'
import { type Output, refresh } from '../session/client.ts'
import { explain } from '../session/errors.ts'
import { endedSession } from '../session/signed-out.ts'
import { importTexts as words } from '../texts/imports.ts'
import { t } from '../texts/index.ts'
import { carryOut } from './carry-out.ts'
import { FileField } from './file-field.tsx'
import { addressSources, sourcesOfFiles, type UploadSource } from './sources.ts'
import type { Target } from './start-import.ts'
import { type Destination, TargetFields } from './target-fields.tsx'
import type { PathedFile } from './zip-files.ts'

type Origin = keyof typeof words.origins
const origins: readonly Origin[] = ['device', 'website', 'address', 'git']

interface NewImportFormProps {
  organizationId: string
  spaces: readonly Output<'getSpaceById'>[]
  canCreate: boolean
  request: Output<'getChangeRequestById'> | undefined
  given: { space: string; type: string; url: string }
}

/** Wrong fields, by name. */
type Problems = Partial<Record<'files' | 'url' | 'title', string>>

export function NewImportForm({ organizationId, spaces, canCreate, request, given }: NewImportFormProps) {
  const [, navigate] = useLocation()
  const givenType = addressSources.find((source) => source === given.type)
  const [origin, setPlace] = useState<Origin>(givenType ? 'address' : given.type === 'website' ? 'website' : 'device')
  const [files, setFiles] = useState<readonly PathedFile[]>([])
  const [type, setType] = useState<UploadSource>(givenType ?? 'zip')
  const [url, setUrl] = useState(given.url)
  const [isKept, setIsKept] = useState(false)
  const [isStrict, setIsStrict] = useState(false)
  const [into, setInto] = useState<Destination>({
    space: given.space || (canCreate ? '' : (spaces[0]?.id ?? '')),
    title: '',
    how: 'direct',
  })
  const [problems, setProblems] = useState<Problems>({})
  const [error, setError] = useState<unknown>()
  /** What is being done; while files are sent, how much of them has left. */
  const [work, setWork] = useState<{ is: 'packing' | 'sending' | 'starting'; part: number } | undefined>()
  // Made by an attempt that went no further: the next one goes on with it.
  const made = useRef<{ for: string; target: Target } | undefined>(undefined)
  const sending = useRef<AbortController | undefined>(undefined)
  const form = useRef<HTMLFormElement>(null)
  const kinds = sourcesOfFiles(files)
  const isThere = useRef(true)
  useEffect(() => {
    isThere.current = true
    return () => {
      isThere.current = false
    }
  }, [])
  const isSending = work?.is === 'sending'
  useEffect(() => {
    if (!isSending) return
    // The browser asks: what is not sent yet would be lost with the tab.
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [isSending])

  const check = (): Problems => ({
    ...(origin === 'device' && files.length === 0 ? { files: words.noFiles } : {}),
    ...((origin === 'website' || origin === 'address') && !/^https?:\/\/\S+$/i.test(url.trim())
      ? { url: words.wrongAddress }
      : {}),
    ...(!request && into.space === '' && into.title.trim() === '' ? { title: words.noName } : {}),
  })

  const start = async (): Promise<void> => {
    const found = check()
    setProblems(found)
    setError(undefined)
    if (Object.keys(found).length > 0) {
      // Behind the drawing that marks them.
      setTimeout(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"], .ui-drop button')?.focus())
      return
    }
    const abort = new AbortController()
    sending.current = abort
    setWork({ is: 'starting', part: 0 })
    try {
      const path = await carryOut({
        organizationId,
        origin,
        files,
        type,
        url: url.trim(),
        isKept,
        isStrict,
        into,
        request,
        made,
        signal: abort.signal,
        onWork: (is, part) => setWork({ is, part }),
      })
      void refresh('listImportRuns', 'listSpacesInOrganizationById')
      // Whoever has gone on to another screen stays there.
      if (isThere.current) navigate(path)
      else showDone(words.isSent, { label: t.common.open, run: () => navigate(path) })
    } catch (problem) {
      if (abort.signal.aborted) showDone(words.stopped)
      else if (isThere.current) setError(problem)
      else if (!endedSession(problem)) showProblem(explain(problem))
    } finally {
      setWork(undefined)
    }
  }

  return (
    <form
      ref={form}
      className="ui-form ui-bring-in"
      noValidate
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        if (!work) void start()
      }}
    >
      <h1 className="ui-plain-title">{words.new}</h1>
      <Choices
        label={words.from}
        value={origin}
        // A repository comes into a space itself, not into a change request.
        options={origins
          .filter((own) => own !== 'git' || !request)
          .map((own) => ({ value: own, label: words.origins[own], hint: words.originHints[own] }))}
        onChange={(next) => {
          setPlace(next)
          setProblems({})
        }}
      />
      {origin === 'device' && (
        <>
          <FileField
            files={files}
            problem={problems.files}
            onProblem={(text) => setProblems({ ...problems, files: text })}
            onChoose={(list) => {
              setFiles(list)
              setType(sourcesOfFiles(list)[0] ?? 'zip')
            }}
          />
          {kinds.length > 1 && <KindField value={type} kinds={kinds} onChange={setType} />}
        </>
      )}
      {origin === 'address' && <KindField value={type} kinds={addressSources} onChange={setType} />}
      {(origin === 'website' || origin === 'address') && (
        <TextField
          label={origin === 'website' ? words.startPage : words.address}
          hint={
            <>
              {problems.url && (
                <>
                  <FieldProblem text={problems.url} />{' '}
                </>
              )}
              {origin === 'website' ? words.startPageHint : words.addressHint}
            </>
          }
          type="url"
          inputMode="url"
          placeholder="https://"
          maxLength={2048}
          aria-invalid={problems.url !== undefined}
          value={url}
          onChange={({ target }) => setUrl(target.value)}
        />
      )}
      {origin === 'git' && <p className="ui-notice">{words.gitHint}</p>}
      <fieldset className="ui-fieldset ui-form">
        <legend>{words.target}</legend>
        <TargetFields
          spaces={spaces}
          canCreate={canCreate}
          value={into}
          request={request}
          isDirectOnly={origin === 'git'}
          problem={problems.title}
          onChange={(change) => setInto((before) => ({ ...before, ...change }))}
        />
      </fieldset>
      {origin === 'device' && (
        <details className="ui-more-fields">
          <summary>{words.options}</summary>
          <Check label={words.keep} checked={isKept} onChange={({ target }) => setIsKept(target.checked)} />
          <Check label={words.strict} checked={isStrict} onChange={({ target }) => setIsStrict(target.checked)} />
        </details>
      )}
      <FormProblem error={error} />
      {work && work.is !== 'starting' && (
        <div className="ui-work" role="status">
          <WorkLine {...work} />
          {work.part < 1 && (
            <Button icon={X} onClick={() => sending.current?.abort()}>
              {words.stopSending}
            </Button>
          )}
        </div>
      )}
      <div className="ui-request-actions">
        <Button kind="primary" type="submit" busy={work !== undefined}>
          {origin === 'git' ? words.goOn : words.start}
        </Button>
      </div>
    </form>
  )
}

function WorkLine({ is, part }: { is: 'packing' | 'sending' | 'starting'; part: number }) {
  const text = is === 'packing' ? words.packing : part === 1 ? words.sent : words.sending(Math.floor(part * 100))
  return (
    <>
      {/* Each percent read out would be too many. */}
      <p aria-hidden={is === 'sending' && part < 1}>{text}</p>
      <progress
        className="ui-progress"
        aria-label={is === 'packing' ? words.packing : words.isSending}
        {...(is === 'sending' && part < 1 ? { max: 1, value: part } : {})}
      />
    </>
  )
}

const KindField = ({
  value,
  kinds,
  onChange,
}: {
  value: UploadSource
  kinds: readonly UploadSource[]
  onChange: (kind: UploadSource) => void
}) => (
  <Select
    label={words.kind}
    value={value}
    onChange={({ target }) => onChange(kinds.find((kind) => kind === target.value) ?? value)}
    options={kinds.map((kind) => ({ value: kind, label: words.kinds[kind] }))}
  />
)
