/** kill -9 while a book is being set: nothing of it is left, neither files nor processes, and the next one is made. */
import { execFileSync } from 'node:child_process'
import { readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { expect, test, vi } from 'vitest'
import { makeFolder } from '../kit/backends.ts'
import { readPdf } from '../kit/read-pdf.ts'
import { startProcess } from './process.ts'

const patience = { timeout: 60_000, interval: 20 }

test('a server that is killed while it makes a book leaves nothing of it, and makes it after the next start', {
  timeout: 240_000,
}, async () => {
  const folder = makeFolder(tmpdir())
  const location = `${folder}/lectern.db`
  try {
    const server = await startProcess({ location, folder })
    const client = server.client()
    const organizationId = (await client.listOrganizationsForAuthenticatedUser()).items[0]?.id ?? ''
    const space = await client.createSpace({ organizationId, body: { title: 'Book' } })
    const markdown = 'Words that take a while to set, and then some more of them. '.repeat(100)
    const changes = Array.from({ length: 40 }, (_, index) => ({
      operation: 'insert_page' as const,
      title: `Page ${index}`,
      document: { markdown },
    }))
    await client.updateSpaceContent({ spaceId: space.id, body: { changes } })
    const { url } = await client.getSpacePDF({ spaceId: space.id })
    const lost = fetch(url).then(
      ({ status }) => status,
      () => 'lost',
    )
    const setters = await vi.waitFor(() => {
      const found = childrenOf(server.process.pid)
      expect(found).not.toEqual([])
      return found
    }, patience)
    await server.end('SIGKILL')
    expect(await lost).toBe('lost')
    await vi.waitFor(() => expect(setters.filter(isAlive)).toEqual([]), patience)
    expect(filesBelow(`${folder}/books`)).toEqual([])

    const again = await startProcess({ location, folder })
    const { url: next } = await again.client().getSpacePDF({ spaceId: space.id })
    const answer = await fetch(next)
    expect(answer.status).toBe(200)
    expect((await readPdf(new Uint8Array(await answer.arrayBuffer()))).bookmarks).toHaveLength(40)
    await again.end('SIGTERM')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

function childrenOf(pid: number | undefined): number[] {
  try {
    const listed = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(pid)], { encoding: 'utf8' })
    return listed
      .split('\n')
      .filter((line) => line.includes('typeset.js'))
      .map((line) => Number(line.trim().split(' ')[0]))
  } catch {
    return []
  }
}

function isAlive(pid: number): boolean {
  try {
    return execFileSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' }).includes('typeset.js')
  } catch {
    return false
  }
}

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
