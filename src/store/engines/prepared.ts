/**
 * A prepared statement of SQLite whose rows are plain objects. The driver's own have no prototype, which engines keep as
 * hash tables: making and reading those takes twice as long. It can give arrays instead, and the names of the columns.
 */
import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite'
import type { Row, Value } from '../database.ts'

type Make = (values: readonly Value[]) => Row

export class Prepared {
  readonly #statement: StatementSyncInstance
  #columns = 0
  #make: Make = () => ({})

  constructor(db: DatabaseSyncInstance, sql: string) {
    this.#statement = db.prepare(sql)
    this.#statement.setReturnArrays(true)
  }

  all(values: readonly Value[]): Row[] {
    const rows = this.#statement.all(...values) as unknown as Value[][]
    const [first] = rows
    if (!first) return []
    // `select *` gets more columns when a migration has run since.
    if (first.length !== this.#columns) this.#read(first.length)
    return rows.map(this.#make)
  }

  /** The first column of the first row, of a statement without parameters. */
  value(): Value | undefined {
    return (this.#statement.get() as unknown as Value[] | undefined)?.[0]
  }

  /** How many rows it changed. */
  run(values: readonly Value[]): number {
    return Number(this.#statement.run(...values).changes)
  }

  #read(columns: number): void {
    this.#columns = columns
    this.#make = maker(this.#statement.columns().map(({ name }) => name))
  }
}

const makers = new Map<string, Make>()

/** A function that writes the object down as a literal, which is made several times faster than key by key. */
function maker(names: readonly string[]): Make {
  const fields = names.map((name, i) => `${JSON.stringify(name)}: v[${i}]`).join(', ')
  const known = makers.get(fields)
  if (known) return known
  const made = new Function('v', `return { ${fields} }`) as Make
  if (makers.size < 1000) makers.set(fields, made)
  return made
}
