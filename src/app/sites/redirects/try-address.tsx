/** Where an old address of a site leads now, page or redirect. */
import { useState } from 'react'
import { CallFailed } from '../../../client/client.ts'
import { Button } from '../../kit/button.tsx'
import { CheckedField } from '../../kit/forms/checked-field.tsx'
import { FormProblem } from '../../kit/forms/problem.tsx'
import { call } from '../../session/client.ts'
import { useFormAction } from '../../session/form-action.ts'
import { redirectTexts as words } from '../../texts/redirects.ts'
import type { SiteIds } from '../row.tsx'
import { sourceIn } from './lines.ts'

type Met = { target: string } | 'page' | 'nothing'

export function TryAddress({ ids, root }: { ids: SiteIds; root: string | undefined }) {
  const [address, setAddress] = useState('')
  const [met, setMet] = useState<Met | undefined>()
  const [isWrong, setWrong] = useState(false)
  const {
    mutate: send,
    isPending: busy,
    error,
  } = useFormAction((source: string) => findMet(ids, source, root), {
    refreshes: [],
    onDone: setMet,
  })
  const submit = (): void => {
    const source = sourceIn(address, root)
    setMet(undefined)
    setWrong(source === undefined)
    if (source !== undefined) send(source)
  }
  return (
    <section aria-labelledby="try-address">
      <header className="ui-heading">
        <h2 id="try-address">{words.try}</h2>
      </header>
      <form
        className="ui-with-button"
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <CheckedField
          label={words.tryLabel}
          placeholder="/"
          spellCheck={false}
          autoCapitalize="none"
          value={address}
          problem={isWrong ? words.sourceWrong : undefined}
          onChange={({ target }) => {
            setAddress(target.value)
            setMet(undefined)
            setWrong(false)
          }}
        />
        <Button type="submit" busy={busy} disabled={address.trim() === '' || busy}>
          {words.tryAction}
        </Button>
      </form>
      <p aria-live="polite" className="ui-answer">
        {met === 'page' && words.isPage}
        {met === 'nothing' && words.leadsNowhere}
        {typeof met === 'object' && (
          <>
            {words.leadsTo}{' '}
            <a className="ui-link" href={met.target} target="_blank" rel="noreferrer">
              {met.target}
            </a>
          </>
        )}
      </p>
      <FormProblem error={error} />
    </section>
  )
}

/** A published site answers as readers meet it, pages first; of others only their redirects are known. */
async function findMet(ids: SiteIds, source: string, root: string | undefined): Promise<Met> {
  if (root !== undefined) {
    const body = { url: `${root.replace(/\/$/, '')}${source}` }
    const found = await call('resolvePublishedContentByUrl', { body }).catch(() => undefined)
    if (found && 'page' in found && found.page !== undefined) return 'page'
    if (found && 'redirect' in found && found.target !== 'application') return { target: found.redirect }
  }
  try {
    const { target } = await call('getSiteRedirectBySource', { ...ids, query: { source } })
    return { target }
  } catch (error) {
    if (error instanceof CallFailed && error.status === 404) return 'nothing'
    throw error
  }
}
