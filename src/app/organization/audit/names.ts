/** What the log names by ids, as people call it; what is gone has the name that was noted, or none. */
import type { Output } from '../../session/client.ts'
import { useCall } from '../../session/client.ts'
import { auditTexts as texts } from '../../texts/audit.ts'

export type AuditEvent = Output<'listOrganizationAuditEvents'>['items'][number]

export interface Named {
  id: string
  name: string
}

export interface Names {
  /** The first thousand. */
  people: readonly Named[]
  of: (id: string) => string | undefined
}

const whole = { limit: 1000 } as const
const rarely = { staleTime: 5 * 60_000 }

export function useNames(organizationId: string): Names {
  const members = useCall(
    'listMembersInOrganizationById',
    { organizationId, query: { ...whole, sort: 'name', order: 'asc' } },
    rarely,
  )
  const spaces = useCall('listSpacesInOrganizationById', { organizationId, query: whole }, rarely)
  const collections = useCall('listCollectionsInOrganizationById', { organizationId, query: whole }, rarely)
  const sites = useCall('listSites', { organizationId, query: whole }, rarely)
  const teams = useCall('listTeamsInOrganizationById', { organizationId, query: whole }, rarely)
  const people = (members.data?.items ?? []).map(({ user }) => ({ id: user.id, name: user.displayName }))
  const titled = [spaces, collections, sites, teams].flatMap(
    ({ data }): { id: string; title: string }[] => data?.items ?? [],
  )
  const known = new Map([
    ...people.map(({ id, name }): [string, string] => [id, name]),
    ...titled.map(({ id, title }): [string, string] => [id, title]),
  ])
  return { people, of: (id) => known.get(id) }
}

const has = <T extends object>(all: T, name: string): name is Extract<keyof T, string> => Object.hasOwn(all, name)

/** What a newer server notes has no words here, but its own name. */
export const nameOfAction = (action: string): string => (has(texts.actions, action) ? texts.actions[action] : action)

export const nameOfActor = ({ action, actor }: AuditEvent): string =>
  has(texts.systems, action) ? texts.systems[action] : actor.label

export const nameOfCredential = (type: string): string =>
  has(texts.credentials, type) ? texts.credentials[type] : type

/** What an event is about: by its present name, or the one that it had. */
export function nameOfTarget({ target, data }: AuditEvent, names: Names): string | undefined {
  const parts = [data, data.after, data.before].filter((part) => typeof part === 'object' && part !== null)
  const noted = parts.flatMap((part) =>
    ['title', 'label', 'subject', 'domain', 'name'].map((name) => Reflect.get(part, name)),
  )
  return names.of(target.id) ?? noted.find((name): name is string => typeof name === 'string' && name !== '')
}
