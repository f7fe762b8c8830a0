/**
 * The mark of a database: another after every commit of any process, and the same otherwise.
 */
import { setImmediate as yieldLoop } from 'node:timers/promises'
import { DatabaseSync } from '@photostructure/sqlite'
import { describe, expect, test } from 'vitest'
import { openDatabase } from '../../src/store/database.ts'
import { postgres, sqlite, useStore } from '../kit/backends.ts'

const statement = (sql: string) => ({ sql, name: sql })

describe('on SQLite', () => {
  const store = useStore(sqlite)

  test('stands while nothing is committed, and moves with every commit', async () => {
    const { db, place } = store
    const marks = [db.commitVersion()]
    for (let i = 0; i < 20; i++) await db.all(statement('select * from organization'), [])
    expect(db.commitVersion()).toBe(marks[0])
    const other = new DatabaseSync(place.location)
    other.exec('create table noted (at integer)')
    marks.push(db.commitVersion())
    for (let i = 0; i < 50; i++) {
      if (i % 2 === 0) {
        other.exec(`insert into noted values (${i})`)
      } else await db.run(statement('insert into noted values (?)'), [i])
      const now = db.commitVersion()
      // The same commit is told once.
      expect(db.commitVersion()).toBe(now)
      marks.push(now)
      const rows = await db.all(statement('select count(*) as count from noted'), [])
      expect(rows[0]?.count).toBe(i + 1)
    }
    expect(new Set(marks).size).toBe(marks.length)
    await expect(db.transaction(() => Promise.reject(new Error('given up')))).rejects.toThrow('given up')
    expect(db.commitVersion()).toBe(marks.at(-1))
    // The log starts anew, and the mark still tells.
    other.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    const after = db.commitVersion()
    other.exec('insert into noted values (99)')
    expect(db.commitVersion()).not.toBe(after)
    other.close()
  })
})

describe('on PostgreSQL, where it is asked for', () => {
  const store = useStore(postgres)

  test('stands while nothing is committed, and moves with every commit of this process or another', async () => {
    const { db, place } = store
    const other = await openDatabase({ location: place.location })
    try {
      await db.script('create table noted (at integer)')
      const insert = statement('insert into noted values ($1)')
      const marks = [await db.readCommitVersion()]
      await db.all(statement('select * from organization'), [])
      // One question for all who ask in a turn, so whatever else happens on the server they hear the same.
      const again = await Promise.all([db.readCommitVersion(), db.readCommitVersion(), db.readCommitVersion()])
      expect(new Set(again).size).toBe(1)
      for (let i = 0; i < 20; i++) {
        await (i % 2 === 0 ? other : db).run(insert, [i])
        // Some ask while a question is under way: what they get was asked after they came.
        const [first] = await Promise.all([db.readCommitVersion(), yieldLoop().then(() => db.readCommitVersion())])
        marks.push(first)
      }
      expect(new Set(marks).size).toBe(marks.length)
      // Who asked before a commit may be told of it; who asks after it always is.
      const before = db.readCommitVersion()
      await yieldLoop()
      const committed = other.run(insert, [99])
      await committed
      expect(await db.readCommitVersion()).not.toBe(marks.at(-1))
      await before
    } finally {
      await other.close()
    }
  })
})
