import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { corpus, wordOf } from '../../../bench/kit/corpus.ts'
import type { Connection, Database } from '../../../src/store/database.ts'
import type { SearchablePage } from '../../../src/store/search-index/prepare.ts'
import { type SearchAnswer, type SearchRequest, search } from '../../../src/store/search-index/search.ts'
import { putPages, removePages, removeSpace } from '../../../src/store/search-index/write.ts'
import { type Backend, backends, eachBackend, useStore } from '../../kit/backends.ts'
import { page, pages, questions } from './corpus.ts'

interface Store {
  readonly db: Database
}

/** Twenty strings each; 1,000 for a thorough look. */
const hostileRuns = Number(process.env.HOSTILE_RUNS ?? 25)

const put = ({ db }: Store, spaceId: string, given: readonly SearchablePage[]) =>
  db.transaction((tx) => putPages(tx, spaceId, given))

const ask = ({ db }: Store, query: string, more: Partial<SearchRequest> = {}): Promise<SearchAnswer> =>
  search({ db, slow: db.slow }, { spaces: ['space'], query, limit: 50, includeHidden: false, ...more })

const ids = (answer: SearchAnswer): string => answer.pages.map((hit) => hit.pageId).join(' ')

eachBackend((backend: Backend) => {
  describe('writing', () => {
    const store = useStore(backend)

    it('puts new pages beside known ones that were the last', async () => {
      await put(store, 'space', [page('one', 'Apple')])
      await put(store, 'space', [page('one', 'Pear'), page('two', 'Plum')])
      await put(store, 'space', [page('three', 'Fig'), page('two', 'Quince')])
      expect(ids(await ask(store, 'pear'))).toBe('one')
      expect(ids(await ask(store, 'quince'))).toBe('two')
      expect(ids(await ask(store, 'fig'))).toBe('three')
      expect(ids(await ask(store, 'apple'))).toBe('')
    })
  })

  describe('a shared corpus', () => {
    const store = useStore(backend)
    beforeAll(() => put(store, 'space', pages))

    it.each(questions)('%j finds %j', async (query, expected) => {
      const answer = await ask(store, query)
      expect(ids(answer)).toBe(expected)
      expect(answer.count).toBe(answer.pages.length)
      expect(answer.next).toBeUndefined()
    })

    it('shows the sections that match, with what matched', async () => {
      const [hit] = (await ask(store, 'docker volume')).pages
      expect(hit).toMatchObject({ spaceId: 'space', pageId: 'install', title: 'Install' })
      expect(hit?.sections.map((section) => section.anchor)).toEqual(['docker'])
      const [section] = hit?.sections ?? []
      expect(section?.title).toBe('Docker')
      expect(section?.highlights.map(([start, end]) => section.text.slice(start, end))).toEqual(['Docker', 'volume'])
    })

    it('highlights what was written, not how it was typed', async () => {
      const marked = async (query: string): Promise<string[]> =>
        (await ask(store, query)).pages.flatMap((hit) =>
          hit.sections.flatMap(({ text, highlights }) => highlights.map(([start, end]) => text.slice(start, end))),
        )
      expect(await marked('creme')).toEqual(['crème'])
      expect(await marked('nodejs')).toEqual(['Node.js'])
      expect(await marked('検索')).toEqual(['検索', '検索'])
      expect(await marked('pool_size')).toEqual(['pool_size'])
      expect(await marked('serverconf')).toEqual(['ServerConf'])
    })

    it('shows no section when only the title matches', async () => {
      expect((await ask(store, 'overview')).pages).toMatchObject([{ pageId: 'described', sections: [] }])
    })

    it('finds hidden pages only for those who ask for them', async () => {
      expect(ids(await ask(store, 'treasure', { includeHidden: true }))).toBe('secret')
      expect((await ask(store, 'docker', { includeHidden: true })).count).toBe(4)
      expect((await ask(store, 'docker')).count).toBe(3)
    })
  })

  describe('the spaces searched', () => {
    const store = useStore(backend)
    beforeAll(async () => {
      await put(store, 'one', [page('a', 'Shared word', { '': 'alphabetical' })])
      await put(store, 'two', [page('b', 'Shared word', { '': 'betabetical' }), page('a', 'Same id')])
      await put(store, 'three', [page('c', 'Shared word', {}, { hidden: true })])
    })

    it('are the only ones found and counted', async () => {
      const found = async (spaces: string[]) => {
        const { pages: hits, count, spaces: inSpaces } = await ask(store, 'shared', { spaces })
        return [hits.map((hit) => `${hit.spaceId}/${hit.pageId}`).join(' '), count, inSpaces]
      }
      expect(await found(['one'])).toEqual(['one/a', 1, 1])
      expect(await found(['two', 'one'])).toEqual(['one/a two/b', 2, 2])
      expect(await found(['three'])).toEqual(['', 0, 0])
      expect(await found(['three', 'unknown'])).toEqual(['', 0, 0])
      expect(await found(["one' or 1=1 --", '"', '\\'])).toEqual(['', 0, 0])
      expect(await found([])).toEqual(['', 0, 0])
      const many = Array.from({ length: 10_000 }, (_, i) => `other${i}`)
      expect(await found([...many, 'two'])).toEqual(['two/b', 1, 1])
    })

    it('keep their places from pages of others between them', async () => {
      const crowd = Array.from({ length: 60 }, (_, i) => page(`crowd${i}`, 'Crowded place'))
      await put(store, 'before', [page('first', 'Crowded place')])
      await put(store, 'between', crowd)
      await put(store, 'behind', [page('last', 'Crowded place')])
      const answer = await ask(store, 'crowded', { spaces: ['before', 'behind'] })
      expect([ids(answer), answer.count]).toEqual(['first last', 2])
    })

    it('lend no words to each other', async () => {
      expect(ids(await ask(store, 'phabetic', { spaces: ['one'] }))).toBe('a')
      expect(ids(await ask(store, 'phabetic', { spaces: ['two'] }))).toBe('')
      expect(ids(await ask(store, 'abetical', { spaces: ['two'] }))).toBe('b')
    })
  })

  describe('a change', () => {
    const store = useStore(backend)

    it('is found at once, and what it replaced is not', async () => {
      await put(store, 'space', [page('a', 'First', { '': 'oldword' }), page('b', 'Second', { '': 'oldword' })])
      expect(ids(await ask(store, 'oldword'))).toBe('a b')
      await put(store, 'space', [page('a', 'First', { '': 'newword', More: 'newword', Third: 'more' })])
      expect(ids(await ask(store, 'oldword'))).toBe('b')
      expect(ids(await ask(store, 'newword'))).toBe('a')
      await put(store, 'space', [page('a', 'First', { '': 'newword' }, { hidden: true })])
      expect((await ask(store, 'newword')).count).toBe(0)
      expect((await ask(store, 'third')).count).toBe(0)
      await store.db.transaction((tx) => removePages(tx, 'space', ['b', 'unknown']))
      expect((await ask(store, 'oldword')).count).toBe(0)
    })

    it('is seen inside its transaction, and by nobody once rolled back', async () => {
      const within = (tx: Connection) =>
        search({ db: tx, slow: tx }, { spaces: ['space'], query: 'rolled', limit: 10, includeHidden: false })
      const failed = store.db.transaction(async (tx) => {
        await putPages(tx, 'space', [page('r', 'Rolled back', { '': 'rolled' })])
        expect(ids(await within(tx))).toBe('r')
        throw new Error('no')
      })
      await expect(failed).rejects.toThrow('no')
      expect((await ask(store, 'rolled')).count).toBe(0)
      expect((await ask(store, 'rolle')).count).toBe(0)
    })

    it('of a page given twice keeps the last', async () => {
      await put(store, 'twice', [page('a', 'Before'), page('a', 'Behind')])
      expect((await ask(store, 'before', { spaces: ['twice'] })).count).toBe(0)
      expect((await ask(store, 'behind', { spaces: ['twice'] })).count).toBe(1)
    })

    it('removes a whole space, and the space can come back', async () => {
      const many = Array.from({ length: 450 }, (_, i) => page(`p${i}`, `Page ${i}`, { '': 'everywhere', More: 'text' }))
      await put(store, 'gone', many)
      expect((await ask(store, 'everywhere', { spaces: ['gone'] })).count).toBe(450)
      await store.db.transaction((tx) => removeSpace(tx, 'gone'))
      await store.db.transaction((tx) => removeSpace(tx, 'gone'))
      expect((await ask(store, 'everywhere', { spaces: ['gone'] })).count).toBe(0)
      // On PostgreSQL the last holds only what an older version wrote.
      for (const table of ['searchPage', 'searchText', 'searchWord', 'searchIndex']) {
        const number = table === 'searchWord' ? '"space"' : table === 'searchPage' ? '"number" / 2097152' : ''
        const column = number || (table === 'searchIndex' && store.db.engine === 'sqlite' ? 'rowid' : '"number"')
        const rows = await store.db.all(
          { sql: `select ${column} as n from "${table}" order by 1 desc limit 1`, name: '' },
          [],
        )
        const top = Number(rows[0]?.n ?? 0)
        expect(top).toBeLessThan(number ? 3 : 3 * 2 ** 33)
      }
      await put(store, 'gone', many.slice(0, 3))
      expect((await ask(store, 'everywhere', { spaces: ['gone'] })).count).toBe(3)
    })
  })

  describe('a kept answer', () => {
    const store = useStore(backend)

    it('stands until its own spaces change', async () => {
      const asked = (spaces: string[]) => ask(store, 'keptword', { spaces })
      await put(store, 'kept', [page('a', 'A', { '': 'keptword' })])
      await put(store, 'other', [page('b', 'B', { '': 'keptword' })])
      const [one, both] = [await asked(['kept']), await asked(['kept', 'other'])]
      expect(await asked(['kept'])).toBe(one)
      expect(await asked(['kept', 'other'])).toBe(both)
      await put(store, 'other', [page('c', 'C', { '': 'keptword' })])
      expect(await asked(['kept'])).toBe(one)
      expect(ids(await asked(['kept', 'other']))).toBe('a b c')
      // Gone and made anew: the space may get the number it had.
      await store.db.transaction((tx) => removeSpace(tx, 'other'))
      expect(ids(await asked(['kept', 'other']))).toBe('a')
      await put(store, 'other', [page('d', 'D', { '': 'keptword' })])
      expect(ids(await asked(['kept', 'other']))).toBe('a d')
    })
  })

  describe('what is large', () => {
    const store = useStore(backend)

    it('is indexed to its end', async () => {
      const filler = 'the lazy dog sleeps '.repeat(26_000)
      const body = `beginning ${filler} middleword ${filler} endword`
      await put(store, 'space', [page('long', 'Long', { '': body, 'A heading': `${'数据'.repeat(30_000)}尾` })])
      for (const query of ['beginning', 'middleword', 'endword', '"lazy dog"', '尾', 'beginning endword']) {
        expect([query, ids(await ask(store, query))]).toEqual([query, 'long'])
      }
      const [hit] = (await ask(store, 'endword')).pages
      expect(hit?.sections).toHaveLength(1)
      expect(hit?.sections[0]?.text.length).toBeLessThan(260)
    })

    it('may be one word, one repeated, or of thousands of headings', async () => {
      const headings = Object.fromEntries(
        Array.from({ length: 6000 }, (_, i) => [`Heading ${i} of very many`, `body${i} extra`]),
      )
      await put(store, 'odd', [
        page('plain', 'Plain', { '': 'heading body2040 extra '.repeat(2) }),
        page('word', 'x'.repeat(2000), { '': 'y'.repeat(1_000_000) }),
        page('same', 'Same', { '': 'again '.repeat(1500) }),
        page('many', 'Many', headings),
      ])
      const found = async (query: string) => ids(await ask(store, query, { spaces: ['odd'] }))
      expect(await found('x'.repeat(500))).toBe('word')
      expect(await found('yyyyyyyy')).toBe('word')
      expect(await found('"again again again"')).toBe('same')
      expect(await found('body5999')).toBe('many')
      // More headings have the word than are listed at once; it still counts more than in a text.
      expect(await found('heading body2040 "extra"')).toBe('many plain')
    })
  })

  describe('paging', () => {
    const store = useStore(backend)
    beforeAll(() => put(store, 'space', [...corpus({ pages: 180, sections: 3 })]))
    const query = `${wordOf(2)}`

    const walk = async (limit: number): Promise<string[]> => {
      const found: string[] = []
      for (let after: SearchRequest['after']; ; ) {
        const answer = await ask(store, query, { limit, after })
        found.push(...answer.pages.map((hit) => hit.pageId))
        expect(answer.count).toBe(177)
        if (!answer.next) return found
        after = answer.next
      }
    }

    it('reaches every page once, in the same order whatever the step', async () => {
      const whole = await walk(1000)
      expect(whole).toHaveLength(177)
      expect(new Set(whole).size).toBe(177)
      expect(await walk(7)).toEqual(whole)
      expect(await walk(50)).toEqual(whole)
    })

    it('goes on behind the last page when that has moved a little', async () => {
      const first = await ask(store, query, { limit: 10 })
      const gone = first.pages[3]?.pageId ?? ''
      const seen = await ask(store, query, { limit: 11, after: undefined })
      await store.db.transaction((tx) => removePages(tx, 'space', [gone]))
      const second = await ask(store, query, { limit: 1, after: first.next })
      expect(second.pages[0]?.pageId).toBe(seen.pages[10]?.pageId)
    })

    it('answers a place beyond the end, or none at all, without a page', async () => {
      const beyond = await ask(store, query, { limit: 10, after: { key: '100000', id: 'x' } })
      expect([beyond.pages.length, beyond.next]).toEqual([0, undefined])
      const odd = await ask(store, query, { limit: 10, after: { key: 'NaN', id: 'x' } })
      expect(odd.pages).toHaveLength(10)
    })
  })
})

