/** What a site is called, who may read it, the spaces that it shows, and how it looks right now. */
import { BookOpen, Plus, X } from 'lucide-react'
import { Link } from 'wouter'
import { paths } from '../frame/paths.ts'
import { IconButton } from '../kit/button.tsx'
import { SavedField, Select } from '../kit/field.tsx'
import { Menu } from '../kit/menu.tsx'
import { showDone } from '../kit/toast.tsx'
import { call, type Input, type Name, useAction, useCall } from '../session/client.ts'
import { t } from '../texts/index.ts'
import type { Site } from './row.tsx'
import { ShareLinks } from './share-links.tsx'
import { visibilities } from './visibility.ts'
import { VisitorSignIn } from './visitor-sign-in.tsx'

/** What is no longer true when something about a site was changed. */
export const staleSites: Name[] = ['getSiteById', 'listSites', 'listSiteSpaces', 'getSpaceById']

export interface PartOfSite {
  site: Site
  organizationId: string
}

export function SiteOverview({ site, organizationId }: PartOfSite) {
  const input = { organizationId, siteId: site.id }
  const update = useAction((body: Input<'updateSiteById'>['body']) => call('updateSiteById', { ...input, body }), {
    refreshes: staleSites,
    onDone: () => showDone(t.common.saved),
  })
  const canEdit = site.permissions.edit
  const address = site.urls.published
  return (
    <>
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

function SpacesOfSite({ site, organizationId }: PartOfSite) {
  const input = { organizationId, siteId: site.id }
  const shown = useCall('listSiteSpaces', { ...input, query: { limit: 200 } })
  const spaces = useCall('listSpacesInOrganizationById', { organizationId, query: { limit: 1000 } })
  const addSpace = useAction((space: string) => call('addSpaceToSite', { ...input, body: { spaceId: space } }), {
    refreshes: staleSites,
  })
  const remove = useAction(
    (siteSpace: { id: string; title: string }) => call('deleteSiteSpaceById', { ...input, siteSpaceId: siteSpace.id }),
    { refreshes: staleSites, onDone: (_result, { title }) => showDone(t.sites.removed(title)) },
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
