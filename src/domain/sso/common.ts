/** What providers of both kinds have in common. */
import { countProviders, listProviders, type SsoProviderRow } from '../../store/people/sso.ts'
import { findTeam, type TeamRow, teamsByIds } from '../../store/people/teams.ts'
import { type EventAction, note } from '../events/note.ts'
import type { Base } from '../handler.ts'
import { listOf } from '../lists.ts'
import { named } from '../named.ts'
import { presentTeam } from '../present.ts'
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

/** A provider that knows nothing of its other side yet. */
export const emptyProvider = (
  { env, now }: Base,
  organization: Organization,
  { kind, label }: Pick<SsoProviderRow, 'kind' | 'label'>,
): SsoProviderRow => ({
  id: env.newId(),
  organizationId: organization.id,
  kind,
  label,
  ssoUrl: null,
  entityId: null,
  certificate: null,
  issuer: null,
  clientId: null,
  clientSecret: null,
  defaultTeam: null,
  defaultRole: organization.defaultRole,
  createdAt: now,
})

/** A page of the providers of one kind, with the teams that newcomers join. */
export function listOfProviders<Shown>(
  base: Base,
  organization: Organization,
  kind: SsoProviderRow['kind'],
  query: Parameters<typeof listOf>[0]['query'],
  present: (row: SsoProviderRow, team: Team) => Shown,
) {
  const filter = { organizationId: organization.id, kind }
  let teams = new Map<string, TeamRow>()
  return listOf({
    base,
    name: `${kind}:${organization.id}`,
    query,
    rows: async (page) => {
      const found = await listProviders(base.db, filter, page)
      const ids = found.flatMap(({ defaultTeam }) => defaultTeam ?? [])
      teams = await teamsByIds(base.db, ids, { organizationId: organization.id, userId: base.actor.user.id })
      return found
    },
    count: () => countProviders(base.db, filter),
    keyOf: (row) => ({ key: row.createdAt, id: row.id }),
    present: (row) => present(row, presentDefaultTeam(organization, teams.get(row.defaultTeam ?? ''))),
  })
}

export type Team = ReturnType<typeof presentTeam> | undefined

export async function teamOf(base: Base, organization: Organization, row: SsoProviderRow): Promise<Team> {
  if (row.defaultTeam === null) return undefined
  const key = { id: row.defaultTeam, organizationId: organization.id, userId: base.actor.user.id }
  const team = await findTeam(base.db, key)
  return presentDefaultTeam(organization, team)
}

const presentDefaultTeam = (organization: Organization, team: TeamRow | undefined): Team =>
  team && presentTeam(team, teamPermissions(team, organization))

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
