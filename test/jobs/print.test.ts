/** After an upgrade that brought another printer, pages are printed before anybody reads them, once. */
import { beforeEach, expect, test, vi } from 'vitest'
import { printerVersion } from '../../src/core/document/printer-version.ts'
import { notePrinted, printSpaces } from '../../src/domain/content/markdown/print-spaces.ts'
import { jobKinds } from '../../src/jobs/index.ts'
import type { JobRun } from '../../src/jobs/kinds.ts'
import { makeLog } from '../../src/platform/log.ts'
import type { Row } from '../../src/store/database.ts'
import { printedAmong } from '../../src/store/packed/printed.ts'
import { deleteSetting, readSetting, writeSetting } from '../../src/store/settings.ts'
import { eachBackend } from '../kit/backends.ts'
import { useKit } from '../kit/server.ts'

const hour = 60 * 60 * 1000
/** More than are printed in one step. */
const pages = 50

eachBackend((backend) => {
  const kit = useKit(backend)
  let hashes: string[] = []

  const query = (sql: string): Promise<Row[]> => kit.db.transaction((tx) => tx.all({ sql, name: '' }, []))
  const printedNow = async (): Promise<number> => (await printedAmong(kit.db, { hashes, printer: printerVersion })).size
  const forget = async (): Promise<void> => {
    await query(`update "printed" set "printer" = 'that of another version' returning "hash"`)
    await kit.db.transaction((tx) => deleteSetting(tx, { name: 'printedBy' }))
  }
  const run = (kind = 'print', signal = new AbortController().signal) => {
    const job: Partial<JobRun<unknown>> = { db: kit.db, env: kit.env, log: makeLog('silent'), signal, payload: null }
    return jobKinds[kind]?.run(job as JobRun<unknown>)
  }

  beforeEach(async () => {
    const { id: spaceId } = await kit.as.admin.createSpace({
      organizationId: kit.organization,
      body: { title: 'Docs' },
    })
    await kit.as.admin.updateSpaceContent({
      spaceId,
      body: {
        changes: Array.from({ length: pages }, (_, i) => ({
          operation: 'insert_page' as const,
          title: `Page ${i}`,
          document: { markdown: `Page ${i} of **${spaceId}**.` },
        })),
      },
    })
    const shown = await kit.as.admin.listPages({ spaceId })
    hashes = shown.pages.flatMap((page) => (page.documentId === undefined ? [] : [page.documentId]))
    expect(hashes).toHaveLength(pages)
    await printSpaces(kit.db, new AbortController().signal)
    await forget()
  })

  test('a new printer prints every page, and says so', async () => {
    expect(await printedNow()).toBe(0)
    await run()
    expect(await printedNow()).toBe(pages)
    expect(JSON.parse((await readSetting(kit.db, 'printedBy')) ?? '{}')).toMatchObject({ printer: printerVersion })
  })

  test('one that has printed everything looks at nothing again', async () => {
    await notePrinted(kit.db)
    await run()
    expect(await printedNow()).toBe(0)
  })

  for (const [hours, expected] of [
    [2, pages],
    [0.5, 0],
  ] as const)
    test(`what another has finished ${hours} hours ago it ${expected ? 'prints again' : 'leaves alone'}`, async () => {
      const noted = JSON.stringify({ printer: 'another', at: Date.now() - hours * hour })
      await kit.db.transaction((tx) => writeSetting(tx, 'printedBy', noted))
      await run()
      expect(await printedNow()).toBe(expected)
    })

  test('one that was interrupted goes on, and what it printed is not printed again', async () => {
    const over = new AbortController()
    const printing = vi.spyOn(kit.db.threads, 'run')
    printing.mockImplementationOnce((...task) => {
      over.abort()
      printing.mockRestore()
      return kit.db.threads.run(...task)
    })
    await expect(run('print', over.signal)).rejects.toThrow()
    expect(await readSetting(kit.db, 'printedBy')).toBeUndefined()
    const rows = await query(`select "printer" from "printed"`)
    const before = rows.filter(({ printer }) => printer === printerVersion).length
    expect(before).toBeGreaterThan(0)
    expect(before).toBeLessThan(rows.length)
    const { printed } = await printSpaces(kit.db, new AbortController().signal)
    expect(printed).toBe(rows.length - before)
    expect(await printedNow()).toBe(pages)
    expect(await printSpaces(kit.db, new AbortController().signal)).toEqual({ printed: 0, failed: 0 })
  })

  test('a page that cannot be printed is left to its readers, and stops no other', async () => {
    const printing = vi.spyOn(kit.db.threads, 'run')
    printing.mockRejectedValueOnce(new Error('The printer is out of ink.'))
    const { failed } = await printSpaces(kit.db, new AbortController().signal)
    printing.mockRestore()
    expect(failed).toBe(1)
    expect(await printedNow()).toBeGreaterThanOrEqual(pages - 1)
  })

  test('a restore brings no prints: the job that follows it makes them', async () => {
    await query('delete from "printed" returning "hash"')
    await notePrinted(kit.db)
    await run('rebuild')
    expect(await printedNow()).toBe(pages)
  })
})
