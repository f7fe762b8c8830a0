/** One site: whether it is live and where it is read, above the part of it that is open. */
import { ExternalLink } from 'lucide-react'
import type { ComponentType } from 'react'
import { Redirect, useParams } from 'wouter'
import { Frame, Top } from '../frame/frame.tsx'
import { lazyPart } from '../frame/lazy.tsx'
import { paths, type SiteTab } from '../frame/paths.ts'
import { HomeSide } from '../home/home-side.tsx'
import { Button } from '../kit/button.tsx'
import { Loaded } from '../kit/empty.tsx'
import { TabLink, Tabs } from '../kit/tabs.tsx'
import { showDone } from '../kit/toast.tsx'
import { call, refresh, useAction, useCall } from '../session/client.ts'
import { useOrganization } from '../session/session.tsx'
import { t } from '../texts/index.ts'
import { siteTexts } from '../texts/site.ts'
import { addressOf, type Site } from './row.tsx'
import { type PartOfSite, SiteOverview, staleSites } from './site-overview.tsx'

const SitePeople = lazyPart(async () => (await import('./site-people.tsx')).SitePeople)

interface Tab {
  label: string
  Part: ComponentType<PartOfSite>
  isFor: (site: Site) => boolean
}

const AddressTab = lazyPart(async () => (await import('./address/address-tab.tsx')).AddressTab)
const RedirectsTab = lazyPart(async () => (await import('./redirects/redirects-tab.tsx')).RedirectsTab)
const StructureTab = lazyPart(async () => (await import('./structure/structure-tab.tsx')).StructureTab)
const VisitorsTab = lazyPart(async () => (await import('./visitors/visitors-tab.tsx')).VisitorsTab)
const CustomizationTab = lazyPart(async () => (await import('./customization/customization-tab.tsx')).CustomizationTab)
const InsightsTab = lazyPart(async () => (await import('./insights/insights-tab.tsx')).InsightsTab)

const mayEdit = ({ permissions }: Site): boolean => permissions.edit

/** Beside the overview. Each is loaded when it is opened. */
const tabs: Partial<Record<SiteTab, Tab>> = {
  structure: { label: siteTexts.tabs.structure, Part: StructureTab, isFor: mayEdit },
  redirects: { label: siteTexts.tabs.redirects, Part: RedirectsTab, isFor: mayEdit },
  address: { label: siteTexts.tabs.address, Part: AddressTab, isFor: mayEdit },
  visitors: { label: siteTexts.tabs.visitors, Part: VisitorsTab, isFor: mayEdit },
  customization: { label: siteTexts.tabs.customization, Part: CustomizationTab, isFor: mayEdit },
  insights: { label: siteTexts.tabs.insights, Part: InsightsTab, isFor: () => true },
  people: { label: siteTexts.tabs.people, Part: SitePeople, isFor: ({ permissions }) => permissions.admin },
}

export default function SiteScreen() {
  const { site: siteId = '', tab = '' } = useParams<{ site: string; tab: string }>()
  const { id: organizationId } = useOrganization()
  const site = useCall('getSiteById', { organizationId, siteId })
  return (
    <Frame side={<HomeSide />}>
      <Loaded query={site}>{(data) => <SiteParts site={data} organizationId={organizationId} tab={tab} />}</Loaded>
    </Frame>
  )
}

function SiteParts({ site, organizationId, tab }: PartOfSite & { tab: string }) {
  const offered = Object.entries(tabs).filter(([, { isFor }]) => isFor(site))
  const open = offered.find(([name]) => name === tab)?.[1]
  if (tab !== '' && !open) return <Redirect to={paths.site(site.id)} replace />
  return (
    <>
      <SiteHead site={site} organizationId={organizationId} />
      {offered.length > 0 && (
        <Tabs label={site.title}>
          <TabLink href={paths.site(site.id)} isHere={!open}>
            {siteTexts.tabs.overview}
          </TabLink>
          {offered.map(([name, { label }]) => (
            <TabLink key={name} href={paths.site(site.id, name as SiteTab)} isHere={name === tab}>
              {label}
            </TabLink>
          ))}
        </Tabs>
      )}
      {open ? (
        <open.Part site={site} organizationId={organizationId} />
      ) : (
        <SiteOverview site={site} organizationId={organizationId} />
      )}
    </>
  )
}

function SiteHead({ site, organizationId }: PartOfSite) {
  const input = { organizationId, siteId: site.id }
  const publish = useAction((live: boolean): Promise<unknown> => call(live ? 'publishSite' : 'unpublishSite', input), {
    refreshes: staleSites,
    onDone: (_result, live) =>
      live
        ? showDone(t.sites.published)
        : showDone(t.sites.unpublished, {
            label: t.common.undo,
            run: () => void call('publishSite', input).then(() => refresh(...staleSites)),
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
    </>
  )
}
