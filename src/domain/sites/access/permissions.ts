/** Who may do what on a site. */
import type { sites } from '../../../contract/sites/sites.ts'
import { grantHandlers } from '../../grants.ts'
import type { HandlersOf } from '../../handler.ts'
import type { Things } from '../../things.ts'

type Row =
  | 'inviteToSite'
  | 'listUserPermissionsInSite'
  | 'updateUserPermissionInSite'
  | 'removeUserFromSite'
  | 'listTeamPermissionsInSite'
  | 'updateTeamPermissionInSite'
  | 'removeTeamFromSite'

export const siteSharingHandlers: Pick<HandlersOf<typeof sites>, Row> = {
  inviteToSite: ({ site, body, ...base }) => grantHandlers.invite(base, { ...site, kind: 'site' }, body),
  listUserPermissionsInSite: ({ site, query, ...base }) => grantHandlers.listUsers(base, sharedOf(site), query),
  updateUserPermissionInSite: ({ site, params, body, ...base }) =>
    grantHandlers.putUser(base, { ...site, kind: 'site' }, params.user, body.role),
  removeUserFromSite: ({ site, params, ...base }) =>
    grantHandlers.remove(base, { ...site, kind: 'site' }, 'user', params.user),
  listTeamPermissionsInSite: ({ site, query, ...base }) => grantHandlers.listTeams(base, sharedOf(site), query),
  updateTeamPermissionInSite: ({ site, params, body, ...base }) =>
    grantHandlers.putTeam(base, { ...site, kind: 'site' }, params.team, body.role),
  removeTeamFromSite: ({ site, params, ...base }) =>
    grantHandlers.remove(base, { ...site, kind: 'site' }, 'team', params.team),
}

const sharedOf = (site: Things['site']) => ({
  id: site.id,
  organizationId: site.organizationId,
  memberRole: site.organization.role,
})
