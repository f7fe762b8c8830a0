/** Content as an older version wrote it: readable at once, packed in steps, the same in the end wherever it was stopped. */

import { expect, test, vi } from 'vitest'
import { withHeadingIds } from '../../src/core/document/text/heading-ids.ts'
import { readContent } from '../../src/store/content/content.ts'
import { contentHash } from '../../src/store/content/content-hash.ts'
import { type Database, openDatabase } from '../../src/store/database.ts'
import { documentText } from '../../src/store/packed/document-text.ts'
import { pack, packOn, unpack, unpackOn } from '../../src/store/packed/pack.ts'
import { packedTables, packNext } from '../../src/store/packed/packing.ts'
import { findPrinted, printedAmong, storePrinted } from '../../src/store/packed/printed.ts'
import { archivedTables, readPages } from '../../src/store/upkeep/rows.ts'
import { removePrinted } from '../../src/store/upkeep/sweep.ts'
import { eachBackend, useStore } from '../kit/backends.ts'
import { useKit } from '../kit/server.ts'

const textOf = (n: number): string =>
  JSON.stringify({
    object: 'document',
    data: { schemaVersion: 8 },
    nodes: [],
    words: `Wörter 文 ${n} `.repeat(1 + (n % 50)),
  })

test('what is packed unpacks to the same text, also when it is long or no document', () => {
  for (const text of ['', 'x', textOf(7), 'ü'.repeat(300_000), JSON.stringify({ '\u2028': '\ud83d\ude00' })])
    expect(unpack(pack(text))).toBe(text)
  expect(pack(textOf(49)).length).toBeLessThan(textOf(49).length / 4)
})

test('a form of a later version is refused with a sentence', () => {
  const other = Uint8Array.from(pack('x'))
  other[0] = 9
  expect(() => unpack(other)).toThrow('which this version cannot read')
})

test('a text that is stored as what it changed in another comes back, also where both have half of the same character', () => {
  const [smile, laugh] = ['\ud83d\ude00', '\ud83d\ude02']
  const long = textOf(149).repeat(5)
  for (const [before, after] of [
    [long, long.replace('Wörter', 'Words')],
    [`${smile}${long}`, `${laugh}${long}`],
    [`${long}${smile}`, `${long}\ud83c\ude00`],
    [long, `${long}${long.slice(0, 100)}`],
    [`${long}aaa`, `${long}aa`],
    [`${long}aa`, `${long}aaaa`],
  ] as const) {
    const packed = packOn(after, { text: before, packed: null })
    expect(packed && unpackOn(packed, before)).toBe(after)
    expect(packed?.length).toBeLessThan(400)
  }
  expect(packOn(textOf(149), { text: textOf(2), packed: null })).toBeUndefined()
})

eachBackend((backend) => {
  const kit = useKit(backend)

  test('saves of a page are stored as what they changed, and every one can be read, in a backup too', async () => {
    const { id: spaceId } = await kit.as.admin.createSpace({
      organizationId: kit.organization,
      body: { title: 'Saved' },
    })
    const markdown = (n: number) =>
      `${'## Part\n\nSome words of a page.\n\n'.repeat(40)}Save ${n}.\n\n## End\n\nThe end.\n`
    const insert = { operation: 'insert_page' as const, title: 'Page', document: { markdown: markdown(0) } }
    const made = await kit.as.admin.updateSpaceContent({ spaceId, body: { changes: [insert] } })
    const shown = made.changes[0]?.page
    const page = typeof shown === 'object' ? shown.id : (shown ?? '')
    const documents = new Map<string, unknown>()
    for (let n = 1; n <= 20; n++) {
      const change = { operation: 'update_page' as const, page, document: { markdown: markdown(n) } }
      await kit.as.admin.updateSpaceContent({ spaceId, body: { changes: [change] } })
      const read = await kit.as.admin.getPageById({ spaceId, pageId: page, query: { format: 'document' } })
      documents.set(read.documentId ?? '', read.document)
    }
    const stored = await kit.db.all({ sql: 'select "hash", "base", "packed" from "document"', name: '' }, [])
    const ours = stored.filter(({ hash }) => documents.has(String(hash)))
    expect(ours.length).toBe(20)
    // Sixteen stand on each other, then one is whole.
    expect(ours.filter(({ base }) => base === null).length).toBe(1)
    for (const { base, packed } of ours)
      if (base !== null && packed instanceof Uint8Array) expect(packed.length).toBeLessThan(200)
    const other = await openDatabase({ location: kit.location })
    for (const [hash, document] of documents) {
      const stored = await readContent(other).document(hash)
      expect(stored && withHeadingIds(stored)).toEqual(document)
      const asked = vi.spyOn(other, 'all')
      expect(contentHash((await documentText(other, hash)) ?? '')).toBe(hash)
      expect(asked.mock.calls.length, 'those that it stands on are asked for together').toBeLessThanOrEqual(2)
      asked.mockRestore()
    }
    const table = (await archivedTables(other)).find(({ name }) => name === 'document')
    expect(table?.columns).toEqual(['hash', 'value', 'writtenAt'])
    if (table)
      for await (const rows of readPages(other, table))
        for (const row of rows) expect(contentHash(String(row.value))).toBe(row.hash)
    await other.close()
  })
})

