/** The sweep removes what nothing refers to, and nothing else, also beside writers that need it again. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test, vi } from 'vitest'
import { makeDocument, paragraph } from '../../src/core/document/tree/make.ts'
import { emptyContent, putPages } from '../../src/core/revision/content.ts'
import type { PageRecord } from '../../src/core/revision/records.ts'
import type { JobRun } from '../../src/jobs/kinds.ts'
import { makeSweep, type SweepOptions } from '../../src/jobs/sweep.ts'
import { makeLog } from '../../src/platform/log.ts'
import { sweptRows } from '../../src/platform/metrics.ts'
import { openContent } from '../../src/store/content/content.ts'
import { insertRevision } from '../../src/store/content/revisions.ts'
import type { Connection, Row, Value } from '../../src/store/database.ts'
import { unpack } from '../../src/store/packed/pack.ts'
import { purgeSpace } from '../../src/store/upkeep/purge.ts'
import { dropNote, readNote, writeNote } from '../../src/store/upkeep/sweep.ts'
import { eachBackend } from '../kit/backends.ts'
import { type Kit, useKit } from '../kit/server.ts'

const hour = 60 * 60 * 1000
/** How long writers and sweeps go on beside each other. */
const raceMilliseconds = Number(process.env.SWEEP_SECONDS ?? 6) * 1000

