/** Who may do what on a site. */
import type { sites } from '../../../contract/sites.ts'
import { deleteGrant } from '../../../store/grants.ts'
import { noteSite } from '../../events.ts'
import { grantHandlers } from '../../grants.ts'
import type { Base, HandlersOf } from '../../scope.ts'
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
  inviteToSite: ({ site, body, ...base }) =>
    noted(base, site, grantHandlers.invite(base, { ...site, kind: 'site' }, body)),
  listUserPermissionsInSite: ({ site, query, ...base }) => grantHandlers.listUsers(base, sharedOf(site), query),
  updateUserPermissionInSite: ({ site, params, body, ...base }) =>
    noted(base, site, grantHandlers.putUser(base, { ...site, kind: 'site' }, params.user, body.role)),
  removeUserFromSite: ({ site, params, ...base }) =>
    unshare(base, site, { subjectKind: 'user', subjectId: params.user }),
  listTeamPermissionsInSite: ({ site, query, ...base }) => grantHandlers.listTeams(base, sharedOf(site), query),
  updateTeamPermissionInSite: ({ site, params, body, ...base }) =>
    noted(base, site, grantHandlers.putTeam(base, { ...site, kind: 'site' }, params.team, body.role)),
  removeTeamFromSite: ({ site, params, ...base }) =>
    unshare(base, site, { subjectKind: 'team', subjectId: params.team }),
}

/** Told like every other change of a site. */
async function noted(base: Base, site: Things['site'], deed: Promise<undefined>): Promise<undefined> {
  await deed
  await noteSite(base, site, 'site_permissions_updated')
}

async function unshare(
  base: Base,
  site: Things['site'],
  subject: { subjectKind: 'user' | 'team'; subjectId: string },
): Promise<undefined> {
  const removed = await deleteGrant(base.db, { thingId: site.id, ...subject })
  if (removed > 0) await noteSite(base, site, 'site_permissions_updated')
}

const sharedOf = (site: Things['site']) => ({
  id: site.id,
  organizationId: site.organizationId,
  memberRole: site.organization.role,
})
