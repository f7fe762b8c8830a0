/** The first screen: what needs me, and where was I? */
import { FileInput, FolderPlus, Plus } from 'lucide-react'
import { useState } from 'react'
import { Link, Redirect } from 'wouter'
import { ChangeRequestRow } from '../changes/row.tsx'
import { Frame, Top } from '../frame/frame.tsx'
import { paths } from '../frame/paths.ts'
import { Button, ButtonLink } from '../kit/button.tsx'
import { Empty, Loaded } from '../kit/empty.tsx'
import { When } from '../kit/when.tsx'
import { useCall } from '../session/client.ts'
import { useRecentPages } from '../session/recent.ts'
import { useSession } from '../session/session.tsx'
import { useStored } from '../session/stored.ts'
import { SiteRow } from '../sites/row.tsx'
import { NewCollectionDialog, NewSpaceDialog } from '../spaces/new-space.tsx'
import { t } from '../texts/index.ts'
import { PageIcon } from '../tree/page-icon.tsx'
import { firstTitle, welcomedKey } from './first-start.ts'
import { HomeSide } from './home-side.tsx'
import { SpaceTree } from './space-tree.tsx'

export default function HomeScreen() {
  const { organization } = useSession()
  const [isWelcomed] = useStored(welcomedKey, '')
  if (!organization) return <Redirect to="/welcome" />
  // The first start names the organization for whoever comes: they are asked for its real name once.
  if (organization.permissions.admin && organization.title === firstTitle && isWelcomed === '')
    return <Redirect to="/welcome?first" />
  return (
    <Frame side={<HomeSide />}>
      <Home organizationId={organization.id} canCreate={organization.permissions.createContent} />
    </Frame>
  )
}

function Home({ organizationId, canCreate }: { organizationId: string; canCreate: boolean }) {
  const [asked, ask] = useState<'space' | 'collection' | undefined>()
  const spaces = useCall('listSpacesInOrganizationById', { organizationId, query: { limit: 1000 } })
  const collections = useCall('listCollectionsInOrganizationById', { organizationId, query: { limit: 1000 } })
  const newSpace = (
    <Button kind="primary" icon={Plus} onClick={() => ask('space')}>
      {t.spaces.newSpace}
    </Button>
  )
  const bringIn = (
    <ButtonLink kind="quiet" icon={FileInput} href={paths.newImport(organizationId)}>
      {t.nav.bringIn}
    </ButtonLink>
  )
  return (
    <>
      <Top title={t.home.title}>{canCreate && newSpace}</Top>
      <h1 className="sr">{t.home.title}</h1>
      <Loaded query={spaces}>
        {({ items }) =>
          items.length === 0 && (collections.data?.items.length ?? 0) === 0 ? (
            canCreate ? (
              <Empty title={t.home.emptyTitle} text={t.home.emptyText}>
                {newSpace}
                {bringIn}
              </Empty>
            ) : (
              <Empty title={t.home.nothingSharedTitle} text={t.home.nothingSharedText} />
            )
          ) : (
            <>
              <ForYou organizationId={organizationId} />
              <Recent />
              <section aria-labelledby="spaces-title">
                <header className="ui-heading">
                  <h2 id="spaces-title">{t.home.spaces}</h2>
                  {canCreate && (
                    <div className="ui-heading-actions">
                      {bringIn}
                      <Button kind="quiet" icon={FolderPlus} onClick={() => ask('collection')}>
                        {t.spaces.newCollection}
                      </Button>
                    </div>
                  )}
                </header>
                <SpaceTree spaces={items} collections={collections.data?.items ?? []} />
              </section>
              <Sites organizationId={organizationId} />
            </>
          )
        }
      </Loaded>
      <NewSpaceDialog
        open={asked === 'space'}
        onClose={() => ask(undefined)}
        organizationId={organizationId}
        collections={collections.data?.items ?? []}
      />
      <NewCollectionDialog
        open={asked === 'collection'}
        onClose={() => ask(undefined)}
        organizationId={organizationId}
      />
    </>
  )
}

function ForYou({ organizationId }: { organizationId: string }) {
  const { user } = useSession()
  const review = useCall('listChangeRequestsForOrganization', {
    organizationId,
    query: { requestedReviewer: user.id, status: 'open', limit: 10 },
  })
  const drafts = useCall('listChangeRequestsForOrganization', {
    organizationId,
    query: { creator: user.id, status: 'draft', limit: 5 },
  })
  const toReview = review.data?.items ?? []
  const mine = drafts.data?.items ?? []
  return (
    <section aria-labelledby="for-you">
      <header className="ui-heading">
        <h2 id="for-you">{t.home.forYou}</h2>
      </header>
      {toReview.length + mine.length === 0 ? (
        <p className="ui-quiet">{t.home.nothingForYou}</p>
      ) : (
        <ul className="ui-list">
          {[...toReview, ...mine].map((request) => (
            <ChangeRequestRow key={request.id} request={request} />
          ))}
        </ul>
      )}
    </section>
  )
}

function Recent() {
  const pages = useRecentPages().slice(0, 6)
  if (pages.length === 0) return null
  return (
    <section aria-labelledby="recent">
      <header className="ui-heading">
        <h2 id="recent">{t.home.recent}</h2>
      </header>
      <ul className="ui-list">
        {pages.map(({ space, page, title, spaceTitle, emoji, at }) => (
          <li key={page}>
            <Link className="ui-row" href={paths.page(space, page)}>
              <PageIcon page={{ type: 'document', emoji }} />
              <span className="title">
                {title || t.common.untitled}
                <small>{spaceTitle}</small>
              </span>
              <span className="meta">
                <When time={at} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Sites({ organizationId }: { organizationId: string }) {
  const sites = useCall('listSites', { organizationId, query: { limit: 100 } })
  return (
    <section aria-labelledby="sites-title">
      <header className="ui-heading">
        <h2 id="sites-title">{t.home.sites}</h2>
      </header>
      <Loaded query={sites} lines={2}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="ui-quiet">{t.home.noSites}</p>
          ) : (
            <ul className="ui-list">
              {items.map((site) => (
                <SiteRow key={site.id} site={site} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </section>
  )
}
