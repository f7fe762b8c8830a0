/** What an import did not understand, each with the reason. The reasons are the server's, in English. */
import { useState } from 'react'
import { Button } from '../kit/button.tsx'
import { importTexts as words } from '../texts/imports.ts'
import { language, t } from '../texts/index.ts'
import type { Run } from './sources.ts'

const shownAtOnce = 50

export function LeftOut({ failures, isDone }: { failures: Run['failures']; isDone: boolean }) {
  const [most, setMost] = useState(shownAtOnce)
  if (failures.length === 0) return null
  return (
    <section aria-labelledby="left-out">
      <header className="ui-heading">
        <h2 id="left-out">{words.leftOut(failures.length)}</h2>
      </header>
      {isDone && <p className="ui-quiet">{words.leftOutText}</p>}
      <ul className="ui-list" lang={language === 'en' ? undefined : 'en'}>
        {failures.slice(0, most).map(({ resource, message }, index) => (
          <li key={index} className="ui-row">
            <span className="title whole">
              {resource}
              <small className="below">{message}</small>
            </span>
          </li>
        ))}
      </ul>
      {failures.length > most && (
        <Button kind="quiet" onClick={() => setMost(most + 10 * shownAtOnce)}>
          {t.common.showMore}
        </Button>
      )}
    </section>
  )
}