eachBackend((backend) => {
  const kit = useKit(backend)
  afterEach(() => void vi.useRealTimers())

  const query = (sql: string, values: Value[] = []): Promise<Row[]> =>
    kit.db.all({ sql: spelt(kit, sql), name: '' }, values)
  const countOf = async (table: string): Promise<number> =>
    Number((await query(`select count(*) as "count" from "${table}"`))[0]?.count)
  const run = (options: Partial<SweepOptions> = {}, signal = new AbortController().signal) => {
    // Everything is old enough, unless a test says otherwise.
    const kind = makeSweep({ graceMilliseconds: -hour, pauseMilliseconds: 0, step: 20, ...options })
    const job: Partial<JobRun<unknown>> = { db: kit.db, env: kit.env, log: makeLog('silent'), signal }
    return kind.run(job as JobRun<unknown>)
  }

  const filled = async (words: string): Promise<string> => {
    const { id } = await kit.as.admin.createSpace({ organizationId: kit.organization, body: { title: words } })
    const base64 = Buffer.from(`bytes of ${words}`).toString('base64')
    await kit.as.admin.updateSpaceContent({
      spaceId: id,
      body: {
        changes: [
          { operation: 'insert_files', files: [{ name: 'a.txt', contentType: 'text/plain', base64 }] },
          ...Array.from({ length: 40 }, (_, at) => ({
            operation: 'insert_page' as const,
            title: `${words} ${at}`,
            document: { markdown: `${words} ${at}` },
          })),
        ],
      },
    })
    return id
  }
  const purge = async (spaceId: string): Promise<void> => {
    await kit.as.admin.deleteSpaceById({ spaceId })
    const deletedBefore = new Date(Date.now() + 400 * 24 * hour).toISOString()
    await kit.db.transaction((tx) => purgeSpace(tx, { id: spaceId, deletedBefore }))
  }
  /** As a purge does it. */
  const forget = (revision: string, spaceId: string) =>
    kit.db.transaction(async (tx) => {
      await tx.run({ sql: spelt(kit, 'delete from "revision" where "id" = ?'), name: '' }, [revision])
      await tx.run({ sql: spelt(kit, 'delete from "spaceDocument" where "spaceId" = ?'), name: '' }, [spaceId])
    })
  const blobs = async (): Promise<string[]> => {
    const found: string[] = []
    for await (const { hash } of kit.env.blobs.list()) found.push(hash)
    return found
  }

  test('a revision whose place another took goes, unless something refers to it', async () => {
    const spaceId = await filled('amended')
    const { pages } = await kit.as.admin.listPages({ spaceId })
    const page = pages[0]?.id ?? ''
    const rename = async (title: string) => {
      const changes = [{ operation: 'update_page' as const, page, title }]
      return (await kit.as.admin.updateSpaceContent({ spaceId, body: { changes, amend: true } })).revision
    }
    const [, gone, referred, head] = [await rename('1'), await rename('2'), await rename('3'), await rename('4')]
    // It came to be referred to after all.
    const sql = 'update "space" set "revisionId" = ? where "id" = ?'
    await kit.db.transaction((tx) => tx.run({ sql: spelt(kit, sql), name: '' }, [referred, spaceId]))
    await run({ graceMilliseconds: hour })
    expect(await query('select "id" from "revision" where "id" = ?', [gone])).toHaveLength(1)
    await run()
    const left = await query('select "id" from "revision" where "spaceId" = ?', [spaceId])
    const ids = left.map(({ id }) => id)
    expect(ids).toEqual(expect.arrayContaining([referred, head]))
    expect(ids).not.toContain(gone)
    await kit.db.transaction((tx) => tx.run({ sql: spelt(kit, sql), name: '' }, [head, spaceId]))
    const late = { operation: 'update_page' as const, page, base: gone, title: '5' }
    await expect(kit.as.admin.updateSpaceContent({ spaceId, body: { changes: [late] } })).rejects.toMatchObject({
      status: 410,
    })
    expect(await lost(kit)).toEqual([])
  })

  test('what a purged space alone held is gone, what others hold stays', async () => {
    const first = await filled('alpha')
    const copy = await kit.as.admin.duplicateSpace({ spaceId: first })
    const other = await filled('beta')
    await purge(other)
    await run()
    expect(await lost(kit)).toEqual([])
    const before = { nodes: await countOf('treeNode'), documents: await countOf('document'), files: await blobs() }
    await purge(first)
    await run()
    // The copy holds all that the first held.
    expect(await lost(kit)).toEqual([])
    expect(await countOf('document')).toBe(before.documents)
    expect(await blobs()).toEqual(before.files)

    const counted = (await sweptRows.get()).values.find(({ labels }) => labels.kind === 'document')?.value ?? 0
    await purge(copy.id)
    await run()
    expect(await lost(kit)).toEqual([])
    expect(await countOf('document')).toBe(before.documents - 40)
    expect(await countOf('treeNode')).toBeLessThan(before.nodes)
    expect((await blobs()).length).toBe(before.files.length - 1)
    expect((await sweptRows.get()).values.find(({ labels }) => labels.kind === 'document')?.value).toBe(counted + 40)
  })

  test('what was written lately stays, whoever refers to it', async () => {
    const space = await filled('gamma')
    const [nodes, documents] = [await countOf('treeNode'), await countOf('document')]
    await purge(space)
    await run({ graceMilliseconds: hour })
    expect([await countOf('treeNode'), await countOf('document')]).toEqual([nodes, documents])
    await run()
    expect(await countOf('document')).toBe(documents - 40)
  })

  test('one that is cut off goes on where it stopped, and one that was overtaken stops', async () => {
    await filled('delta')
    await purge(await filled('epsilon'))
    const documents = await countOf('document')
    await kit.db.transaction((tx) => dropNote(tx))
    for (let starts = 0; starts < 200; starts++) {
      const abort = new AbortController()
      let steps = 0
      const signal = new Proxy(abort.signal, {
        get(target, name) {
          // Each start gets a little further than the one before.
          if (name === 'throwIfAborted' && steps++ > 3 + starts / 4) abort.abort(new Error('cut off'))
          const value = Reflect.get(target, name)
          return typeof value === 'function' ? value.bind(target) : value
        },
      })
      const ended = await run({ pauseMilliseconds: hour }, signal).then(
        () => true,
        () => false,
      )
      expect(await lost(kit)).toEqual([])
      if (ended) break
    }
    expect(JSON.parse((await readNote(kit.db)) ?? '{}')).toMatchObject({ phase: 'done' })
    expect(await countOf('document')).toBe(documents - 40)

    await kit.db.transaction((tx) => dropNote(tx))
    const note = { id: 'other', phase: 'treeNode', after: '', writtenBefore: '9999', begunAt: new Date().toISOString() }
    const overtaken = run({ step: 1 })
    await kit.db.transaction((tx) => writeNote(tx, JSON.stringify({ ...note, phase: 'done' })))
    await overtaken.catch((error: Error) => expect(error.name).toBe('LeaseLost'))
    expect(await lost(kit)).toEqual([])
  })

  for (const isOpen of [false, true])
    test(`rubbish that a writer needs again is no rubbish${isOpen ? ', also before the writer has committed' : ''}`, async () => {
      const { id: spaceId } = await kit.as.admin.createSpace({
        organizationId: kit.organization,
        body: { title: 'Again' },
      })
      const variant = isOpen ? 101 : 100
      await run()
      await kit.db.transaction((tx) => commit(tx, { id: `first-${variant}`, spaceId, variant }))
      await forget(`first-${variant}`, spaceId)
      for (const table of ['treeNode', 'document'])
        await kit.db.run({ sql: `update "${table}" set "writtenAt" = '2000'`, name: '' }, [])
      // The marks are those of the sweep before, which has not seen what comes now.
      const writtenBefore = new Date(Date.now() - 2 * hour).toISOString()
      const begunAt = new Date().toISOString()
      const note = { id: 'again', phase: 'treeNode', after: '', writtenBefore, begunAt }
      await kit.db.transaction((tx) => writeNote(tx, JSON.stringify(note)))

      let release = (): void => {}
      const released = new Promise<void>((resolve) => {
        release = resolve
      })
      let isWritten = (): void => {}
      const written = new Promise<void>((resolve) => {
        isWritten = resolve
      })
      const writing = kit.db.transaction(async (tx) => {
        await commit(tx, { id: `second-${variant}`, spaceId, variant })
        isWritten()
        if (isOpen) await released
      })
      await (isOpen ? written : writing)
      const sweeping = run()
      await sleep(isOpen ? 300 : 0)
      release()
      await Promise.all([writing, sweeping])
      expect(await lost(kit)).toEqual([])
      await forget(`second-${variant}`, spaceId)
    })

  test('a sweep beside writers that need the same again loses nothing', {
    timeout: raceMilliseconds * 10 + 60_000,
  }, async () => {
    let [written, swept, reused] = [0, 0, 0]
    // A day passes in four seconds, so that rows grow old while others take them up again.
    const began = performance.now()
    const start = Date.now()
    vi.useFakeTimers({ toFake: ['Date'] })
    const clock = setInterval(() => vi.setSystemTime(start + (performance.now() - began) * 20_000), 1)
    const passed = () => performance.now() - began
    // A slow machine takes longer to have a race at all.
    const isOver = () => passed() > raceMilliseconds && ((written > 3 && swept > 3) || passed() > raceMilliseconds * 8)
    const spaces = await Promise.all(
      ['one', 'two', 'three'].map((title) =>
        kit.as.admin.createSpace({ organizationId: kit.organization, body: { title } }),
      ),
    )
    const write = async (spaceId: string, lock: number): Promise<void> => {
      for (let round = lock; !isOver(); round++) {
        const id = `${round % 2 === 0 ? '0' : 'z'}-${spaceId}-${round}`
        const before = await countOf('treeNode')
        await kit.db.transaction((tx) => commit(tx, { id, spaceId, variant: round % 12 }), { lock: spaceId })
        if ((await countOf('treeNode')) === before) reused++
        written++
        expect(await lost(kit, id)).toEqual([])
        await sleep((round * 397) % 900)
        expect(await lost(kit, id)).toEqual([])
        await forget(id, spaceId)
      }
    }
    const sweeping = async (): Promise<void> => {
      while (!isOver()) {
        // In the smallest steps, so that writers come between them.
        await run({ graceMilliseconds: 24 * hour, step: 1 }).catch((error: Error) => {
          if (error.name !== 'LeaseLost') throw error
        })
        swept++
        await sleep(20)
      }
    }
    try {
      await Promise.all([...spaces.map(({ id }, turn) => write(id, turn)), sweeping(), sweeping()])
    } finally {
      clearInterval(clock)
    }
    expect(await lost(kit)).toEqual([])
    // It was a race: there were many sweeps, and they removed what was written again.
    expect(written).toBeGreaterThan(3)
    expect(swept).toBeGreaterThan(3)
    if (process.env.SWEEP_SECONDS) console.log(backend.name, { written, swept, reused })
  })
})