describe('both engines', () => {
  const stores = backends.map(useStore)
  beforeAll(async () => {
    for (const store of stores) {
      await put(store, 'space', pages)
      await put(store, 'space', [...corpus({ pages: 120, sections: 3, seed: 5 })])
    }
  })
  const both = async (query: string): Promise<[SearchAnswer, SearchAnswer | undefined]> => {
    const [first, second] = await Promise.all(stores.map((store) => ask(store, query, { limit: 20 })))
    if (!first) throw new Error('There is no engine to test.')
    return [first, second]
  }

  const word = fc.nat(4000).map(wordOf)
  const part = fc.tuple(word, fc.nat(3), fc.nat(3)).map(([text, a, b]) => text.slice(a, text.length - b))
  const piece = fc.oneof(
    word,
    part,
    fc.tuple(word, word).map(([a, b]) => `"${a} ${b}"`),
    fc.constantFrom('docker', '検索', '据', 'userName', 'max_pool_size', 'node.js', 'C++', '"日本語"', '🚀', 'café'),
  )

  it('find the same, in the same order, with the same snippets', () =>
    fc.assert(
      fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 4 }), async (parts) => {
        const [first, second] = await both(parts.join(' '))
        expect(second).toEqual(first)
      }),
      { numRuns: 150 },
    ))

  const hostile = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc
      .array(
        fc.constantFrom(
          ...[
            '"',
            "'",
            '*',
            '(',
            ')',
            ':',
            '^',
            '-',
            '+',
            'NEAR(',
            ' OR ',
            ' AND ',
            ' NOT ',
            'words:',
            '{marks}',
            ':*',
          ],
          ...[
            '<->',
            '&',
            '|',
            '!',
            '\\',
            '%',
            '_',
            '\0',
            ';',
            '--',
            '$1',
            '?',
            '~',
            '@',
            '=',
            '<',
            'a',
            'docker',
            '日',
          ],
          ...['\ud800', '\u202e', 'İ', 'ß', '🚀', '\u0301', '../', "'; drop table x; --", ' '],
        ),
        { maxLength: 40 },
      )
      .map((parts) => parts.join('')),
    fc.string({ unit: 'grapheme', minLength: 500, maxLength: 600 }),
  )

  it('answer every string, and answer the same', { timeout: 60_000 + hostileRuns * 2000 }, () =>
    fc.assert(
      fc.asyncProperty(fc.array(hostile, { minLength: 20, maxLength: 20 }), async (queries) => {
        for (const [first, second] of await Promise.all(queries.map(both))) expect(second).toEqual(first)
      }),
      { numRuns: hostileRuns },
    ),
  )
})
