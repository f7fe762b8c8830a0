/** Each conflict as a card with both versions side by side; one key or click settles it. */

import { useQueries } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { Link } from 'wouter'
import type { conflictChoices, OneOf } from '../../core/enumerations.ts'
import { Block, type Node, nodesOf } from '../document/blocks.tsx'
import { paths } from '../frame/paths.ts'
import { Button } from '../kit/button.tsx'
import { Empty, Waiting } from '../kit/empty.tsx'
import { isTyping } from '../kit/typing.ts'
import { write } from '../pages/content-target.ts'
import { call, type Output, useAction } from '../session/client.ts'
import { useSpace } from '../spaces/space-context.tsx'
import { changesTexts } from '../texts/changes.ts'
import { conflictsIn } from './conflicts-in.ts'
import type { ChangeRequest } from './row.tsx'

type Conflict = NonNullable<Output<'getChangeRequestChanges'>['conflicts']>[number]
type Keep = OneOf<typeof conflictChoices>

// A merge calls the space `ours` and what is brought into it `theirs`; to the writer it is the other way round.
const keys: Record<string, Keep> = { m: 'theirs', t: 'ours', b: 'both' }

/** What a page is given as text: one's own version can be taken back with a click. */
const textFields: ReadonlySet<string> = new Set(['title', 'slug', 'description', 'linkTitle', 'emoji', 'icon'])

/** Both versions stand in a document, and nothing is merged before one is chosen. Everything else the update has decided. */
export const isOpenConflict = ({ kind }: Conflict): boolean => kind === 'edit' || kind === 'delete'

export function Conflicts({ request, conflicts }: { request: ChangeRequest; conflicts: readonly Conflict[] }) {
  const { content, space } = useSpace()
  const ids = [...new Set(conflicts.flatMap(({ page }) => (page === undefined ? [] : [page])))]
  const pages = useQueries({
    queries: ids.map((pageId) => ({
      // Not by revision: the cards stand, with the focus in one of them, until those of the next one are there.
      queryKey: ['getPageInChangeRequestById', 'conflicts', request.id, pageId],
      queryFn: () =>
        call('getPageInChangeRequestById', {
          spaceId: space.id,
          changeRequestId: request.id,
          pageId,
          query: { format: 'document', pages: false },
        }),
    })),
  })
  const settle = useAction(
    ({ page, block, keep }: { page: string; block: string; keep: Keep }) =>
      write(content, [{ operation: 'resolve_conflict', page, block, keep }]),
    { refreshes: ['getChangeRequestChanges', 'getChangeRequestById', 'getPageInChangeRequestById'] },
  )
  const remove = useAction((page: string) => write(content, [{ operation: 'delete_page', page }]), {
    refreshes: ['getChangeRequestChanges', 'getChangeRequestById', 'getPageInChangeRequestById'],
  })
  const take = useAction(
    ({ page, field, value }: { page: string; field: string; value: string }) =>
      write(content, [{ operation: 'update_page', page, [field]: value }]),
    { refreshes: ['getChangeRequestChanges', 'getChangeRequestById', 'getPageInChangeRequestById'] },
  )
  const section = useRef<HTMLElement>(null)
  const open = conflicts.filter(isOpenConflict).length
  // Whoever chose by keys goes on with the next card, or at the end with what there is to do then.
  const cards = pages.flatMap(({ data }) => (data ? conflictsIn(nodesOf(data.document?.nodes)) : [])).length
  const before = useRef(cards)
  const isWaiting = pages.some(({ isPending }) => isPending)
  useEffect(() => {
    if (isWaiting) return
    if (cards < before.current) (section.current?.querySelector<HTMLElement>('[data-card]') ?? section.current)?.focus()
    before.current = cards
  }, [cards, isWaiting])
  if (isWaiting) return <Waiting />
  const decided = conflicts.filter((conflict) => !isOpenConflict(conflict))
  // A page that has been deleted keeps what was last read of it, beside the refusal.
  const titles = new Map(
    pages.flatMap(({ data, isError }) => (data && !isError ? [[data.id, data.title] as const] : [])),
  )
  return (
    <section className="ui-conflicts" aria-label={changesTexts.conflictsTab} ref={section} tabIndex={-1}>
      {open === 0 && <Empty title={changesTexts.allResolved} />}
      <p role="status" className="ui-quiet">
        {open > 0 && changesTexts.left(open)}
      </p>
      {pages.map(({ data: page }) =>
        page
          ? conflictsIn(nodesOf(page.document?.nodes)).map(({ id, ours, theirs }) => (
              <ConflictCard
                key={`${page.id}-${id}`}
                title={changesTexts.conflictOn(page.title)}
                href={paths.page(space.id, page.id, request.number)}
                ours={ours}
                theirs={theirs}
                busy={settle.isPending}
                onKeep={(keep) => settle.mutate({ page: page.id, block: id, keep })}
              />
            ))
          : null,
      )}
      {decided.length > 0 && <h2>{changesTexts.decided}</h2>}
      {decided.map(({ page, kind, field, message, ours, theirs }) => (
        <article key={`${page}-${kind}-${field}`} className="ui-conflict">
          <header>
            <h3>{page === undefined ? changesTexts.wholeSpace : changesTexts.conflictOn(titles.get(page) ?? '')}</h3>
            {page && titles.has(page) && (
              <Link href={paths.page(space.id, page, request.number)}>{changesTexts.openPage}</Link>
            )}
          </header>
          <p>{changesTexts.decisions[kind] ?? message}</p>
          {(typeof ours === 'string' || typeof theirs === 'string') && kind === 'field' && (
            <div className="ui-conflict-sides">
              <ValueOf title={changesTexts.mine} value={theirs} />
              <ValueOf title={changesTexts.theirs} value={ours} />
            </div>
          )}
          {page &&
            kind === 'field' &&
            typeof theirs === 'string' &&
            textFields.has(field ?? '') &&
            titles.has(page) && (
              <footer>
                <Button
                  disabled={take.isPending}
                  onClick={() => take.mutate({ page, field: field ?? '', value: theirs })}
                >
                  {changesTexts.keepMine}
                </Button>
              </footer>
            )}
          {page && kind === 'deleted' && titles.has(page) && (
            <footer>
              <Button disabled={remove.isPending} onClick={() => remove.mutate(page)}>
                {changesTexts.deletePage}
              </Button>
            </footer>
          )}
        </article>
      ))}
    </section>
  )
}

