/** The organization: its people, teams, sign-in, log and settings, each part at an address of its own. */
import type { ComponentType } from 'react'
import { Redirect } from 'wouter'
import { Frame, Top } from '../frame/frame.tsx'
import { lazyPart } from '../frame/lazy.tsx'
import { type OrganizationTab, organizationTabs, paths } from '../frame/paths.ts'
import { HomeSide } from '../home/home-side.tsx'
import { TabLink, Tabs } from '../kit/tabs.tsx'
import { type Organization, useOrganization } from '../session/session.tsx'
import { organizationTexts as texts } from '../texts/organization.ts'

export interface PartOfOrganization {
  organization: Organization
}

interface Tab {
  Part: ComponentType<PartOfOrganization>
  isFor: (permissions: Organization['permissions']) => boolean
}

const tabs: Record<OrganizationTab, Tab> = {
  members: {
    Part: lazyPart(async () => (await import('./members.tsx')).Members),
    isFor: ({ listMembers }) => listMembers,
  },
  // Guests have those that they are in.
  teams: { Part: lazyPart(async () => (await import('./teams.tsx')).TeamsOrTeam), isFor: () => true },
  'sign-in': {
    Part: lazyPart(async () => (await import('./sign-in/sign-in.tsx')).SignInOrProvider),
    isFor: ({ admin }) => admin,
  },
  audit: { Part: lazyPart(async () => (await import('./audit/audit.tsx')).AuditLog), isFor: ({ admin }) => admin },
  // What everyone who belongs to it finds: the way out.
  settings: { Part: lazyPart(async () => (await import('./settings.tsx')).OrganizationSettings), isFor: () => true },
}

export function OrganizationScreen({ tab }: { tab: OrganizationTab }) {
  const organization = useOrganization()
  const { Part, isFor } = tabs[tab]
  const offered = organizationTabs.filter((name) => tabs[name].isFor(organization.permissions))
  if (!isFor(organization.permissions))
    return <Redirect to={paths.organizationTab(organization.id, 'settings')} replace />
  return (
    <Frame side={<HomeSide />}>
      <Top title={texts.tabs[tab]} crumbs={[{ label: organization.title }]} />
      <header className="ui-request-head">
        <h1>{organization.title}</h1>
      </header>
      <Tabs label={organization.title}>
        {offered.map((name) => (
          <TabLink key={name} href={paths.organizationTab(organization.id, name)} isHere={name === tab}>
            {texts.tabs[name]}
          </TabLink>
        ))}
      </Tabs>
      <Part key={organization.id} organization={organization} />
    </Frame>
  )
}
