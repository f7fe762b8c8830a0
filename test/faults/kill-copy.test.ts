/**
 * kill -9 while the copy of a space is being indexed: the copy is whole from the start, and search finds all of it once the
 * next process has gone on where the killed one stopped. `KILL_COPY_ROUNDS=20` makes a longer run.
 */
import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { expect, test, vi } from 'vitest'
import { findSpace } from '../../src/store/content/spaces.ts'
import { openDatabase } from '../../src/store/database.ts'
import { eachBackend, makeFolder } from '../kit/backends.ts'
import { startProcess } from './process.ts'

const rounds = Number(process.env.KILL_COPY_ROUNDS ?? 1)
const pages = 300
const patience = { timeout: 120_000, interval: 20 }

eachBackend((backend) => {
  test(`a copy is whole and becomes searchable after ${rounds} kills`, { timeout: 300_000 }, async () => {
    const made = await backend.make()
    const folder = makeFolder(tmpdir())
    const place = { folder, location: backend.name === 'sqlite' ? `${folder}/lectern.db` : made.location }
    const env = { LECTERN_RATE_LIMIT: '0' }
    const db = backend.name === 'sqlite' ? undefined : await openDatabase({ location: place.location, poolSize: 1 })
    try {
      let server = await startProcess({ ...place, env })
      const organizationId = (await server.client().listOrganizationsForAuthenticatedUser()).items[0]?.id ?? ''
      const space = await server.client().createSpace({ organizationId, body: { title: 'Original' } })
      for (let from = 0; from < pages; from += 50) {
        const changes = Array.from({ length: 50 }, (_, index) => ({
          operation: 'insert_page' as const,
          title: `Page ${from + index}`,
          document: { markdown: `Every page has the word lighthouse. ${'And other words. '.repeat(60)}` },
        }))
        await server.client().updateSpaceContent({ spaceId: space.id, body: { changes } })
      }
      const hitsIn = (spaceId: string, query = 'lighthouse') =>
        server.client().searchSpaceContent({ spaceId, query: { query, limit: 1 } })
      await vi.waitFor(async () => expect((await hitsIn(space.id)).count).toBe(pages), patience)
      const original = await server.client().listPages({ spaceId: space.id })

      let inTheMiddle = 0
      // On a fast machine a copy may be done before it is killed: another is made then.
      for (let round = 0; inTheMiddle < rounds && round < rounds + 4; round++) {
        const { id } = await server.client().duplicateSpace({ spaceId: space.id })
        // Killed once something of the copy is found and something is not yet.
        await vi.waitFor(async () => expect((await hitsIn(id)).count).toBeGreaterThan(0), patience)
        await server.end('SIGKILL')
        if (await isIndexing(id)) inTheMiddle++
        server = await startProcess({ ...place, env })
        const copied = await server.client().listPages({ spaceId: id })
        expect(copied.pages.map(({ title }) => title)).toEqual(original.pages.map(({ title }) => title))
        await vi.waitFor(async () => {
          const found = await hitsIn(id)
          expect(found).not.toHaveProperty('indexing')
          expect(found.count).toBe(pages)
        }, patience)
        expect((await hitsIn(id, '"Page 299"')).count).toBe(1)
      }
      expect(inTheMiddle).toBe(rounds)
      await server.end('SIGTERM')
    } finally {
      await db?.close()
      await made.drop()
      rmSync(folder, { recursive: true, force: true })
    }

    async function isIndexing(id: string): Promise<boolean> {
      const opened = db ?? (await openDatabase({ location: place.location }))
      try {
        return (await findSpace(opened, { id }))?.indexedUpTo !== null
      } finally {
        if (opened !== db) await opened.close()
      }
    }
  })
})