interface ConflictCardProps {
  title: string
  href: string
  ours: readonly Node[]
  theirs: readonly Node[]
  busy: boolean
  onKeep: (keep: Keep) => void
}

function ConflictCard({ title, href, ours, theirs, busy, onKeep }: ConflictCardProps) {
  const press = (event: React.KeyboardEvent<HTMLElement>): void => {
    if (isTyping(event.nativeEvent) || event.ctrlKey || event.metaKey || event.altKey) return
    const keep = keys[event.key]
    const step = { n: 1, p: -1 }[event.key]
    if (keep === undefined && step === undefined) return
    // Elsewhere N is a new page.
    event.stopPropagation()
    if (keep && !busy) onKeep(keep)
    if (step) goToCard(event.currentTarget, step)
  }
  return (
    <article className="ui-conflict" data-card="" tabIndex={-1} aria-label={title} onKeyDown={press}>
      <header>
        <h3>{title}</h3>
        <Link href={href}>{changesTexts.editByHand}</Link>
      </header>
      <div className="ui-conflict-sides">
        <SideOf title={changesTexts.mine} nodes={theirs} />
        <SideOf title={changesTexts.theirs} nodes={ours} />
      </div>
      <footer>
        <Button disabled={busy} onClick={() => onKeep('theirs')}>
          {changesTexts.keepMine}
        </Button>
        <Button disabled={busy} onClick={() => onKeep('ours')}>
          {changesTexts.keepTheirs}
        </Button>
        <Button disabled={busy} onClick={() => onKeep('both')}>
          {changesTexts.keepBoth}
        </Button>
      </footer>
    </article>
  )
}

/** N and P: the next card, the one before. */
function goToCard(from: HTMLElement, step: number): void {
  const cards = [...(from.parentElement?.querySelectorAll<HTMLElement>('[data-card]') ?? [])]
  cards[cards.indexOf(from) + step]?.focus()
}

const ValueOf = ({ title, value }: { title: string; value: unknown }) => (
  <div className="ui-conflict-side">
    <h4>{title}</h4>
    {typeof value === 'string' && value !== '' ? (
      <p dir="auto">{value}</p>
    ) : (
      <p className="ui-quiet">{changesTexts.emptySide}</p>
    )}
  </div>
)

const SideOf = ({ title, nodes }: { title: string; nodes: readonly Node[] }) => (
  <div className="ui-conflict-side">
    <h4>{title}</h4>
    <div className="doc ui-small-doc" dir="auto">
      {nodes.length === 0 ? (
        <p className="ui-quiet">{changesTexts.emptySide}</p>
      ) : (
        nodes.map((node, index) => <Block key={node.key ?? index} node={node} />)
      )}
    </div>
  </div>
)
