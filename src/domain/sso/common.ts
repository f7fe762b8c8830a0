/** What providers of both kinds have in common. */
import type { SsoProviderRow } from '../../store/sso.ts'
import { findTeam } from '../../store/teams.ts'
import { type EventAction, note } from '../events/note.ts'
import { named } from '../named.ts'
import { presentTeam } from '../present.ts'
import type { Base } from '../scope.ts'
import { type Things, teamPermissions } from '../things.ts'

type Organization = Things['organization']

export interface CommonChange {
  label?: string | undefined
  defaultTeam?: string | null | undefined
  defaultRole?: SsoProviderRow['defaultRole'] | undefined
}

export async function commonChangeOf(
  base: Base,
  organization: Organization,
  body: CommonChange,
): Promise<Partial<SsoProviderRow>> {
  const change: Partial<SsoProviderRow> = {}
  if (body.label !== undefined) change.label = body.label
  if (body.defaultRole !== undefined) change.defaultRole = body.defaultRole
  if (body.defaultTeam !== undefined) {
    if (body.defaultTeam !== null) await named(base, 'team', body.defaultTeam, { within: { organization } })
    change.defaultTeam = body.defaultTeam
  }
  return change
}

export type Team = ReturnType<typeof presentTeam> | undefined

export async function teamOf(base: Base, organization: Organization, row: SsoProviderRow): Promise<Team> {
  if (row.defaultTeam === null) return undefined
  const key = { id: row.defaultTeam, organizationId: organization.id, userId: base.actor.user.id }
  const team = await findTeam(base.db, key)
  return team && presentTeam(team, teamPermissions(team, organization))
}

export const noteProvider = (
  base: Base,
  provider: SsoProviderRow,
  action: Extract<EventAction, `${SsoProviderRow['kind']}_provider_${string}`>,
  data: object = {},
): Promise<number> =>
  note(base, {
    organizationId: provider.organizationId,
    action,
    target: { type: `${provider.kind}-provider`, id: provider.id },
    data: { label: provider.label, ...data },
  })
