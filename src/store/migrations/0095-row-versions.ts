/**
 * A number for each topic that moves with every change to the rows of it (store/row-versions.ts). Triggers move it, so that no
 * writer can forget to: not a command, and not a process of an earlier version that still runs. Numbers are random, because one
 * that was counted could come again after a restore. Frozen.
 */

type Event = 'insert' | 'update' | 'delete'

/** A table, the topics that a row of it belongs to, and the columns of which it matters; all of them where none is named. */
interface Rule {
  table: string
  topics: readonly ((row: string) => string)[]
  events?: readonly Event[]
  columns?: readonly string[]
}

const column = (name: string) => (row: string) => `select ${row}."${name}" as "topic"`
const id = column('id')
const organization = column('organizationId')
const people = (row: string) => `select 'people ' || ${row}."organizationId" as "topic"`
const ofTeam = (prefix: string) => (row: string) =>
  `select ${prefix}"organizationId" as "topic" from "team" where "id" = ${row}."teamId"`
const peopleOfUser = (row: string) =>
  `select 'people ' || "organizationId" as "topic" from "member" where "userId" = ${row}."id"`
const spacesOfSite = (name: string) => (row: string) =>
  `select "spaceId" as "topic" from "siteSpace" where "siteId" = ${row}."${name}"`

const rules: readonly Rule[] = [
  { table: 'organization', topics: [id] },
  { table: 'member', topics: [organization, people], events: ['insert', 'delete'] },
  {
    table: 'member',
    topics: [organization],
    events: ['update'],
    columns: ['organizationId', 'userId', 'role', 'disabled'],
  },
  { table: 'member', topics: [people], events: ['update'] },
  { table: 'user', topics: [peopleOfUser], events: ['update'] },
  { table: 'team', topics: [organization, people] },
  { table: 'teamMember', topics: [ofTeam(''), ofTeam(`'people ' || `)] },
  { table: 'accessGrant', topics: [organization, people] },
  { table: 'collection', topics: [organization, people] },
  { table: 'openapiSpec', topics: [organization] },
  { table: 'space', topics: [id, organization, people], events: ['insert', 'delete'] },
  { table: 'space', topics: [id], events: ['update'] },
  {
    table: 'space',
    topics: [organization, people],
    events: ['update'],
    columns: ['organizationId', 'parentId', 'defaultLevel', 'deletedAt'],
  },
  { table: 'site', topics: [id, spacesOfSite('id')] },
  { table: 'siteSectionGroup', topics: [column('siteId')] },
  { table: 'siteSection', topics: [column('siteId'), spacesOfSite('siteId')] },
  { table: 'siteSpace', topics: [column('siteId'), column('spaceId')] },
]

const rowsOf: Record<Event, readonly string[]> = { insert: ['new'], update: ['old', 'new'], delete: ['old'] }

/** On one line, as a semicolon ends a statement only at the end of one. An id never changes: it is not looked for twice. */
function moving({ topics }: Rule, event: Event, random: string): string {
  const insert = `insert into "rowVersion" ("topic", "version")`
  const update = `on conflict ("topic") do update set "version" = excluded."version"`
  if (topics.length === 1 && topics[0] === id)
    return `${insert} values (${rowsOf[event].at(-1)}."id", ${random}) ${update}`
  const moved = topics.flatMap((topic) => rowsOf[event].map(topic)).join(' union ')
  return `${insert} select "topic", ${random} from (${moved}) as "moved" where "topic" is not null order by "topic" ${update}`
}

const nameOf = ({ table, columns }: Rule, event: string, index: number): string =>
  `"rowVersion_${table}_${columns ? 'columns' : 'rows'}_${event}_${index}"`

const listed = (columns: readonly string[] | undefined): string =>
  columns ? ` of ${columns.map((name) => `"${name}"`).join(', ')}` : ''

const allEvents: readonly Event[] = ['insert', 'update', 'delete']

const sqlite = rules.flatMap((rule, index) =>
  (rule.events ?? allEvents).map(
    (event) =>
      `create trigger ${nameOf(rule, event, index)} after ${event}${event === 'update' ? listed(rule.columns) : ''} on "${rule.table}" begin ${moving(rule, event, 'abs(random() % 9007199254740991)')}; end;`,
  ),
)

const postgres = rules.flatMap((rule, index) =>
  (rule.events ?? allEvents).flatMap((event) => [
    `create function ${nameOf(rule, event, index)}() returns trigger language plpgsql as $$ begin ${moving(rule, event, 'floor(random() * 9007199254740991)::bigint')}; return null; end $$;`,
    `create trigger ${nameOf(rule, event, index)} after ${event}${event === 'update' ? listed(rule.columns) : ''} on "${rule.table}" for each row execute function ${nameOf(rule, event, index)}();`,
  ]),
)

export default {
  number: 95,
  name: 'row-versions',
  both: `create table "rowVersion" ("topic" {text} primary key, "version" bigint not null);`,
  sqlite: sqlite.join('\n'),
  postgres: postgres.join('\n'),
}
