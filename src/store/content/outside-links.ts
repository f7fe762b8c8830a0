/**
 * Links to what lies outside the space that holds them: other spaces, collections and specs. When one comes or goes, the links
 * to it follow in the same transaction, in whichever spaces of the organization they are; an index of its own, "linkRow_outside",
 * finds them. Links of other organizations are broken either way.
 */
import { sql } from 'kysely'
import type { Connection, EngineName } from '../database.ts'
import { run } from '../query.ts'
import type { LinkStatus } from './links.ts'

interface Outside {
  kind: 'space' | 'collection' | 'openapi'
  /** Its id, or the slug of a spec. */
  thing: string
  organizationId: string
}

/** Word for word as the index has it. */
const thingOf = (engine: EngineName) =>
  engine === 'sqlite'
    ? sql<string>`coalesce("ref" ->> '$.space', "ref" ->> '$.spec', "ref" ->> '$.collection')`
    : sql<string>`substring("ref" from '"(?:space|spec|collection)":"([^"]*)"')`

/** A page of a space is linked by its own id: so whatever is no collection or spec leads to a space. */
const kindOfThing = sql<string>`(select case when "kind" in ('collection', 'openapi') then "kind" else 'space' end
  from "linkTarget" where "linkTarget"."number" = "linkRow"."target")`

const setStatuses = run((b, p: Outside & { status: LinkStatus }, engine) =>
  b
    .updateTable('linkRow')
    .set({ status: p.status })
    .where(sql<boolean>`"ref" >= '{'`)
    .where(thingOf(engine), '=', p.thing)
    .where('status', '<>', p.status)
    .where(kindOfThing, '=', p.kind)
    .where(
      sql<boolean>`exists (select 1 from "linkSpace" join "space" on "space"."id" = "linkSpace"."spaceId"
        where "linkSpace"."number" = "linkRow"."space"
          and "space"."organizationId" = ${p.organizationId} and "space"."id" <> ${p.thing})`,
    ),
)

/** In the transaction in which the thing came to this organization. */
export const linksAreRight = (tx: Connection, outside: Outside): Promise<number> =>
  setStatuses(tx, { ...outside, status: 'ok' })

/** In the transaction in which the thing left it, or was deleted. */
export const linksAreBroken = (tx: Connection, outside: Outside): Promise<number> =>
  setStatuses(tx, { ...outside, status: 'broken' })
