/**
 * A prepared statement of SQLite whose rows are plain objects. The driver's own have no prototype, which engines keep as
 * hash tables: making and reading those takes twice as long. It can give arrays instead, and the names of the columns.
 */
import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite'
import type { Row, Value } from '../database.ts'

export class Prepared {
  readonly #statement: StatementSyncInstance
  #names: string[] = []
  /** All rows begin as copies of it, and so have one shape. */
  #empty: Row = {}

  constructor(db: DatabaseSyncInstance, sql: string) {
    this.#statement = db.prepare(sql)
    this.#statement.setReturnArrays(true)
  }

  all(values: readonly Value[]): Row[] {
    const rows = this.#statement.all(...values) as unknown as Value[][]
    const [first] = rows
    // `select *` gets more columns when a migration has run since.
    if (first && first.length !== this.#names.length) this.#read()
    return rows.map((row) => this.#row(row))
  }

  /** How many rows it changed. */
  run(values: readonly Value[]): number {
    return Number(this.#statement.run(...values).changes)
  }

  #read(): void {
    this.#names = this.#statement.columns().map(({ name }) => name)
    this.#empty = Object.fromEntries(this.#names.map((name) => [name, null]))
  }

  #row(values: readonly Value[]): Row {
    const row = { ...this.#empty }
    const names = this.#names
    for (let i = 0; i < names.length; i++) row[names[i] as string] = values[i] as Value
    return row
  }
}
