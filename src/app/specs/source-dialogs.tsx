/** The questions behind adding a spec and giving one another source. */
import { useState } from 'react'
import { useLocation } from 'wouter'
import { CallFailed } from '../../client/client.ts'
import { isSlug } from '../../core/ids.ts'
import { paths } from '../frame/paths.ts'
import { FormDialog } from '../kit/dialog.tsx'
import { TextField } from '../kit/field.tsx'
import { FieldProblem, FormProblem } from '../kit/forms/problem.tsx'
import { showDone } from '../kit/toast.tsx'
import { call, type Name, refresh } from '../session/client.ts'
import { specTexts as words } from '../texts/specs.ts'
import { noSource, refusalOf, SourceFields, type SourceGiven, sourceOf } from './source-fields.tsx'

/** What is no longer true when something about a spec was changed. */
export const staleSpecs: Name[] = ['listOpenAPISpecs', 'getOpenAPISpecBySlug', 'listOpenAPISpecVersions']

interface DialogProps {
  open: boolean
  onClose: () => void
  organizationId: string
}

type Problems = Partial<Record<'name' | 'source', string>>

export function NewSpecDialog({ open, onClose, organizationId }: DialogProps) {
  const [, navigate] = useLocation()
  const [name, setName] = useState<string | undefined>()
  const { source, change, problems, setProblems, error, isBusy, send, reset } = useSourceForm()
  // As long as none is typed, the name of the file or of what the address leads to.
  const slug = name ?? suggestedName(source)
  const submit = (): void => {
    const wrongSource = refusalOf(source)
    const found: Problems = {
      ...(isSlug(slug) ? {} : { name: words.wrongName }),
      ...(wrongSource === undefined ? {} : { source: wrongSource }),
    }
    setProblems(found)
    if (Object.keys(found).length > 0) return
    void send(async () => {
      await call('createOpenAPISpec', { organizationId, body: { slug, source: await sourceOf(source) } })
      setName(undefined)
      navigate(paths.spec(organizationId, slug))
    })
  }
  return (
    <FormDialog
      open={open}
      onClose={() => {
        reset()
        onClose()
      }}
      title={words.new}
      action={words.add}
      wide
      busy={isBusy}
      onSubmit={submit}
    >
      <SourceFields value={source} problem={problems.source} onChange={change} />
      <TextField
        label={words.name}
        placeholder={words.namePlaceholder}
        maxLength={100}
        value={slug}
        aria-invalid={problems.name !== undefined}
        hint={
          <>
            <FieldProblem text={problems.name} /> {words.nameHint}
          </>
        }
        onChange={({ target }) => setName(target.value.toLowerCase())}
      />
      <FormProblem error={error} />
    </FormDialog>
  )
}

export function ReplaceDialog({ open, onClose, organizationId, specSlug }: DialogProps & { specSlug: string }) {
  const { source, change, problems, setProblems, error, isBusy, send, reset } = useSourceForm()
  const close = (): void => {
    reset()
    onClose()
  }
  const submit = (): void => {
    const wrong = refusalOf(source)
    setProblems(wrong === undefined ? {} : { source: wrong })
    if (wrong !== undefined) return
    void send(async () => {
      const body = { source: await sourceOf(source) }
      await call('createOrUpdateOpenAPISpecBySlug', { organizationId, specSlug, body })
      showDone(words.replaced)
      close()
    })
  }
  return (
    <FormDialog
      open={open}
      onClose={close}
      title={words.replace}
      action={words.replace.replace(/\s*…$/, '')}
      wide
      busy={isBusy}
      onSubmit={submit}
    >
      <p className="ui-quiet">{words.replaceText}</p>
      <SourceFields value={source} problem={problems.source} onChange={change} />
      <FormProblem error={error} />
    </FormDialog>
  )
}

function useSourceForm() {
  const [source, setSource] = useState<SourceGiven>(noSource)
  const [problems, setProblems] = useState<Problems>({})
  const [error, setError] = useState<unknown>()
  const [isBusy, setIsBusy] = useState(false)
  const send = async (run: () => Promise<void>): Promise<void> => {
    setIsBusy(true)
    setError(undefined)
    try {
      await run()
      void refresh(...staleSpecs)
    } catch (problem) {
      if (problem instanceof CallFailed && problem.type === 'already_exists') setProblems({ name: words.nameTaken })
      else setError(problem)
    } finally {
      setIsBusy(false)
    }
  }
  return {
    source,
    change: (change: Partial<SourceGiven>) => {
      setProblems({})
      setSource((before) => ({ ...before, ...change }))
    },
    problems,
    setProblems,
    error,
    isBusy,
    send,
    reset: () => {
      setSource(noSource)
      setProblems({})
      setError(undefined)
    },
  }
}

function suggestedName({ origin, url, file }: SourceGiven): string {
  if (origin === 'text') return ''
  const whole = origin === 'file' ? (file?.name ?? '') : (/^https?:\/\/[^/]+\/(?:.*\/)?([^/?#]+)/i.exec(url)?.[1] ?? '')
  return whole
    .replace(/\.[^.]*$/, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 100)
}
