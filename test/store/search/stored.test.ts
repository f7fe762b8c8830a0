/** How the search index is stored: texts packed, by an edit only where it changed something, and the same answers whatever the form. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Connection, Database, Statement, Value } from '../../../src/store/database.ts'
import { packNextSections } from '../../../src/store/packed/packing.ts'
import { packShort, unpackShort } from '../../../src/store/packed/short-texts.ts'
import { indexedPages } from '../../../src/store/search-index/inspect.ts'
import type { SearchablePage } from '../../../src/store/search-index/prepare.ts'
import { searchAnew } from '../../../src/store/search-index/search.ts'
import { putPages } from '../../../src/store/search-index/write.ts'
import { eachBackend, useStore } from '../../kit/backends.ts'
import { pages, questions } from './corpus.ts'

test('short texts come back, joined in any number, and a form of a later version is refused', () => {
  const text = fc.string({ unit: 'binary', maxLength: 400 }).map((s) => s.replaceAll('\0', ' ').toWellFormed())
  fc.assert(
    fc.property(fc.array(fc.tuple(text, fc.nat(40)), { maxLength: 8 }), (parts) => {
      const texts = parts.map(([part, times]) => part.repeat(times)).filter((part) => packShort(part) !== undefined)
      expect(unpackShort(texts.flatMap((part) => packShort(part) ?? []))).toEqual(texts)
    }),
    { numRuns: 200 },
  )
  const packed = packShort('word '.repeat(100))
  expect(packed?.length).toBeLessThan(60)
  expect(() => unpackShort([Uint8Array.from(packed ?? []).fill(9, 0, 1)])).toThrow('which this version cannot read')
})

const long = (words: string): string => `${words} `.repeat(20).trim()
const manual = (sections: readonly string[], more: Partial<SearchablePage> = {}): SearchablePage => ({
  pageId: 'manual',
  title: 'Manual',
  hidden: false,
  sections: sections.map((body, i) => ({ anchor: `part-${i}`, title: `Part ${i}`, body: long(body) })),
  ...more,
})

eachBackend((backend) => {
  const store = useStore(backend)
  const put = (given: readonly SearchablePage[]) => store.db.transaction((tx) => putPages(tx, 'space', given))
  const answerOf = (query: string) =>
    searchAnew(store.db.slow, { spaces: ['space'], query, limit: 50, includeHidden: true })
  const texts = async (db: Database) =>
    (await db.all({ sql: 'select * from "searchText" order by "number"', name: '' }, [])).map((row) => ({ ...row }))

  test('texts of an older version are found, packed in steps, and found the same', async () => {
    await put(pages.map((page) => ({ ...page, sections: page.sections.map((s) => ({ ...s, body: long(s.body) })) })))
    const { db } = store
    const indexed = async () => {
      const all = []
      for await (const page of indexedPages(db, 'space')) all.push(page)
      return all
    }
    const packed = { rows: await texts(db), pages: await indexed(), answers: [] as unknown[] }
    for (const [query] of questions) packed.answers.push(await answerOf(query))
    expect(packed.rows.filter((row) => row.packed !== null).length).toBeGreaterThan(5)
    // As that version left them.
    const numbers = packed.rows.map((row) => Number(row.number))
    const bodies = packed.pages.flatMap((page) => page.entries.map(({ body }) => body))
    const [body, number] = db.engine === 'sqlite' ? ['?', '?'] : ['$1', '$2']
    const sql = `update "searchText" set "body" = ${body}, "packed" = null where "number" = ${number}`
    for (const [i, at] of numbers.entries()) await db.run({ sql, name: '' }, [bodies[i] ?? '', at])
    expect(await indexed()).toEqual(packed.pages)
    for (const [i, [query]] of questions.entries()) expect(await answerOf(query)).toEqual(packed.answers[i])
    for (let after: number | undefined = -1; after !== undefined; ) after = await packNextSections(db, after)
    expect(await texts(db)).toEqual(packed.rows)
    for (const [i, [query]] of questions.entries()) expect(await answerOf(query)).toEqual(packed.answers[i])
  })

  test('an edit writes the sections it changed and no others', async () => {
    await put([manual(['one apple', 'two pears', 'three plums'])])
    const written: number[] = []
    await store.db.transaction((tx) =>
      putPages(recording(tx, written), 'space', [manual(['one apple', 'two quinces', 'three plums'])]),
    )
    expect(written).toEqual([1])
    expect((await answerOf('pears')).count).toBe(0)
    expect((await answerOf('quinces')).pages.map(({ pageId }) => pageId)).toEqual(['manual'])
    // Every entry carries the title, that of what comes before the first heading too.
    await store.db.transaction((tx) =>
      putPages(recording(tx, written), 'space', [manual(['one apple', 'two quinces'], { title: 'Guide' })]),
    )
    expect(written).toEqual([1, 3])
    expect((await answerOf('guide apple')).count).toBe(1)
    expect((await answerOf('plums')).count).toBe(0)
  })

  test('whatever edits led to a page, it is found as if it had been written at once', async () => {
    const word = fc.constantFrom('apple', 'pear', 'plum', 'quince', 'fig')
    const version = fc.record({
      sections: fc.array(word, { maxLength: 5 }),
      title: fc.constantFrom('Manual', 'Guide'),
      hidden: fc.boolean(),
    })
    let spaces = 0
    const look = async (spaceId: string) => {
      const stored = []
      for await (const page of indexedPages(store.db, spaceId)) stored.push(page)
      const found = []
      for (const query of ['apple', 'pear plum', 'guide fig', '"quince quince"', 'manual'])
        for (const includeHidden of [true, false]) {
          const { pages: hits } = await searchAnew(store.db.slow, { spaces: [spaceId], query, limit: 9, includeHidden })
          found.push(hits.map(({ pageId, sections }) => ({ pageId, sections })))
        }
      return { stored, found }
    }
    await fc.assert(
      fc.asyncProperty(fc.array(version, { minLength: 2, maxLength: 4 }), async (versions) => {
        spaces += 1
        const [edited, written] = [`edited-${spaces}`, `written-${spaces}`]
        const all = versions.map(({ sections, ...more }) => manual(sections, more))
        for (const page of all) await store.db.transaction((tx) => putPages(tx, edited, [page]))
        await store.db.transaction((tx) => putPages(tx, written, all.slice(-1)))
        expect(await look(edited)).toEqual(await look(written))
      }),
      { numRuns: 12 },
    )
  })
})

/** Notes how many entries each write to the index holds. */
const recording = (tx: Connection, written: number[]): Connection =>
  new Proxy(tx, {
    get(target, name) {
      const own = Reflect.get(target, name, target)
      if (name !== 'run') return typeof own === 'function' ? own.bind(target) : own
      return (statement: Statement, values: readonly Value[]) => {
        if (statement.name === 'search_insert_entries') written.push(JSON.parse(String(values[0])).length)
        return target.run(statement, values)
      }
    },
  })
