/** The index of the engine that runs. */
import type { Connection } from '../database.ts'
import type { IndexEngine } from './engine.ts'
import { postgresIndex } from './postgres.ts'
import { sqliteIndex } from './sqlite.ts'

export const engineOf = (db: Connection): IndexEngine => (db.engine === 'sqlite' ? sqliteIndex : postgresIndex)
