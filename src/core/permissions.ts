/**
 * Who may do what: one table, read both to decide (the dispatcher) and to tell (`permissions` in every resource).
 *
 * A caller has a level on a thing. An ability names the least level that has it, and may have a second way in (`or`)
 * for callers who stand in a special relation to the thing: its author, an owner of the team, the person themselves.
 */

/** From least to most able; a role has every ability of the roles before it. */
export const roles = ['read', 'comment', 'edit', 'review', 'create', 'admin'] as const
export type Role = (typeof roles)[number]

/** `none` sees nothing; `guest` belongs to the organization but sees only what is shared with them directly. */
export const levels = ['none', 'guest', ...roles] as const
export type Level = (typeof levels)[number]

/** What a space or a collection grants to every member but guests: a role, nothing (null), or what its parent grants. */
export type DefaultLevel = Role | null | 'inherit'

const rank: Record<Level, number> = { none: 0, guest: 1, read: 2, comment: 3, edit: 4, review: 5, create: 6, admin: 7 }

export const atLeast = (level: Level, least: Level): boolean => rank[level] >= rank[least]

export const strongest = (all: readonly Level[]): Level =>
  all.reduce<Level>((best, level) => (rank[level] > rank[best] ? level : best), 'none')

/** How the caller stands to a thing, beside their level on it. */
export interface CallerRelation {
  level: Level
  isAuthor?: boolean
  ownsTeam?: boolean
  inTeam?: boolean
  isSelf?: boolean
}

type Rule = Level | { least: Level; or: (relation: CallerRelation) => boolean }

const isAuthor = (s: CallerRelation) => s.isAuthor === true && atLeast(s.level, 'comment')
const ownsTeam = (s: CallerRelation) => s.ownsTeam === true
const inTeam = (s: CallerRelation) => s.inTeam === true
/** Who began a run sees how it goes, whatever their role. */
const isMaker = (s: CallerRelation) => s.isAuthor === true
const isSelf = (s: CallerRelation) => s.isSelf === true
const isSelfOrInOwnTeam = (s: CallerRelation) => isSelf(s) || ownsTeam(s)

// biome-ignore format: a table reads best as one.
const abilities = {
  organization: { view: 'guest', listMembers: 'read', listTeams: 'read', listIntegrations: 'read', listInstallations: 'read',
                  createContent: 'create', listOpenAPISpecs: 'read', createOpenAPISpec: 'create', ingestConversations: 'create', viewInvites: 'admin',
                  installIntegration: 'admin', viewBilling: 'admin', admin: 'admin', ownTeam: { least: 'admin', or: ownsTeam } },
  member:       { view: { least: 'read', or: isSelfOrInOwnTeam }, admin: 'admin', leave: { least: 'admin', or: isSelf } },
  team:         { view: { least: 'read', or: inTeam }, admin: { least: 'admin', or: ownsTeam } },
  invite:       { view: 'admin', admin: 'admin' },
  collection:   { view: 'read', create: 'create', viewInviteLinks: 'admin', admin: 'admin' },
  space:        { view: 'read', access: 'read', comment: 'comment', edit: 'edit', triggerGitSync: 'edit', review: 'review', merge: 'review',
                  manage: 'create', viewInviteLinks: 'admin', installIntegration: 'admin', admin: 'admin' },
  site:         { view: 'read', access: 'read', edit: 'create', create: 'create', admin: 'admin' },
  comment:      { view: 'comment', reply: 'comment', react: 'comment', resolve: { least: 'edit', or: isAuthor }, edit: { least: 'admin', or: isAuthor }, delete: { least: 'admin', or: isAuthor } },
  commentReply: { view: 'comment', react: 'comment', edit: { least: 'admin', or: isAuthor }, delete: { least: 'admin', or: isAuthor } },
  spec:         { view: 'read', edit: 'create' },
  translation:  { view: 'admin', edit: 'admin' },
  importRun:    { view: { least: 'admin', or: isMaker }, edit: { least: 'admin', or: isMaker } },
  user:         { view: 'read' },
} as const satisfies Record<string, Record<string, Rule>>

export type Kind = keyof typeof abilities
export type AbilityOf<K extends Kind> = keyof (typeof abilities)[K] & string
export type Permissions<K extends Kind> = Record<AbilityOf<K>, boolean>

/** `space.merge`, `team.admin` …: what a row of the contract can ask for. */
export type Permission = { [K in Kind]: `${K}.${AbilityOf<K>}` }[Kind]

/** Everything the caller may do with a thing of this kind. */
export function permissionsOf<K extends Kind>(kind: K, relation: CallerRelation): Permissions<K> {
  const rules: Record<string, Rule> = abilities[kind]
  const key = `${kind}:${relation.level}:${bits(relation)}`
  let known = memo.get(key)
  if (!known) {
    known = Object.freeze(
      Object.fromEntries(Object.entries(rules).map(([name, rule]) => [name, allows(rule, relation)])),
    )
    memo.set(key, known)
  }
  return known as Permissions<K>
}

// Rules are pure and their inputs few, so the answers are few: at most 8 levels × 16 standings for each kind.
const memo = new Map<string, Record<string, boolean>>()

const bits = (s: CallerRelation): number =>
  (s.isAuthor ? 1 : 0) + (s.ownsTeam ? 2 : 0) + (s.inTeam ? 4 : 0) + (s.isSelf ? 8 : 0)

const allows = (rule: Rule, relation: CallerRelation): boolean =>
  typeof rule === 'string' ? atLeast(relation.level, rule) : atLeast(relation.level, rule.least) || rule.or(relation)

/** The least level that has an ability, for the generated matrix and the API document. */
export function leastLevel(permission: Permission): Level {
  const [kind, ability] = permission.split('.') as [Kind, string]
  const rule: Rule | undefined = (abilities[kind] as Record<string, Rule>)[ability]
  if (rule === undefined) throw new Error(`No such permission: ${permission}.`)
  return typeof rule === 'string' ? rule : rule.least
}

/**
 * The level of a member on a space or collection.
 *
 * `grants` are the direct and team grants on it and on the collections above it; `defaults` are the default levels from
 * the thing itself upwards. An organization's admin is admin everywhere; a guest has what was granted and nothing else,
 * whatever a default level opens to the other members.
 */
export function contentLevel(facts: {
  role: Role | null
  grants: readonly Role[]
  defaults: readonly DefaultLevel[]
}): Level {
  if (facts.role === 'admin') return 'admin'
  if (facts.role === null) return strongest(facts.grants)
  const fixed = facts.defaults.find((level) => level !== 'inherit')
  const byDefault = fixed === undefined ? facts.role : fixed
  return strongest([...facts.grants, byDefault ?? 'none'])
}

/** The level of a member on the organization itself: guests have no role, and still belong to it. */
export const organizationLevel = (role: Role | null): Level => role ?? 'guest'