eachBackend((backend) => {
  const store = useStore(backend)
  const rows = async (db: Database) => {
    const found: Record<string, string> = {}
    for (const table of (await archivedTables(db)).filter(({ name }) => name === 'document'))
      for await (const page of readPages(db, table)) for (const row of page) found[String(row.hash)] = String(row.value)
    return found
  }
  const plainCount = async (db: Database): Promise<number> => {
    const [row] = await db.all({ sql: 'select count(*) as "n" from "document" where "packed" is null', name: '' }, [])
    return Number(row?.n)
  }
  const fill = async (db: Database, count: number): Promise<Record<string, string>> => {
    const texts: Record<string, string> = {}
    for (let n = 0; n < count; n++) {
      const text = textOf(n)
      texts[contentHash(text)] = text
      const sql = `insert into "document" ("hash", "value") values (${db.engine === 'sqlite' ? '?, ?' : '$1, $2'})`
      await db.run({ sql, name: '' }, [contentHash(text), text])
    }
    return texts
  }

  test('rows of an older version are read, packed in steps from wherever the last ended, and the same outside', async () => {
    const { db } = store
    const texts = await fill(db, 130)
    const [hash = '', other = ''] = Object.keys(texts)
    expect(JSON.stringify(await readContent(db).document(hash))).toBe(texts[hash])
    await packNext(db, 'document', '')
    expect(await plainCount(db)).toBe(80)
    expect(await rows(db)).toEqual(texts)
    // As after a kill: from the start, over what is packed already.
    for (let after: string | undefined = ''; after !== undefined; ) after = await packNext(db, 'document', after)
    expect(await plainCount(db)).toBe(0)
    expect(await rows(db)).toEqual(texts)
    expect(JSON.stringify(await readContent(db).document(other))).toBe(texts[other])
    for (const table of packedTables) expect(await packNext(db, table, '')).toBeUndefined()
  })

  test('what a document prints as goes with it, and what another printer made counts for nothing', async () => {
    const { db } = store
    const [kept = '', gone = 'gone'] = [contentHash(textOf(1)), 'gone']
    await storePrinted(db, 'one', new Map([[kept, 'Kept.'], [gone, 'Gone.']])) // biome-ignore format: two
    expect(await findPrinted(db, { hash: kept, printer: 'two' })).toBeUndefined()
    await storePrinted(db, 'two', new Map([[kept, 'Anew.']]))
    expect(await findPrinted(db, { hash: kept, printer: 'two' })).toBe('Anew.')
    await db.transaction((tx) => removePrinted(tx, { after: '', upTo: '~' }))
    expect(await printedAmong(db, { hashes: [kept, gone], printer: 'two' })).toEqual(new Set([kept]))
    expect(await printedAmong(db, { hashes: [kept, gone], printer: 'one' })).toEqual(new Set())
  })
})
