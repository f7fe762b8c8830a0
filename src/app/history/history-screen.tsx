/** What happened to a space or to one page of it: who, when, what changed, and the way back. */
import { History, Undo2 } from 'lucide-react'
import { Link, useLocation, useParams, useSearch } from 'wouter'
import { DiffView } from '../changes/diff-view.tsx'
import { Top } from '../frame/frame.tsx'
import { paths } from '../frame/paths.ts'
import { Avatar } from '../kit/avatar.tsx'
import { Button } from '../kit/button.tsx'
import { Empty, Loaded } from '../kit/empty.tsx'
import { showDone } from '../kit/toast.tsx'
import { When } from '../kit/when.tsx'
import { write } from '../pages/content-target.ts'
import { type Output, useAction, useCall } from '../session/client.ts'
import { useSpace } from '../spaces/space-context.tsx'
import { t } from '../texts/index.ts'
import { restore } from '../tree/moves.ts'

type Revision = Output<'listRevisions'>['items'][number]

export default function HistoryScreen() {
  const { space } = useSpace()
  const { revision } = useParams<{ revision?: string }>()
  const page = new URLSearchParams(useSearch()).get('page') ?? undefined
  const [, navigate] = useLocation()
  const list = useCall('listRevisions', {
    spaceId: space.id,
    query: { limit: 200, ...(page === undefined ? {} : { targetPage: page }) },
  })
  const suffix = page === undefined ? '' : `?page=${encodeURIComponent(page)}`
  return (
    <div className="ui-screen wide">
      <Top title={t.history.title} crumbs={[{ label: space.title, href: paths.space(space.id) }]}>
        {page !== undefined && (
          <Button onClick={() => navigate(paths.history(space.id))}>{t.history.wholeSpace}</Button>
        )}
      </Top>
      <h1 className="sr">{t.history.title}</h1>
      <Loaded query={list}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty icon={History} title={t.history.title} text={t.history.empty} />
          ) : (
            <div className="ui-history">
              <ol className="ui-list">
                {items.map((item, index) => (
                  <RevisionRow
                    key={item.id}
                    revision={item}
                    isCurrent={index === 0}
                    isChosen={item.id === (revision ?? items[0]?.id)}
                    href={`${paths.revision(space.id, item.id)}${suffix}`}
                  />
                ))}
              </ol>
              <RevisionDetails
                revision={revision ?? items[0]?.id ?? ''}
                page={page}
                isCurrent={!revision || revision === items[0]?.id}
              />
            </div>
          )
        }
      </Loaded>
    </div>
  )
}

function RevisionRow({
  revision: { createdBy, createdAt, type },
  isCurrent,
  isChosen,
  href,
}: {
  revision: Revision
  isCurrent: boolean
  isChosen: boolean
  href: string
}) {
  const name = createdBy?.displayName ?? t.history.unknown
  return (
    <li>
      <Link className="ui-row" href={href} aria-current={isChosen ? 'true' : undefined}>
        <Avatar name={name} photo={createdBy?.photoURL} size={20} />
        <span className="title">
          {name}
          <small>
            {t.history.kinds[type]}
            {isCurrent && ` · ${t.history.current}`}
          </small>
        </span>
        <span className="meta">
          <When time={createdAt} />
        </span>
      </Link>
    </li>
  )
}

function RevisionDetails({
  revision,
  page,
  isCurrent,
}: {
  revision: string
  page: string | undefined
  isCurrent: boolean
}) {
  const { space, content, canEdit } = useSpace()
  const query = useCall('getRevisionChanges', {
    spaceId: space.id,
    revisionId: revision,
    query: { limit: 100, blocks: true },
  })
  const parents = useCall('getRevisionChanges', { spaceId: space.id, revisionId: revision, query: { limit: 100 } }).data
  const list = useCall('listRevisions', { spaceId: space.id, query: { limit: 200 } })
  const before = list.data?.items.find(({ id }) => id === revision)?.parents[0]
  const back = useAction(() => write(content, [{ operation: 'revert_page', page: page ?? '', revision }]), {
    refreshes: ['listRevisions', 'getSpaceById'],
    onDone: () => showDone(t.history.restored),
  })
  const bringBack = useAction((ids: string[]) => restore(content, ids, before ?? ''), {
    refreshes: ['listRevisions', 'getSpaceById'],
    onDone: () => showDone(t.history.restored),
  })
  const deleted = (parents?.changes ?? []).flatMap(({ type, page: gone }) =>
    type === 'page_deleted' && gone ? [gone] : [],
  )
  return (
    <div className="ui-history-details">
      <div className="ui-request-actions">
        {canEdit && page !== undefined && !isCurrent && (
          <Button icon={Undo2} busy={back.isPending} onClick={() => back.mutate(undefined)}>
            {t.history.restorePage}
          </Button>
        )}
        {canEdit && deleted.length > 0 && before && (
          <Button icon={Undo2} busy={bringBack.isPending} onClick={() => bringBack.mutate(deleted.map(({ id }) => id))}>
            {t.history.bringBackPages(deleted.length)}
          </Button>
        )}
      </div>
      <DiffView query={query} pageHref={(id) => paths.page(space.id, id)} />
    </div>
  )
}
