/** Links that lead nowhere, each with the page it stands on. */
import { Link2Off } from 'lucide-react'
import { Link } from 'wouter'
import { Top } from '../frame/frame.tsx'
import { paths } from '../frame/paths.ts'
import { Empty, Loaded } from '../kit/empty.tsx'
import { type Output, useCall } from '../session/client.ts'
import { useSpace } from '../spaces/space-context.tsx'
import { t } from '../texts/index.ts'

type Location = NonNullable<Output<'listSpaceLinks'>['items'][number]['targetReference']>

export default function LinksScreen() {
  const { space } = useSpace()
  const links = useCall('listSpaceLinks', { spaceId: space.id, query: { status: 'broken', limit: 500 } })
  return (
    <div className="ui-screen">
      <Top title={t.links.title} crumbs={[{ label: space.title, href: paths.space(space.id) }]} />
      <h1 className="sr">{t.links.title}</h1>
      <Loaded query={links}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty icon={Link2Off} title={t.links.empty} text={t.links.emptyText} />
          ) : (
            <ul className="ui-list">
              {items.flatMap(({ targetReference, locationReferences }, link) =>
                locationReferences.map(({ page }, place) => (
                  <li key={`${link}-${place}-${page?.id}`}>
                    <Link className="ui-row" href={page ? paths.page(space.id, page.id) : paths.space(space.id)}>
                      <Link2Off size={16} strokeWidth={1.75} aria-hidden="true" />
                      <span className="title">
                        {page?.title ?? t.common.untitled}
                        <small>
                          {t.links.leadsTo} {nameOf(targetReference)}
                        </small>
                      </span>
                    </Link>
                  </li>
                )),
              )}
            </ul>
          )
        }
      </Loaded>
    </div>
  )
}

const nameOf = (target: Location | undefined): string =>
  target?.page?.title ?? target?.file?.name ?? target?.url ?? target?.internalLocation?.anchor ?? target?.kind ?? ''
