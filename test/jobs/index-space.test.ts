/** A copy of a space is there at once, and is searchable when its job is done, whatever happened to it on the way. */
import { expect, test } from 'vitest'
import { findContentProblems } from '../../src/domain/content/check.ts'
import { jobKinds } from '../../src/jobs/index.ts'
import type { JobRun } from '../../src/jobs/kinds.ts'
import { makeLog } from '../../src/platform/log.ts'
import { findSpace } from '../../src/store/content/spaces.ts'
import { eachBackend } from '../kit/backends.ts'
import { useKit } from '../kit/server.ts'

/** 3,000 for the run whose numbers the decision page has. */
const pageCount = Number(process.env.COPY_PAGES ?? 100)
const many = 10 * 60_000

eachBackend((backend) => {
  const kit = useKit(backend)

  const filled = async (): Promise<string> => {
    const { id } = await kit.as.admin.createSpace({ organizationId: kit.organization, body: { title: 'Large' } })
    for (let from = 0; from < pageCount; from += 50) {
      const changes = Array.from({ length: 50 }, (_, i) => ({
        operation: 'insert_page' as const,
        title: `Page ${from + i}`,
        document: {
          markdown: `Zebra ${from + i} and [one before](page-${from + i - 1}.md).\n\n## Part\n\nMore words.`,
        },
      }))
      await kit.as.admin.updateSpaceContent({ spaceId: id, body: { changes } })
    }
    return id
  }
  const run = (space: string, signal: AbortSignal) => {
    const job: Partial<JobRun<unknown>> = {
      db: kit.db,
      env: kit.env,
      log: makeLog('silent'),
      signal,
      payload: { space },
    }
    return jobKinds.index?.run(job as JobRun<unknown>)
  }
  const jobsFor = async (spaceId: string) =>
    (await kit.db.all({ sql: `select "payload" from "job" where "kind" = 'index'`, name: '' }, [])).filter((row) =>
      String(row.payload).includes(spaceId),
    )
  const hits = (spaceId: string, query = 'zebra') => kit.as.admin.searchSpaceContent({ spaceId, query: { query } })
  const problems = async (id: string) => {
    const space = await findSpace(kit.db, { id })
    if (!space) throw new Error('The copy is gone.')
    const { env, db } = kit
    return findContentProblems({ db, blobs: env.blobs, space, appUrl: env.urls.app, deep: true })
  }

  test('copies at once and indexes in steps, beside edits and through a stop', { timeout: many }, async () => {
    const original = await filled()
    const began = performance.now()
    const copy = await kit.as.admin.duplicateSpace({ spaceId: original })
    if (pageCount >= 1000) console.log(`${backend.name}: copied in ${Math.round(performance.now() - began)} ms`)
    const spaceId = copy.id
    expect(copy.indexing).toBe(true)
    expect(await hits(spaceId)).toMatchObject({ indexing: true, count: 0 })
    expect(await kit.as.admin.listSpaceLinks({ spaceId, query: {} })).toMatchObject({ indexing: true })
    expect(await jobsFor(spaceId)).toHaveLength(1)
    const { pages } = await kit.as.admin.listPages({ spaceId })
    expect(pages).toHaveLength(pageCount)
    const documentId = pages.at(-1)?.documentId ?? ''
    expect((await kit.as.admin.getDocumentById({ spaceId, documentId })).object).toBe('document')

    // Stopped after each of its first steps, and run again.
    for (let stop = 0; stop < 3; stop++) {
      const controller = new AbortController()
      const { transaction } = kit.db
      kit.db.transaction = async (...args) => {
        const result = await transaction.apply(kit.db, args as never)
        controller.abort()
        return result as never
      }
      await expect(run(spaceId, controller.signal)).rejects.toThrow()
      kit.db.transaction = transaction
      // Edits on both sides of where it stands.
      const changes = [pages[stop], pages.at(-1 - stop)].map((page, i) => ({
        operation: 'update_page' as const,
        page: page?.id ?? '',
        document: { markdown: `Okapi ${stop} ${i}.` },
      }))
      await kit.as.admin.updateSpaceContent({ spaceId, body: { changes } })
      await kit.as.admin.updateSpaceContent({
        spaceId,
        body: { changes: [{ operation: 'delete_page', page: pages[10 + stop]?.id ?? '' }] },
      })
    }
    const steps = performance.now()
    await run(spaceId, new AbortController().signal)
    if (pageCount >= 1000) console.log(`${backend.name}: indexed in ${Math.round(performance.now() - steps)} ms`)
    expect((await kit.as.admin.getSpaceById({ spaceId })).indexing).toBeUndefined()
    expect(await hits(spaceId)).toMatchObject({ count: pageCount - 9 })
    expect(await hits(spaceId, 'okapi')).toMatchObject({ count: 6 })
    expect(await problems(spaceId)).toEqual([])
    expect((await kit.as.admin.getDocumentById({ spaceId, documentId })).object).toBe('document')
  })

  test('a step works out what it writes before its transaction, and gives way to whoever writes', async () => {
    const { id } = await kit.as.admin.duplicateSpace({ spaceId: await filled() })
    const { transaction } = kit.db
    const order: string[] = []
    const readInside: string[] = []
    kit.db.transaction = async (work, options) => {
      if (options?.lock !== id) return transaction.call(kit.db, work, options) as never
      const step = transaction.call(
        kit.db,
        (tx) => {
          order.push('step')
          const all: typeof tx.all = (statement, values) => {
            readInside.push(statement.sql)
            return tx.all(statement, values)
          }
          return work({ ...tx, all, run: (statement, values) => tx.run(statement, values) })
        },
        options,
      )
      await transaction.call(kit.db, async () => void order.push('somebody'))
      return step as never
    }
    try {
      await run(id, new AbortController().signal)
    } finally {
      kit.db.transaction = transaction
    }
    expect(order.length).toBeGreaterThan(4)
    expect(readInside.length).toBeGreaterThan(0)
    expect(readInside.filter((sql) => /"(revision|document|treeNode)"/.test(sql))).toEqual([])
    const pairs = order.join(' ').match(/\w+ \w+/g)
    if (backend.name === 'sqlite') expect(new Set(pairs)).toEqual(new Set(['somebody step']))
    expect(await problems(id)).toEqual([])
  })

  test('a space that changes with every step is indexed all the same', async () => {
    const { id } = await kit.as.admin.duplicateSpace({ spaceId: await filled() })
    const page = (await kit.as.admin.listPages({ spaceId: id })).pages[0]?.id ?? ''
    const { transaction } = kit.db
    let isEditing = false
    let edits = 0
    kit.db.transaction = async (work, options) => {
      if (options?.lock !== id || isEditing) return transaction.call(kit.db, work, options) as never
      isEditing = true
      edits += 1
      // Not a page more each time: on a slow machine, where a step is one page, there would be ever more to do.
      const changes = [{ operation: 'update_page' as const, page, document: { markdown: `A zebra, ${edits} times.` } }]
      await kit.as.admin.updateSpaceContent({ spaceId: id, body: { changes } })
      isEditing = false
      return transaction.call(kit.db, work, options) as never
    }
    try {
      await run(id, AbortSignal.timeout(60_000))
    } finally {
      kit.db.transaction = transaction
    }
    expect(edits).toBeGreaterThan(4)
    expect((await kit.as.admin.getSpaceById({ spaceId: id })).indexing).toBeUndefined()
    expect(await problems(id)).toEqual([])
  })
})
