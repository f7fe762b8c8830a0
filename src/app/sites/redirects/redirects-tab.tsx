/** Old addresses of a site and where they lead: found, added, changed, deleted, brought in as a list, and tried. */
import { ArrowRight, ClipboardPaste, MoreHorizontal, Pencil, Plus, Signpost, Trash2 } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import { Button } from '../../kit/button.tsx'
import { Empty, Failed, Loaded } from '../../kit/empty.tsx'
import { Menu } from '../../kit/menu.tsx'
import { t } from '../../texts/index.ts'
import { redirectTexts as words } from '../../texts/redirects.ts'
import type { SiteIds } from '../row.tsx'
import type { PartOfSite } from '../site-overview.tsx'
import { DestinationName, type PartsOfSite, usePartsOfSite } from './destination.tsx'
import { ImportRedirects } from './import-redirects.tsx'
import { RedirectForm } from './redirect-form.tsx'
import { deleteRedirect, type Redirect, useRedirects, wordsOf } from './redirects.ts'
import { TryAddress } from './try-address.tsx'

type Asked = { kind: 'form'; redirect?: Redirect } | { kind: 'import' }

/** As many of those found are drawn at a time. */
const step = 100

export function RedirectsTab({ site, organizationId }: PartOfSite) {
  const ids = { organizationId, siteId: site.id }
  const root = site.visibility === 'share-link' ? undefined : site.urls.published
  const parts = usePartsOfSite(ids)
  const [sought, setSought] = useState('')
  const looking = useDeferredValue(sought.trim().toLowerCase())
  const { query, count, more, isWhole, isLoadingMore, problem } = useRedirects(ids, { all: looking !== '' })
  const [question, setQuestion] = useState<{ asked: Asked; number: number } | undefined>()
  const [isOpen, setOpen] = useState(false)
  const ask = (asked: Asked): void => {
    setQuestion({ asked, number: (question?.number ?? 0) + 1 })
    setOpen(true)
  }
  const buttons = (
    <>
      <Button icon={ClipboardPaste} onClick={() => ask({ kind: 'import' })}>
        {words.import}
      </Button>
      <Button kind="primary" icon={Plus} disabled={!parts} onClick={() => ask({ kind: 'form' })}>
        {words.add}
      </Button>
    </>
  )
  const isEmpty = query.data !== undefined && count === 0 && looking === ''
  return (
    <>
      <section aria-labelledby="site-redirects">
        <header className="ui-heading">
          <h2 id="site-redirects">{words.title}</h2>
          {!isEmpty && <div className="ui-heading-actions">{buttons}</div>}
        </header>
        {isEmpty ? (
          <Empty icon={Signpost} title={words.emptyTitle} text={words.emptyText}>
            {buttons}
          </Empty>
        ) : (
          <>
            <p className="ui-quiet">{words.about}</p>
            <input
              type="search"
              className="ui-input ui-sought"
              aria-label={words.search}
              placeholder={words.search}
              value={sought}
              onChange={({ target }) => setSought(target.value)}
            />
            <Loaded query={query}>
              {({ items }) => (
                <Found
                  key={looking}
                  items={items.filter(({ source, destination }) =>
                    `${source} ${wordsOf(destination)}`.toLowerCase().includes(looking),
                  )}
                  status={looking === '' ? undefined : isWhole ? 'whole' : items.length}
                  ids={ids}
                  parts={parts}
                  more={looking === '' ? more : undefined}
                  isLoadingMore={isLoadingMore}
                  onEdit={(redirect) => ask({ kind: 'form', redirect })}
                />
              )}
            </Loaded>
            {problem && <Failed error={problem} onRetry={more} />}
          </>
        )}
      </section>
      {!isEmpty && <TryAddress ids={ids} root={root} />}
      {question?.asked.kind === 'import' && (
        <ImportRedirects key={question.number} open={isOpen} onClose={() => setOpen(false)} ids={ids} root={root} />
      )}
      {question?.asked.kind === 'form' && parts && (
        <RedirectForm
          key={question.number}
          open={isOpen}
          onClose={() => setOpen(false)}
          ids={ids}
          root={root}
          parts={parts}
          redirect={question.asked.redirect}
        />
      )}
    </>
  )
}

interface FoundProps {
  items: readonly Redirect[]
  /** While one is looked for: how many were looked through, or that all were. */
  status: number | 'whole' | undefined
  ids: SiteIds
  parts: PartsOfSite | undefined
  /** Asks the server for more. */
  more: (() => void) | undefined
  isLoadingMore: boolean
  onEdit: (redirect: Redirect) => void
}

function Found({ items, status, ids, parts, more, isLoadingMore, onEdit }: FoundProps) {
  const [most, setMost] = useState(step)
  const drawn = status === undefined ? items : items.slice(0, most)
  const showMore = drawn.length < items.length ? () => setMost(most + step) : more
  return (
    <>
      <p className={status === undefined ? 'sr' : 'ui-hint'} role="status">
        {status === undefined
          ? ''
          : status === 'whole'
            ? items.length === 0
              ? words.none
              : words.found(items.length)
            : words.searching(status)}
      </p>
      <ul className="ui-list">
        {drawn.map((redirect) => (
          <RedirectRow key={redirect.id} redirect={redirect} ids={ids} parts={parts} onEdit={() => onEdit(redirect)} />
        ))}
      </ul>
      {showMore && (
        <div className="ui-more">
          <Button busy={isLoadingMore} onClick={showMore}>
            {t.common.showMore}
          </Button>
        </div>
      )}
    </>
  )
}

interface RedirectRowProps {
  redirect: Redirect
  ids: SiteIds
  parts: PartsOfSite | undefined
  onEdit: () => void
}

function RedirectRow({ redirect, ids, parts, onEdit }: RedirectRowProps) {
  const { source, destination, draft, captureWildcard } = redirect
  return (
    <li className="ui-redirect">
      <button type="button" className="addresses" onClick={onEdit}>
        <code>{source}</code>
        <ArrowRight size={14} strokeWidth={1.75} aria-hidden="true" />
        <span className="destination">
          <span className="sr">{words.kind} </span>
          <DestinationName destination={destination} parts={parts} />
          {captureWildcard && <small>{words.isEverything}</small>}
          {draft && <small>{words.isDraft}</small>}
        </span>
      </button>
      <Menu
        label={words.actions(source)}
        entries={[
          { label: words.edit, icon: Pencil, run: onEdit },
          { label: t.common.delete, icon: Trash2, danger: true, run: () => void deleteRedirect(ids, redirect) },
        ]}
        button={
          <button type="button" className="ui-icon-button">
            <MoreHorizontal size={16} strokeWidth={1.75} aria-hidden="true" />
          </button>
        }
      />
    </li>
  )
}
