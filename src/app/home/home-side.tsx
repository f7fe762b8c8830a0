/** The side panel outside of spaces: the parts of the organization, and its spaces as a tree of collections. */
import { Braces, FileInput, FilePen, Globe, Home, Languages, Trash2, Users } from 'lucide-react'
import { SideLink } from '../frame/frame.tsx'
import { type OrganizationTab, organizationTabs, paths } from '../frame/paths.ts'
import { useSession } from '../session/session.tsx'
import { t } from '../texts/index.ts'

export function HomeSide() {
  const { organization } = useSession()
  if (!organization) return null
  const addressOf = (tab: OrganizationTab): string => paths.organizationTab(organization.id, tab)
  return (
    <>
      <div className="ui-side-part">
        <SideLink href={paths.home} icon={Home} exact>
          {t.nav.home}
        </SideLink>
        <SideLink href={paths.changesOfAll} icon={FilePen}>
          {t.nav.changes}
        </SideLink>
        <SideLink href={paths.sites} icon={Globe}>
          {t.nav.sites}
        </SideLink>
      </div>
      <div className="ui-side-part foot">
        {organization.permissions.createContent && (
          <SideLink href={paths.imports(organization.id)} icon={FileInput}>
            {t.nav.imports}
          </SideLink>
        )}
        {organization.permissions.listMembers && (
          <SideLink href={paths.specs(organization.id)} icon={Braces}>
            {t.nav.specs}
          </SideLink>
        )}
        {organization.permissions.admin && (
          <SideLink href={paths.translations(organization.id)} icon={Languages}>
            {t.nav.translations}
          </SideLink>
        )}
        <SideLink
          href={addressOf(organization.permissions.listMembers ? 'members' : 'settings')}
          icon={Users}
          also={organizationTabs.map(addressOf)}
        >
          {t.nav.organization}
        </SideLink>
        <SideLink href={paths.trash(organization.id)} icon={Trash2}>
          {t.nav.trash}
        </SideLink>
      </div>
    </>
  )
}
