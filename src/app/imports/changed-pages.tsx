/** What an import has changed: pages that are new, other and gone, each with the way to it. */
import { FileText } from 'lucide-react'
import { Link } from 'wouter'
import { paths } from '../frame/paths.ts'
import { Loaded } from '../kit/empty.tsx'
import { type Output, useCall } from '../session/client.ts'
import { importTexts as words } from '../texts/imports.ts'
import { t } from '../texts/index.ts'

interface DoneRun {
  id: string
  createdAt: string
  space: string
  changeRequest: string | undefined
  revision: string
}

type Change = Output<'getRevisionChanges'>['changes'][number]

const most = 1000
const recent = { limit: 100 }

export function ChangedPages({ run, number }: { run: DoneRun; number: number | undefined }) {
  const { space: spaceId, changeRequest, revision } = run
  const isMain = changeRequest === undefined
  const ofSpace = useCall('listRevisions', { spaceId, query: recent }, { enabled: isMain })
  const ofRequest = useCall(
    'listRevisionsOfChangeRequest',
    { spaceId, changeRequestId: changeRequest ?? '', query: recent },
    { enabled: !isMain },
  )
  const changes = useCall('getRevisionChanges', { spaceId, revisionId: revision, query: { limit: most } })
  const list = (isMain ? ofSpace : ofRequest).data?.items
  const made = list?.find(({ id }) => id === revision)
  // A run that changes nothing names the revision that was there.
  if (made && made.createdAt < run.createdAt) return <p className="ui-quiet">{words.sameAsBefore}</p>
  const hrefOf = (page: string): string => paths.page(spaceId, page, isMain ? undefined : number)
  return (
    <section aria-labelledby="made">
      <header className="ui-heading">
        <h2 id="made">{words.made}</h2>
      </header>
      <Loaded query={changes} lines={4}>
        {({ changes: found, more = 0 }) => <Changed changes={found} more={more} hrefOf={hrefOf} />}
      </Loaded>
    </section>
  )
}

function Changed({
  changes,
  more,
  hrefOf,
}: {
  changes: readonly Change[]
  more: number
  hrefOf: (page: string) => string
}) {
  const pagesOf = (of: (type: string) => boolean) => {
    const pages = changes.flatMap(({ type, page }) => (page && of(type) ? [[page.id, page.title] as const] : []))
    return [...new Map(pages)]
  }
  const created = pagesOf((type) => type === 'page_created')
  const isNew = new Set(created.map(([id]) => id))
  const edited = pagesOf((type) => type.startsWith('page_') && type !== 'page_deleted').filter(([id]) => !isNew.has(id))
  const deleted = pagesOf((type) => type === 'page_deleted')
  const files = changes.filter(({ type }) => type.startsWith('file_')).length
  if (changes.length === 0) return <p className="ui-quiet">{words.sameAsBefore}</p>
  return (
    <>
      {[
        { title: words.created(created.length), pages: created, isThere: true },
        { title: words.edited(edited.length), pages: edited, isThere: true },
        { title: words.deleted(deleted.length), pages: deleted, isThere: false },
      ].map(({ title, pages, isThere }) =>
        pages.length === 0 ? null : (
          <details key={title} className="ui-fold" open={pages.length <= 20}>
            <summary className="ui-row">
              <span className="title">{title}</span>
            </summary>
            <ul className="ui-list inset">
              {pages.map(([id, name]) => (
                <li key={id}>
                  {isThere ? (
                    <Link className="ui-row" href={hrefOf(id)}>
                      <FileText size={16} strokeWidth={1.75} aria-hidden="true" />
                      <span className="title">{name || t.common.untitled}</span>
                    </Link>
                  ) : (
                    <span className="ui-row">
                      <span className="title">{name || t.common.untitled}</span>
                    </span>
                  )}
                </li>
              ))}
            </ul>
          </details>
        ),
      )}
      {files > 0 && <p className="ui-quiet">{words.filesChanged(files)}</p>}
      {more > 0 && <p className="ui-quiet">{words.andMore(more)}</p>}
    </>
  )
}
