/**
 * A prepared statement of SQLite whose rows are plain objects. The driver's own have no prototype, which engines keep as
 * hash tables: making and reading those takes twice as long. It can give arrays instead, and the names of the columns.
 */
import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite'
import type { Row, Value } from '../database.ts'
import { type Make, maker } from './row-maker.ts'

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
