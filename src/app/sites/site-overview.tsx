/** What a site is called, who may read it, the spaces that it shows, and how it looks right now. */
import { BookOpen, ListTree, Plus } from 'lucide-react'
import { Link } from 'wouter'
import { paths } from '../frame/paths.ts'
import { ButtonLink } from '../kit/button.tsx'
import { SavedField, Select } from '../kit/field.tsx'
import { showDone } from '../kit/toast.tsx'
import { call, type Input, type Name, useAction, useCall } from '../session/client.ts'
import { t } from '../texts/index.ts'
import { siteTexts } from '../texts/site.ts'
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

const mostShown = 10

/** The first of them; where they stand is changed on a tab of its own. */
function SpacesOfSite({ site, organizationId }: PartOfSite) {
  const shown = useCall('listSiteSpaces', { organizationId, siteId: site.id, query: { limit: mostShown } })
  if (!shown.data) return null
  const { items, count } = shown.data
  return (
    <section aria-labelledby="site-spaces">
      <header className="ui-heading">
        <h2 id="site-spaces">{t.sites.shown}</h2>
        {site.permissions.edit && (
          <ButtonLink kind="quiet" icon={items.length === 0 ? Plus : ListTree} href={paths.site(site.id, 'structure')}>
            {items.length === 0 ? t.sites.addSpace : siteTexts.arrange}
          </ButtonLink>
        )}
      </header>
      {items.length === 0 && <p className="ui-quiet">{t.sites.noSpaces}</p>}
      <ul className="ui-list">
        {items.map(({ id, space, title }) => (
          <li key={id}>
            {space.permissions.view ? (
              <Link className="ui-row" href={paths.space(space.id)}>
                <SpaceOnSite title={title || space.title} />
              </Link>
            ) : (
              <div className="ui-row">
                <SpaceOnSite title={title || space.title} />
              </div>
            )}
          </li>
        ))}
      </ul>
      {count > items.length && <p className="ui-quiet inset">{siteTexts.moreSpaces(count - items.length)}</p>}
    </section>
  )
}

const SpaceOnSite = ({ title }: { title: string }) => (
  <>
    <BookOpen size={16} strokeWidth={1.75} aria-hidden="true" />
    <span className="title">{title}</span>
  </>
)