const spelt = (kit: Kit, sql: string): string => {
  let place = 0
  return kit.db.engine === 'postgres' ? sql.replaceAll('?', () => `$${++place}`) : sql
}

/** A revision whose nodes and documents are the same each time the variant comes round. */
async function commit(tx: Connection, revision: { id: string; spaceId: string; variant: number }): Promise<void> {
  const writer = openContent(tx)
  const pages: PageRecord[] = []
  for (let at = 0; at < 60; at++) {
    const document = await writer.saveDocument(makeDocument([paragraph(`variant ${revision.variant} ${at % 5}`)]))
    const title = `T${revision.variant}`
    pages.push({ id: `page-${at}`, type: 'document', rank: `a${at}`, title, slug: `s${at}`, document })
  }
  const content = await putPages(
    writer,
    emptyContent(writer),
    pages.map((after) => ({ after })),
  )
  await writer.flush(tx, revision.spaceId, content)
  const { id, spaceId } = revision
  const createdAt = new Date().toISOString()
  const row = { id, spaceId, parents: [], type: 'edits' as const, content, createdBy: 'x', createdAt }
  await insertRevision(tx, { ...row, mergedFrom: null, git: null })
}

/** What revisions refer to and the database has not, read past every cache. */
async function lost(kit: Kit, only?: string): Promise<string[]> {
  return kit.db.snapshot(async (moment) => {
    const read = (sql: string): Promise<Row[]> => moment.all({ sql, name: '' }, [])
    const nodes = new Map(
      (await read('select "hash", "value", "packed" from "treeNode"')).map((row) => [
        row.hash,
        row.packed instanceof Uint8Array ? unpack(row.packed) : String(row.value),
      ]),
    )
    const documents = new Set((await read('select "hash" from "document"')).map((row) => row.hash))
    const missing: string[] = []
    const files = new Set<string>()
    const seen = new Set<string>()
    const visit = (hash: string): void => {
      if (seen.has(hash)) return
      seen.add(hash)
      const value = nodes.get(hash)
      if (value === undefined) {
        missing.push(`node ${hash}`)
        return
      }
      const node = JSON.parse(value)
      for (const held of node.values) {
        if (node.level > 0) visit(held.hash)
        else if (held?.document && !documents.has(held.document)) missing.push(`document ${held.document}`)
        else if (held?.blob) files.add(held.blob)
      }
    }
    for (const { id, content } of await read('select "id", "content" from "revision"')) {
      if (only !== undefined && id !== only) continue
      const { variables: _, ...roots } = JSON.parse(String(content))
      for (const root of Object.values<{ hash: string }>(roots)) visit(root.hash)
    }
    for (const hash of files) if ((await kit.env.blobs.size(hash)) === undefined) missing.push(`file ${hash}`)
    for (const { hash } of await read('select "hash" from "spaceDocument"'))
      if (only === undefined && !documents.has(hash ?? '')) missing.push(`document ${hash}`)
    return missing
  })
}
