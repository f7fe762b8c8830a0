/** The mark of a database: another after every commit, of this connection or another process's, and the same otherwise. */
import { DatabaseSync } from '@photostructure/sqlite'
import { expect, test } from 'vitest'
import { sqlite, useStore } from '../kit/backends.ts'

const store = useStore(sqlite)
const statement = (sql: string) => ({ sql, name: sql })

test('stands while nothing is committed, and moves with every commit', async () => {
  const { db, place } = store
  const marks = [db.mark()]
  for (let i = 0; i < 20; i++) await db.all(statement('select * from organization'), [])
  expect(db.mark()).toBe(marks[0])
  const other = new DatabaseSync(place.location)
  other.exec('create table noted (at integer)')
  marks.push(db.mark())
  for (let i = 0; i < 50; i++) {
    if (i % 2 === 0) other.exec(`insert into noted values (${i})`)
    else await db.run(statement('insert into noted values (?)'), [i])
    const now = db.mark()
    // The same commit is told once.
    expect(db.mark()).toBe(now)
    marks.push(now)
    const rows = await db.all(statement('select count(*) as count from noted'), [])
    expect(rows[0]?.count).toBe(i + 1)
  }
  expect(new Set(marks).size).toBe(marks.length)
  await expect(db.transaction(() => Promise.reject(new Error('given up')))).rejects.toThrow('given up')
  expect(db.mark()).toBe(marks.at(-1))
  // The log starts anew, and the mark still tells.
  other.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  const after = db.mark()
  other.exec('insert into noted values (99)')
  expect(db.mark()).not.toBe(after)
  other.close()
})
