/** The inside of the reading thread: a connection of its own that does one task after the other. */
import { workerData } from 'node:worker_threads'
import { DatabaseSync } from '@photostructure/sqlite'
import { Caches } from '../core/caches.ts'
import { answerTasks } from '../threads/answer-tasks.ts'
import { Threads } from '../threads/supervisor.ts'
import type { Connection, Row, Value } from './database.ts'
import { Prepared } from './engines/prepared.ts'
import { pragmas } from './engines/sqlite-connection.ts'
import type { Checkpoint, ReaderTask } from './reader.ts'
import { type SearchRequest, searchHere } from './search-index/search.ts'

const db = new DatabaseSync(workerData.location)
for (const pragma of pragmas) db.exec(pragma)
const statements = new Map<string, Prepared>()

answerTasks((input) => {
  const task = input as ReaderTask
  if ('checkpoint' in task) return checkpoint(task.checkpoint)
  return 'search' in task ? searched(task.search) : all(task.sql, task.values)
})

/** Writers wait for a restart only: by then almost everything is done. What fails is tried again with a later one. */
function checkpoint(kind: Checkpoint): void {
  try {
    db.exec('PRAGMA wal_checkpoint(PASSIVE)')
    if (kind === 'passive') return
    db.exec('PRAGMA busy_timeout = 100')
    db.exec('PRAGMA wal_checkpoint(RESTART)')
  } catch {
    // Somebody reads or writes where the log would start anew.
  } finally {
    for (const pragma of pragmas) db.exec(pragma)
  }
}

/** Several statements, of one moment. */
async function searched(request: SearchRequest): Promise<string> {
  all('BEGIN', [])
  try {
    return JSON.stringify(await searchHere(connection, request))
  } finally {
    all('COMMIT', [])
  }
}

const connection: Connection = {
  engine: 'sqlite',
  // Answers are kept by the process that asks; nothing is kept here.
  caches: new Caches({ bytes: 0 }),
  threads: new Threads(),
  all: async (statement, values) => all(statement.sql, values),
  run: () => Promise.reject(new Error('The reading thread only reads.')),
}

function all(sql: string, values: readonly Value[]): Row[] {
  let statement = statements.get(sql)
  if (!statement) {
    statement = new Prepared(db, sql)
    if (statements.size < 500) statements.set(sql, statement)
  }
  return statement.all(values)
}
