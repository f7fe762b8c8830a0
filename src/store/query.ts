/**
 * Typed queries, compiled once.
 *
 * Building a query costs several times what running it does, so each query function of the store is built on its first
 * call, once for each engine, with named parameters in the places of values; from then on a call only fills them in.
 * Queries that come in a few forms (optional filters, order) are built once for each form with `formed`; those with too
 * many forms at each call with `dynamic`.
 */
import { createHash } from 'node:crypto'
import {
  type Compilable,
  type CompiledQuery,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from 'kysely'
import type { Connection, EngineName, Statement, Value } from './database.ts'
import type { Tables, Views } from './tables.ts'

export type Builder = Kysely<Tables & Views>

// Kysely writes the SQL; our own engines run it.
const builders: Record<EngineName, Builder> = {
  sqlite: new Kysely<Tables & Views>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  }),
  postgres: new Kysely<Tables & Views>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  }),
}

/** Stands in a query where a named parameter will be. */
class Parameter {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

interface Prepared {
  statement: Statement
  parameters: readonly unknown[]
}

type Build<P, R> = (build: Builder, p: P, engine: EngineName) => Compilable<R>
type Args<P> = unknown extends P ? [db: Connection] : [db: Connection, values: P]

/** All rows. */
export const all = <P, R>(build: Build<P, R>): ((...args: Args<P>) => Promise<R[]>) => {
  const prepared = prepare(build)
  // The row type is Kysely's own reading of the query; the engines return what the database holds.
  return (db: Connection, values?: P) => db.all(...prepared(db.engine, values)) as Promise<R[]>
}

/** The first row, if there is one. */
export const first = <P, R>(build: Build<P, R>): ((...args: Args<P>) => Promise<R | undefined>) => {
  const prepared = prepare(build)
  return async (db: Connection, values?: P) => (await db.all(...prepared(db.engine, values)))[0] as R | undefined
}

/** A write; how many rows it changed. */
export const run = <P, R>(build: Build<P, R>): ((...args: Args<P>) => Promise<number>) => {
  const prepared = prepare(build)
  return (db: Connection, values?: P) => db.run(...prepared(db.engine, values))
}

/** All rows of a query that comes in a few forms: which filters are given, which order. Values stand in `p`, as in `all`. */
export const formed = <F extends object, P, R>(
  build: (b: Builder, p: P, engine: EngineName, form: F) => Compilable<R>,
) => {
  const known = new Map<string, ReturnType<typeof prepare<P, R>>>()
  return (db: Connection, form: F, values: P): Promise<R[]> => {
    const key = JSON.stringify(form)
    let prepared = known.get(key)
    if (!prepared) {
      prepared = prepare<P, R>((b, p, engine) => build(b, p, engine, form))
      known.set(key, prepared)
    }
    return db.all(...prepared(db.engine, values)) as Promise<R[]>
  }
}

/** Puts a row into a table; the statement is compiled once for each set of columns. */
export const inserter = <T extends keyof Tables>(table: T) => {
  const insert = byColumns((b, columns) => b.insertInto(table).values(columns as never))
  return (tx: Connection, row: Tables[T]): Promise<number> => insert(tx, row, {})
}

/** Changes columns of the row with an id. */
export const updater = <T extends keyof Tables>(table: T) => {
  const update = byColumns((b, columns, p) =>
    b
      .updateTable(table as 'space')
      .set(columns as never)
      .where(sql<boolean>`"id" = ${p.updatedId}`),
  )
  return (tx: Connection, id: string, change: Partial<Tables[T]>): Promise<number> =>
    update(tx, change, { updatedId: id })
}

type Columns = Readonly<Record<string, unknown>>

/** A write that names the columns it is given, and those with a value of undefined not at all. */
function byColumns(build: (b: Builder, columns: Columns, p: Columns) => Compilable<unknown>) {
  const known = new Map<string, ReturnType<typeof prepare<Columns, unknown>>>()
  return (tx: Connection, given: object, others: Columns): Promise<number> => {
    const values = given as Columns
    const names = Object.keys(values).filter((name) => values[name] !== undefined)
    const key = names.join()
    let prepared = known.get(key)
    if (!prepared) {
      prepared = prepare<Columns, unknown>((b, p) =>
        build(b, Object.fromEntries(names.map((name) => [name, p[name]])), p),
      )
      known.set(key, prepared)
    }
    return tx.run(...prepared(tx.engine, { ...values, ...others }))
  }
}

/** A query whose form depends on its input, built at each call. */
export async function dynamic<R>(db: Connection, build: (b: Builder) => Compilable<R>): Promise<R[]> {
  const { statement, parameters } = compile(build(builders[db.engine]).compile())
  return db.all(statement, parameters.map(toValue)) as Promise<R[]>
}

/** A write whose form depends on its input; how many rows it changed. */
export async function dynamicRun<R>(db: Connection, build: (b: Builder) => Compilable<R>): Promise<number> {
  const { statement, parameters } = compile(build(builders[db.engine]).compile())
  return db.run(statement, parameters.map(toValue))
}

function prepare<P, R>(build: Build<P, R>) {
  const compiled: Partial<Record<EngineName, Prepared>> = {}
  return (engine: EngineName, values: P | undefined): [Statement, Value[]] => {
    let prepared = compiled[engine]
    if (!prepared) {
      // Whatever name the query reads from `p` becomes a parameter of that name.
      const p = new Proxy({}, { get: (_, name) => new Parameter(String(name)) }) as P
      prepared = compile(build(builders[engine], p, engine).compile())
      compiled[engine] = prepared
    }
    const given = values as Record<string, unknown> | undefined
    return [
      prepared.statement,
      prepared.parameters.map((item) => toValue(item instanceof Parameter ? given?.[item.name] : item)),
    ]
  }
}

function compile(query: CompiledQuery): Prepared {
  return { statement: named(query.sql), parameters: query.parameters }
}

const named = (sql: string): Statement => ({ sql, name: `q_${createHash('sha1').update(sql).digest('base64url')}` })

function toValue(value: unknown): Value {
  if (typeof value === 'boolean') return value ? 1 : 0
  if (value === undefined) return null
  if (value === null || typeof value === 'string' || typeof value === 'number' || value instanceof Uint8Array) {
    return value
  }
  throw new Error(`A query was given a ${typeof value} where the database takes text, numbers or bytes.`)
}

/**
 * True for rows whose column is one of the texts in a JSON array parameter: a list of any length with one statement. As an array,
 * PostgreSQL looks them up in an index; a subselect it takes for a hundred rows, for which it would read a whole table.
 */
export const oneOf = (column: RawBuilder<unknown>, json: string, engine: EngineName) =>
  engine === 'sqlite'
    ? sql<boolean>`${column} in (select value from json_each(${json}))`
    : sql<boolean>`${column} = any(array(select jsonb_array_elements_text(${json}::jsonb)))`

/** The elements of a JSON array parameter as rows of one column "value": however many, the statement is the same. */
export const elementsOf = (json: string, engine: EngineName) =>
  engine === 'sqlite' ? sql`json_each(${json})` : sql`jsonb_array_elements(cast(${json} as jsonb))`

/** Of values with names those that are named. */
export function pick<T, Name extends keyof T>(values: T, names: readonly Name[]): Pick<T, Name> {
  return Object.fromEntries(names.map((name) => [name, values[name]])) as Pick<T, Name>
}

/** Columns of rows: not all of them, because a newer build that runs beside this one may have added some, with values of their own. */
export const selectFrom = (columns: readonly string[], rows: RawBuilder<unknown>) =>
  sql`select ${sql.join(columns.map((column) => sql.ref(column)))} from ${rows}`

/** Rows of a table, of which a JSON array parameter has each as an object with the names of its columns, on PostgreSQL. */
export const rowsIn = (table: keyof Tables, json: string) =>
  sql`json_populate_recordset(cast(null as ${sql.table(table)}), cast(${json} as json))`

/** Bytes that came as hexadecimal digits, because JSON holds none; null stays null. */
export const fromHex = (digits: RawBuilder<unknown>, engine: EngineName) =>
  engine === 'sqlite' ? sql`unhex(${digits})` : sql`decode(${digits}, 'hex')`

/** Columns of the rows of a subselect, under their names, as one text: a JSON array of objects. Null or empty without rows. */
export const asJson = (columns: Readonly<Record<string, string>>, order: readonly string[], engine: EngineName) => {
  const fields = sql.join(Object.entries(columns).flatMap(([name, column]) => [sql.lit(name), sql.ref(column)]))
  const by = sql.join(order.map((column) => sql.ref(column)))
  return engine === 'sqlite'
    ? sql<string | null>`json_group_array(json_object(${fields}) order by ${by})`
    : sql<string | null>`cast(json_agg(json_build_object(${fields}) order by ${by}) as text)`
}
