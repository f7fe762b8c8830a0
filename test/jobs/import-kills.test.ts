/**
 * Imports whose process is killed at any moment: the space is as it was, or holds the whole book, and the run ends in either.
 * `LECTERN_IMPORT_KILLS` says how often (1).
 */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eachBackend } from '../kit/backends.ts'
import { bundleChild, startChild } from '../kit/child.ts'
import { useKit } from '../kit/server.ts'
import { markdownZip } from './import-fixtures.ts'

const rounds = Number(process.env.LECTERN_IMPORT_KILLS ?? 1)

let server: Server
beforeAll(async () => {
  const bytes = await markdownZip()
  server = createServer((_, response) => {
    // A slow server, so that there is a middle to be killed in.
    response.writeHead(200)
    response.write(bytes.subarray(0, 1000))
    setTimeout(() => response.end(bytes.subarray(1000)), 60)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterAll(() => void server.close())

eachBackend((backend) => {
  const kit = useKit(backend)

  test(`${rounds} kills leave nothing half-way`, async () => {
    const script = await bundleChild('test/jobs/import-worker.ts')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/book.zip`
    const settings = {
      DATABASE_URL: kit.location,
      LECTERN_DATA: kit.folder,
      LECTERN_ALLOW_PRIVATE_FETCH: '1',
      LECTERN_URL: 'http://lectern.test',
    }
    const of = { organizationId: kit.organization }
    const outcomes: string[] = []
    const failed: string[] = []
    for (let round = 0; round < rounds; round++) {
      const { id: space, revision } = await kit.as.admin.createSpace({ ...of, body: {} })
      const body = { source: { type: 'zip' as const, url }, target: { space } }
      const { id: importRunId } = await kit.as.edit.startImportRun({ ...of, body })
      const child = startChild(script, [], settings)
      await child.says('ready')
      await sleep(Math.random() * 500)
      await child.kill()
      const state = async () => ({
        run: await kit.as.edit.getImportRun({ ...of, importRunId }),
        space: await kit.as.edit.getSpaceById({ spaceId: space }),
        pages: (await kit.as.edit.listPages({ spaceId: space })).pages.length,
      })
      const killed = await state()
      if (killed.run.status === 'completed') expect(killed.pages).toBe(4)
      else expect(killed).toMatchObject({ space: { revision }, pages: 0 })
      outcomes.push(killed.run.status)
      const next = startChild(script, [], settings)
      const ended = async () => (await kit.as.edit.getImportRun({ ...of, importRunId })).status
      await expect.poll(ended, { timeout: 120_000 }).toMatch(/completed|failed/)
      await next.kill()
      const last = await state()
      if (last.run.status === 'failed') {
        expect(last).toMatchObject({ space: { revision }, pages: 0, run: { error: { message: expect.any(String) } } })
        failed.push(last.run.error?.message ?? '')
      } else expect(last).toMatchObject({ pages: 4, run: { importedResources: 37, totalResources: 37 } })
    }
    for (const reason of failed) expect(reason).toMatch(/^[A-Z].*\. Nothing was changed\. Start it again/)
    console.log(
      `${backend.name}: ${rounds} kills, runs then ${outcomes.join(', ')}; ${rounds - failed.length} completed whole, failed: ${JSON.stringify(failed)}`,
    )
  }, 600_000)
})
