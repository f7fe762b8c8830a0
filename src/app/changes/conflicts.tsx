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
import { t } from '../texts/index.ts'
import { conflictsIn } from './conflicts-in.ts'
import type { ChangeRequest } from './row.tsx'

type Conflict = NonNullable<Output<'getChangeRequestChanges'>['conflicts']>[number]
type Keep = OneOf<typeof conflictChoices>

// A merge calls the space `ours` and what is brought into it `theirs`; to the writer it is the other way round.
const keys: Record<string, Keep> = { m: 'theirs', t: 'ours', b: 'both' }

export function Conflicts({ request, conflicts }: { request: ChangeRequest; conflicts: readonly Conflict[] }) {
  const { content, space } = useSpace()
  const ids = [...new Set(conflicts.flatMap(({ page }) => (page === undefined ? [] : [page])))]
  const pages = useQueries({
    queries: ids.map((pageId) => ({
      queryKey: ['getPageInChangeRequestById', 'conflicts', request.id, request.revision, pageId],
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
  if (conflicts.length === 0) return <Empty title={t.changes.allResolved} />
  if (pages.some(({ isPending }) => isPending)) return <Waiting />
  const others = conflicts.filter(({ page, field }) => page === undefined || field !== undefined)
  return (
    <section className="ui-conflicts" aria-label={t.changes.conflictsTab}>
      <p role="status" className="ui-quiet">
        {t.changes.left(conflicts.length)}
      </p>
      {pages.map(({ data: page }) =>
        page
          ? conflictsIn(nodesOf(page.document?.nodes)).map(({ id, ours, theirs }) => (
              <ConflictCard
                key={`${page.id}-${id}`}
                title={t.changes.conflictOn(page.title)}
                href={paths.page(space.id, page.id, request.number)}
                ours={ours}
                theirs={theirs}
                busy={settle.isPending}
                onKeep={(keep) => settle.mutate({ page: page.id, block: id, keep })}
              />
            ))
          : null,
      )}
      {others.map(({ page, field, message }) => (
        <article key={`${page}-${field}`} className="ui-conflict">
          <p>{message}</p>
          {page && <Link href={paths.page(space.id, page, request.number)}>{t.changes.openPage}</Link>}
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
  const card = useRef<HTMLElement>(null)
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const keep = keys[event.key]
      if (keep && !isTyping(event) && card.current?.contains(document.activeElement)) onKeep(keep)
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  })
  return (
    <article className="ui-conflict" ref={card} tabIndex={-1} aria-label={title}>
      <header>
        <h3>{title}</h3>
        <Link href={href}>{t.changes.editByHand}</Link>
      </header>
      <div className="ui-conflict-sides">
        <SideOf title={t.changes.mine} nodes={theirs} />
        <SideOf title={t.changes.theirs} nodes={ours} />
      </div>
      <footer>
        <Button disabled={busy} onClick={() => onKeep('theirs')}>
          {t.changes.keepMine}
        </Button>
        <Button disabled={busy} onClick={() => onKeep('ours')}>
          {t.changes.keepTheirs}
        </Button>
        <Button disabled={busy} onClick={() => onKeep('both')}>
          {t.changes.keepBoth}
        </Button>
      </footer>
    </article>
  )
}

const SideOf = ({ title, nodes }: { title: string; nodes: readonly Node[] }) => (
  <div className="ui-conflict-side">
    <h4>{title}</h4>
    <div className="doc ui-small-doc" dir="auto">
      {nodes.length === 0 ? (
        <p className="ui-quiet">{t.changes.emptySide}</p>
      ) : (
        nodes.map((node, index) => <Block key={node.key ?? index} node={node} />)
      )}
    </div>
  </div>
)
