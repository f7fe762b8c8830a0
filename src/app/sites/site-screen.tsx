/** One site: whether it is live, where it is read, what it shows, and how it looks right now. */
import { BookOpen, ExternalLink, Plus, X } from 'lucide-react'
import { Link, useParams } from 'wouter'
import { Frame, Top } from '../frame/frame.tsx'
import { paths } from '../frame/paths.ts'
import { HomeSide } from '../home/home-side.tsx'
import { Button, IconButton } from '../kit/button.tsx'
import { Loaded } from '../kit/empty.tsx'
import { SavedField, Select } from '../kit/field.tsx'
import { Menu } from '../kit/menu.tsx'
import { showDone } from '../kit/toast.tsx'
import { call, type Input, type Name, refresh, useAction, useCall } from '../session/client.ts'
import { useOrganization } from '../session/session.tsx'
import { t } from '../texts/index.ts'
import { addressOf, type Site } from './row.tsx'
import { ShareLinks } from './share-links.tsx'
import { visibilities } from './visibility.ts'
import { VisitorSignIn } from './visitor-sign-in.tsx'

const stale: Name[] = ['getSiteById', 'listSites', 'listSiteSpaces', 'getSpaceById']

export default function SiteScreen() {
  const { site: siteId = '' } = useParams<{ site: string }>()
  const { id: organizationId } = useOrganization()
  const site = useCall('getSiteById', { organizationId, siteId })
  return (
    <Frame side={<HomeSide />}>
      <Loaded query={site}>{(data) => <SiteDetails site={data} organizationId={organizationId} />}</Loaded>
    </Frame>
  )
}

function SiteDetails({ site, organizationId }: { site: Site; organizationId: string }) {
  const input = { organizationId, siteId: site.id }
  const update = useAction((body: Input<'updateSiteById'>['body']) => call('updateSiteById', { ...input, body }), {
    refreshes: stale,
    onDone: () => showDone(t.common.saved),
  })
  const publish = useAction((live: boolean): Promise<unknown> => call(live ? 'publishSite' : 'unpublishSite', input), {
    refreshes: stale,
    onDone: (_result, live) =>
      live
        ? showDone(t.sites.published)
        : showDone(t.sites.unpublished, {
            label: t.common.undo,
            run: () => void call('publishSite', input).then(() => refresh(...stale)),
          }),
  })
  const canEdit = site.permissions.edit
  const address = site.urls.published
  return (
    <>
      <Top title={site.title} crumbs={[{ label: t.sites.title, href: paths.sites }]}>
        {site.published && address && (
          <a className="ui-button plain" href={address} target="_blank" rel="noreferrer">
            <ExternalLink size={16} strokeWidth={1.75} aria-hidden="true" />
            <span>{t.sites.open}</span>
          </a>
        )}
        {canEdit && (
          <Button
            kind={site.published ? 'plain' : 'primary'}
            busy={publish.isPending}
            onClick={() => publish.mutate(!site.published)}
          >
            {site.published ? t.sites.unpublish : t.sites.publish}
          </Button>
        )}
      </Top>
      <header className="ui-request-head">
        <h1>{site.title}</h1>
        <p className="ui-request-meta">
          <span className="ui-state" data-state={site.published ? 'live' : 'off'}>
            {site.published ? t.home.live : t.home.notLive}
          </span>
          {address && site.published && (
            <a className="ui-link" href={address} target="_blank" rel="noreferrer">
              {addressOf(address)}
            </a>
          )}
        </p>
      </header>
      {canEdit && (
        <div className="ui-form ui-two">
          <SavedField
            label={t.sites.name}
            value={site.title}
            maxLength={128}
            least={2}
            onSave={(title) => update.mutate({ title })}
          />
          <Select
            label={t.sites.visibility}
            value={site.visibility}
            onChange={({ target }) => {
              const visibility = visibilities.find((value) => value === target.value)
              if (visibility) update.mutate({ visibility })
            }}
            options={visibilities.map((value) => ({ value, label: t.sites.visibilities[value] }))}
          />
        </div>
      )}
      {canEdit && site.visibility === 'share-link' && <ShareLinks site={site} organizationId={organizationId} />}
      {site.permissions.admin && site.visibility === 'visitor-auth' && (
        <VisitorSignIn site={site} organizationId={organizationId} />
      )}
      <SpacesOfSite site={site} organizationId={organizationId} />
      {site.published && address && new URL(address).origin === location.origin && (
        <section aria-label={t.sites.frame} className="ui-preview">
          <iframe title={t.sites.frame} src={address} />
        </section>
      )}
    </>
  )
}

function SpacesOfSite({ site, organizationId }: { site: Site; organizationId: string }) {
  const input = { organizationId, siteId: site.id }
  const shown = useCall('listSiteSpaces', { ...input, query: { limit: 200 } })
  const spaces = useCall('listSpacesInOrganizationById', { organizationId, query: { limit: 1000 } })
  const addSpace = useAction((space: string) => call('addSpaceToSite', { ...input, body: { spaceId: space } }), {
    refreshes: stale,
  })
  const remove = useAction(
    (siteSpace: { id: string; title: string }) => call('deleteSiteSpaceById', { ...input, siteSpaceId: siteSpace.id }),
    { refreshes: stale, onDone: (_result, { title }) => showDone(t.sites.removed(title)) },
  )
  const items = shown.data?.items ?? []
  const others = (spaces.data?.items ?? []).filter(({ id }) => !items.some(({ space }) => space.id === id))
  return (
    <section aria-labelledby="site-spaces">
      <header className="ui-heading">
        <h2 id="site-spaces">{t.sites.shown}</h2>
        {site.permissions.edit && others.length > 0 && (
          <Menu
            label={t.sites.addSpace}
            button={
              <button type="button" className="ui-button quiet">
                <Plus size={16} strokeWidth={1.75} aria-hidden="true" />
                <span>{t.sites.addSpace}</span>
              </button>
            }
            entries={others.map(({ id, title }) => ({ label: title, icon: BookOpen, run: () => addSpace.mutate(id) }))}
          />
        )}
      </header>
      {shown.data && items.length === 0 && <p className="ui-quiet">{t.sites.noSpaces}</p>}
      <ul className="ui-list">
        {items.map(({ id, space, title }) => (
          <li key={id} className="ui-row-with-tools">
            <Link className="ui-row" href={paths.space(space.id)}>
              <BookOpen size={16} strokeWidth={1.75} aria-hidden="true" />
              <span className="title">{title || space.title}</span>
            </Link>
            {site.permissions.edit && (
              <IconButton
                label={t.sites.removeSpace}
                icon={X}
                onClick={() => remove.mutate({ id, title: title || space.title })}
              />
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
