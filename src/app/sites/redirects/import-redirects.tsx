/** Many redirects at once, pasted as lines. What cannot be read is said by its line and left out. */
import { useMemo, useState } from 'react'
import { CallFailed } from '../../../client/client.ts'
import { FormDialog } from '../../kit/dialog.tsx'
import { Check, TextArea } from '../../kit/field.tsx'
import { FormProblem } from '../../kit/forms/problem.tsx'
import { showDone } from '../../kit/toast.tsx'
import { call, refresh } from '../../session/client.ts'
import { useFormAction } from '../../session/form-action.ts'
import { redirectTexts as words } from '../../texts/redirects.ts'
import type { SiteIds } from '../row.tsx'
import { readLines } from './lines.ts'

const batch = 500
const mostNamed = 8

interface ImportRedirectsProps {
  open: boolean
  onClose: () => void
  ids: SiteIds
  root: string | undefined
}

export function ImportRedirects({ open, onClose, ids, root }: ImportRedirectsProps) {
  const [text, setText] = useState('')
  const [permanent, setPermanent] = useState(false)
  const [done, setDone] = useState(0)
  const { redirects, wrong } = useMemo(() => readLines(text, root), [text, root])
  const {
    mutate: send,
    isPending: busy,
    error,
  } = useFormAction(
    async () => {
      let [created, updated] = [0, 0]
      setDone(0)
      for (let start = 0; start < redirects.length; start += batch) {
        const some = redirects.slice(start, start + batch)
        const body = {
          redirects: some.map(({ redirect }) => (permanent ? { ...redirect, permanent } : redirect)),
        }
        const put = await call('upsertSiteRedirects', { ...ids, body }).catch((failure: unknown) => {
          throw withLines(failure, some)
        })
        created += put.created
        updated += put.updated
        setDone(start + some.length)
        void refresh('listSiteRedirects')
      }
      return { created, updated }
    },
    {
      refreshes: ['listSiteRedirects', 'getSiteRedirectBySource'],
      onDone: ({ created, updated }) => {
        onClose()
        showDone(words.imported(created, updated))
      },
    },
  )
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      wide
      title={words.importTitle}
      action={words.importAction(redirects.length)}
      busy={busy}
      disabled={redirects.length === 0}
      onSubmit={() => send(undefined)}
    >
      <TextArea
        label={words.importLabel}
        hint={words.importHint}
        rows={10}
        spellCheck={false}
        autoCapitalize="none"
        className="ui-lines"
        placeholder={'/old  /new\n/old-manual/*  /manual\n/shop  https://example.org'}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <Check
        label={words.permanent}
        hint={words.permanentHint}
        checked={permanent}
        onChange={({ target }) => setPermanent(target.checked)}
      />
      {wrong.length > 0 && (
        <div className="ui-problem" role="status">
          <p>{words.wrongLines(wrong.length)}</p>
          <ul>
            {wrong.slice(0, mostNamed).map(({ line, text: written, problem }) => (
              <li key={line}>
                {words.line(line, words.lineProblems[problem])} <code>{written}</code>
              </li>
            ))}
            {wrong.length > mostNamed && <li>{words.moreWrong(wrong.length - mostNamed)}</li>}
          </ul>
        </div>
      )}
      {(busy || (error && done > 0)) && redirects.length > batch && (
        <div role="status">
          <progress className="ui-progress" max={redirects.length} value={done} aria-label={words.importTitle} />
          <p className="ui-hint">{words.importing(done, redirects.length)}</p>
        </div>
      )}
      <FormProblem error={error} words={{ conflict: words.tooMany }} />
    </FormDialog>
  )
}

/** The same failure, its redirects called by the lines that they stand in. */
function withLines(failure: unknown, some: readonly { line: number }[]): unknown {
  if (!(failure instanceof CallFailed)) return failure
  const nameOf = (field: string): string => {
    const [, index] = /^redirects\.(\d+)/.exec(field) ?? []
    const line = index === undefined ? undefined : some[Number(index)]?.line
    return line === undefined ? field : words.line(line, words.refused)
  }
  const { status, type, requestId } = failure
  const details = failure.details.map((detail) => ({ ...detail, field: nameOf(detail.field) }))
  const [first] = details
  const message = first ? `${first.field}: ${first.message}.` : failure.message
  return new CallFailed({ status, type, requestId, details, message })
}
