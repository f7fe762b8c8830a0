/** The inside of the reading thread: a connection of its own that answers questions one by one. */
import { parentPort, workerData } from 'node:worker_threads'
import { DatabaseSync } from '@photostructure/sqlite'
import type { Row } from './database.ts'
import { pragmas } from './engines/sqlite.ts'
import type { Checkpoint, ReaderReply, ReaderRequest } from './reader.ts'

const db = new DatabaseSync(workerData.location)
for (const pragma of pragmas) db.exec(pragma)
const statements = new Map<string, ReturnType<typeof db.prepare>>()

parentPort?.on('message', (request: ReaderRequest) => {
  if ('checkpoint' in request) {
    try {
      checkpoint(request.checkpoint)
    } finally {
      parentPort?.postMessage({ checkpointed: true } satisfies ReaderReply)
    }
    return
  }
  parentPort?.postMessage(answer(request))
})

/** Writers wait for a restart only: by then almost everything is done. */
function checkpoint(kind: Checkpoint): void {
  db.exec('PRAGMA wal_checkpoint(PASSIVE)')
  if (kind === 'passive') return
  db.exec('PRAGMA busy_timeout = 100')
  try {
    db.exec('PRAGMA wal_checkpoint(RESTART)')
  } finally {
    for (const pragma of pragmas) db.exec(pragma)
  }
}

function answer({ id, sql, values }: Extract<ReaderRequest, { id: number }>): ReaderReply {
  try {
    let statement = statements.get(sql)
    if (!statement) {
      statement = db.prepare(sql)
      if (statements.size < 500) statements.set(sql, statement)
    }
    return { id, rows: statement.all(...values) as Row[] }
  } catch (error) {
    return { id, error: error instanceof Error ? error.message : String(error) }
  }
}
