/** What a visitor's token admits to, before readers meet it. */
import { useState } from 'react'
import { Button } from '../../kit/button.tsx'
import { TextArea } from '../../kit/field.tsx'
import { FormProblem } from '../../kit/forms/problem.tsx'
import { When } from '../../kit/when.tsx'
import { call, type Output } from '../../session/client.ts'
import { useFormAction } from '../../session/form-action.ts'
import { visitorTexts as words } from '../../texts/visitors.ts'
import type { SiteIds } from '../row.tsx'

type Check = Output<'checkSiteVisitorToken'>

export function TryToken({ ids }: { ids: SiteIds }) {
  const [token, setToken] = useState('')
  const [answer, setAnswer] = useState<Check | undefined>()
  const {
    mutate: send,
    isPending: busy,
    error,
  } = useFormAction(() => call('checkSiteVisitorToken', { ...ids, body: { token: token.trim() } }), {
    refreshes: [],
    onDone: setAnswer,
  })
  return (
    <section aria-labelledby="try-token">
      <header className="ui-heading">
        <h2 id="try-token">{words.try}</h2>
      </header>
      <form
        className="ui-form"
        onSubmit={(event) => {
          event.preventDefault()
          if (token.trim() !== '' && !busy) send(undefined)
        }}
      >
        <TextArea
          label={words.tryLabel}
          hint={words.tryHint}
          className="ui-lines"
          spellCheck={false}
          autoCapitalize="none"
          maxLength={100_000}
          value={token}
          onChange={({ target }) => {
            setToken(target.value)
            setAnswer(undefined)
          }}
        />
        <div>
          <Button type="submit" busy={busy} disabled={busy || token.trim() === ''}>
            {words.tryAction}
          </Button>
        </div>
      </form>
      <FormProblem error={error} />
      <div aria-live="polite">{answer && <Answer {...answer} />}</div>
    </section>
  )
}

function Answer({ accepted, reason, expiresAt, admitted, claims, ignored, items }: Check) {
  return (
    <div className="ui-claim">
      <p>
        {accepted ? words.accepted : `${words.refused}${reason === undefined ? '.' : `: ${reason}`}`}{' '}
        {admitted ? words.letIn : words.keptOut}
        {expiresAt !== undefined && (
          <>
            {' '}
            {words.until} <When time={expiresAt} />.
          </>
        )}
      </p>
      <h3>{words.found}</h3>
      <pre className="ui-json">{JSON.stringify(claims, null, 2)}</pre>
      {ignored.length > 0 && (
        <p>
          {words.ignored} <code>{ignored.join(', ')}</code>
        </p>
      )}
      <ul className="ui-list">
        {items.map(({ id, title, path, shown }) => (
          <li key={id} className="ui-row">
            <span className="title">
              {title}
              <small>/{path}</small>
            </span>
            <span className="ui-state" data-state={shown ? 'live' : 'off'}>
              {shown ? words.shown : words.hidden}
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}
