import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Connection, Value } from '../../src/store/database.ts'
import { all, dynamic, dynamicRun, first, oneOf, run } from '../../src/store/query.ts'
import { eachBackend, useStore } from '../kit/backends.ts'

const put = run((b, p: { name: string; value: string }) =>
  b.insertInto('setting').values({ name: p.name, value: p.value }),
)
const byName = first((b, p: { name: string }) => b.selectFrom('setting').selectAll().where('name', '=', p.name))
const either = all((b, p: { text: string }) =>
  b
    .selectFrom('setting')
    .selectAll()
    .where((eb) => eb.or([eb('name', '=', p.text), eb('value', '=', p.text)]))
    .orderBy('name'),
)
const nothing = all((b) => b.selectFrom('setting').selectAll().where('name', '=', 'fixed'))

/** What a query asks, instead of its answer. */
async function askedBy(
  db: Connection,
  query: (db: Connection) => Promise<unknown>,
): Promise<{ sql: string; values: readonly Value[] }> {
  let asked: { sql: string; values: readonly Value[] } | undefined
  const all: Connection['all'] = async ({ sql }, values) => {
    asked = { sql, values }
    return []
  }
  await query({ engine: db.engine, caches: db.caches, threads: db.threads, all, run: async () => 0 })
  if (!asked) throw new Error('Nothing was asked.')
  return asked
}

eachBackend((backend) => {
  const store = useStore(backend)

  test('fills in named parameters, wherever and however often they stand', async () => {
    await put(store.db, { name: 'one', value: 'x' })
    await put(store.db, { name: 'x', value: 'y' })
    expect(await byName(store.db, { name: 'one' })).toEqual({ name: 'one', value: 'x' })
    expect(await either(store.db, { text: 'x' })).toEqual([
      { name: 'one', value: 'x' },
      { name: 'x', value: 'y' },
    ])
    expect(await byName(store.db, { name: 'none' })).toBeUndefined()
  })

  test('takes no parameters where there are none', async () => {
    await put(store.db, { name: 'fixed', value: 'z' })
    expect(await nothing(store.db)).toEqual([{ name: 'fixed', value: 'z' }])
  })

  test('keeps any text as it is', async () => {
    const texts = [
      "'; drop table setting; --",
      '"quoted"',
      '\\',
      '%_',
      '組織 🪑',
      '\u{10ffff}',
      ' \n\t',
      '',
      '$1',
      '?',
      'null',
      "e'\\x00'",
    ]
    for (const [i, value] of texts.entries()) {
      await put(store.db, { name: `text-${i}`, value })
      expect((await byName(store.db, { name: `text-${i}` }))?.value).toBe(value)
    }
  })

  test('says how many rows a write changed', async () => {
    const clear = () => dynamicRun(store.db, (b) => b.deleteFrom('setting').where('name', 'like', 'text-%'))
    expect(await clear()).toBe(12)
    expect(await clear()).toBe(0)
  })

  test('takes a list of any length with one statement', async () => {
    const names = ['one', ...Array.from({ length: 5000 }, (_, i) => `many ${i} "'\\`), '組織']
    await put(store.db, { name: '組織', value: 'w' })
    for (const list of [names, ['one', '組織'], ['one', 'one', '組織']]) {
      const found = await dynamic(store.db, (b) =>
        b
          .selectFrom('setting')
          .select('name')
          .where(oneOf(sql.ref('name'), JSON.stringify(list), store.db.engine))
          .orderBy('name'),
      )
      expect(found.map((row) => row.name)).toEqual(['one', '組織'])
    }
    const none = await dynamic(store.db, (b) =>
      b
        .selectFrom('setting')
        .selectAll()
        .where(oneOf(sql.ref('name'), '[]', store.db.engine)),
    )
    expect(none).toEqual([])
  })

  test('refuses what is no value', async () => {
    const wrong = { name: 'object', value: { toString: () => 'x' } as unknown as string }
    expect(() => put(store.db, wrong)).toThrow('where the database takes text')
    expect(await byName(store.db, { name: 'object' })).toBeUndefined()
  })

  test('sorts text by code point', async () => {
    for (const name of ['sort-b', 'sort-B', 'sort-a', 'sort-Z', 'sort-é', 'sort-1', 'sort-_'])
      await put(store.db, { name, value: '' })
    const rows = await dynamic(store.db, (b) =>
      b.selectFrom('setting').select('name').where('name', 'like', 'sort-%').orderBy('name'),
    )
    expect(rows.map((row) => row.name)).toEqual(['sort-1', 'sort-B', 'sort-Z', 'sort-_', 'sort-a', 'sort-b', 'sort-é'])
  })

  test('counts as numbers', async () => {
    const rows = await dynamic(store.db, (b) => b.selectFrom('setting').select(sql<number>`count(*)`.as('count')))
    expect(rows[0]?.count).toBeTypeOf('number')
  })

  test.runIf(backend.name === 'postgres')(
    'looks the texts of a list up in an index, however large the table',
    async () => {
      await store.db.script(`
      insert into "setting" ("name", "value") select 'row-' || n, '' from generate_series(1, 20000) as n;
      analyze "setting";
    `)
      const names = JSON.stringify(['row-1', 'row-2'])
      const { sql: asked, values } = await askedBy(store.db, (db) =>
        dynamic(db, (b) =>
          b
            .selectFrom('setting')
            .selectAll()
            .where(oneOf(sql.ref('name'), names, 'postgres')),
        ),
      )
      const plan = await store.db.all({ name: 'explained', sql: `explain ${asked}` }, values)
      const text = plan.map((row) => row['QUERY PLAN']).join('\n')
      expect(text).toMatch(/Index/)
      expect(text).not.toMatch(/Seq Scan/)
    },
  )
})
