/** The blob store, on the folder and in the database: one behaviour. */
import { createHash, randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { BlobStore, Bytes } from '../../src/core/blobs.ts'
import { openBlobs } from '../../src/open.ts'
import { openBlobFolder } from '../../src/platform/blobs.ts'
import { eachBackend, makeFolder, useStore } from '../kit/backends.ts'
import { bundleChild, startChild } from '../kit/child.ts'

const sha = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

async function* inPieces(bytes: Uint8Array, size = 10_000): Bytes & AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size)
}

async function read(bytes: Bytes | undefined): Promise<Buffer> {
  if (!bytes) throw new Error('There is no such blob.')
  const parts: Uint8Array[] = []
  for await (const part of bytes) parts.push(Buffer.from(part))
  return Buffer.concat(parts)
}

const listed = async (blobs: BlobStore): Promise<string[]> => {
  const hashes: string[] = []
  for await (const { hash } of blobs.list()) hashes.push(hash)
  return hashes
}

const limit = 2 ** 30

const folders: string[] = []
function makeBlobFolder(): string {
  const folder = makeFolder()
  folders.push(folder)
  return join(folder, 'blobs')
}
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

eachBackend((backend) => {
  const store = useStore(backend)
  let blobs: BlobStore
  beforeAll(() => {
    blobs = openBlobs(store.db, { data: store.place.folder })
  })

  it.each([0, 1, 255, 256 * 1024 - 1, 256 * 1024, 256 * 1024 + 1, 3_000_000])('keeps %i bytes', async (size) => {
    const bytes = randomBytes(size)
    const stored = await blobs.put(inPieces(bytes, 77_777), { limit })
    expect(stored).toEqual({ hash: sha(bytes), size })
    expect(sha(await read(await blobs.open(stored.hash)))).toBe(stored.hash)
    expect(await blobs.size(stored.hash)).toBe(size)
  })

  it('reads a part, first and last byte included', async () => {
    const bytes = randomBytes(700_000)
    const { hash } = await blobs.put(inPieces(bytes), { limit })
    const ranges = [
      [0, 0],
      [0, 9],
      [262_143, 262_144],
      [262_144, 524_287],
      [100, 699_999],
      [699_999, 699_999],
      [5, 9e9],
    ]
    for (const [start = 0, end = 0] of ranges) {
      expect((await read(await blobs.open(hash, { start, end }))).equals(bytes.subarray(start, end + 1))).toBe(true)
    }
    expect((await read(await blobs.open(hash, { start: 699_990 }))).equals(bytes.subarray(699_990))).toBe(true)
    expect(await read(await blobs.open(hash, { start: 700_000 }))).toHaveLength(0)
    expect(await read(await blobs.open(hash, { start: 20, end: 10 }))).toHaveLength(0)
  })

  it('stores equal bytes once, also when they come at the same time', async () => {
    const bytes = randomBytes(600_000)
    const stored = await Promise.all(Array.from({ length: 8 }, () => blobs.put(inPieces(bytes), { limit })))
    expect(new Set(stored.map(({ hash }) => hash)).size).toBe(1)
    expect((await listed(blobs)).filter((hash) => hash === sha(bytes))).toHaveLength(1)
    expect((await read(await blobs.open(sha(bytes)))).equals(bytes)).toBe(true)
  })

  it('refuses more than the limit while it comes, and leaves nothing of it', async () => {
    const before = await listed(blobs)
    let sent = 0
    async function* endless() {
      for (;;) {
        sent += 65_536
        yield randomBytes(65_536)
      }
    }
    await expect(blobs.put(endless(), { limit: 1_000_000 })).rejects.toMatchObject({ code: 'too_large' })
    expect(sent).toBeLessThan(1_200_000)
    async function* broken() {
      yield randomBytes(400_000)
      throw new Error('The client went away.')
    }
    await expect(blobs.put(broken(), { limit })).rejects.toThrow('went away')
    expect(await listed(blobs)).toEqual(before)
    expect(await blobs.sweepTemporary({ olderThanMilliseconds: -1000 })).toBe(0)
  })

  it('knows nothing of hashes that are none', async () => {
    for (const hash of ['', '..', '../../etc/passwd', '~', sha(randomBytes(9)), sha(randomBytes(9)).toUpperCase()]) {
      expect(await blobs.open(hash)).toBeUndefined()
      expect(await blobs.size(hash)).toBeUndefined()
      expect(await blobs.delete(hash)).toBe(false)
    }
  })

  it('deletes, but not what was put again lately', async () => {
    const bytes = randomBytes(1000)
    const { hash } = await blobs.put(inPieces(bytes), { limit })
    await sleep(20)
    const swept = new Date()
    await sleep(20)
    await blobs.put(inPieces(bytes), { limit })
    expect(await blobs.delete(hash, { putBefore: swept })).toBe(false)
    expect((await read(await blobs.open(hash))).equals(bytes)).toBe(true)
    expect(await blobs.delete(hash, { putBefore: new Date(Date.now() + 1000) })).toBe(true)
    expect(await blobs.open(hash)).toBeUndefined()
    expect(await blobs.delete(hash)).toBe(false)
  })

  // What else this process has done may be given back to the system in between; what is held is held every time.
  it('streams 100 MiB in and out in little memory', { timeout: 120_000, retry: 2 }, async () => {
    const piece = randomBytes(64 * 1024)
    const count = 1600
    async function* large() {
      for (let index = 0; index < count; index++) {
        piece.writeUInt32LE(index)
        yield Buffer.from(piece)
      }
    }
    global.gc?.()
    const before = process.memoryUsage().rss
    let peak = before
    const timer = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage().rss)
    }, 5)
    const began = performance.now()
    const { hash, size } = await blobs.put(large(), { limit })
    const put = performance.now()
    let total = 0
    for await (const part of (await blobs.open(hash)) ?? []) total += part.length
    const opened = performance.now()
    clearInterval(timer)
    expect(size).toBe(100 * 1024 * 1024)
    expect(total).toBe(size)
    const grown = (peak - before) / 1024 / 1024
    console.log(
      `${backend.name}: 100 MiB in ${Math.round(put - began)} ms, out ${Math.round(opened - put)} ms, RSS +${grown.toFixed(1)} MiB`,
    )
    expect(grown).toBeLessThan(100)
  })
})

describe('the folder', () => {
  it('is held while a backup reads it', async () => {
    const blobs = openBlobFolder(makeBlobFolder())
    const { hash } = await blobs.put(inPieces(randomBytes(10)), { limit })
    const release = await blobs.hold()
    expect(await blobs.delete(hash)).toBe(false)
    await release()
    expect(await blobs.delete(hash)).toBe(true)
  })

  it('puts a blob back whose deletion was killed half-way', async () => {
    const folder = makeBlobFolder()
    const blobs = openBlobFolder(folder)
    const { hash } = await blobs.put(inPieces(randomBytes(10)), { limit })
    await blobs.delete(sha(randomBytes(3)))
    renameSync(join(folder, hash.slice(0, 2), hash.slice(2)), join(folder, 'trash', hash))
    expect(await blobs.open(hash)).toBeUndefined()
    await blobs.sweepTemporary()
    expect(await read(await blobs.open(hash))).toHaveLength(10)
  })

  it('sweeps only what is old', async () => {
    const folder = makeBlobFolder()
    const blobs = openBlobFolder(folder)
    await blobs.put(inPieces(randomBytes(10)), { limit })
    for (const name of ['old', 'young']) writeFileSync(join(folder, 'tmp', name), 'x')
    utimesSync(join(folder, 'tmp', 'old'), 1, 1)
    expect(await blobs.sweepTemporary()).toBe(1)
    expect(readdirSync(join(folder, 'tmp'))).toEqual(['young'])
  })

  it('loses no acknowledged blob to kill -9, and keeps no half ones: 20 rounds', async () => {
    const script = await bundleChild('test/platform/killed-put.ts')
    const folder = makeBlobFolder()
    const blobs = openBlobFolder(folder)
    let acknowledged = 0
    let left = 0
    for (let round = 0; round < 20; round++) {
      const child = startChild(script, [folder])
      await child.says('put ')
      await sleep(Math.random() * 60)
      await child.kill()
      left += readdirSync(join(folder, 'tmp')).length
      for (const line of child.output.filter((text) => /^put [0-9a-f]{64}$/.test(text))) {
        acknowledged++
        expect(await blobs.size(line.slice(4))).toBeDefined()
      }
      await blobs.sweepTemporary({ olderThanMilliseconds: -1000 })
      expect(readdirSync(join(folder, 'tmp'))).toEqual([])
    }
    for await (const { hash, size } of blobs.list()) {
      const file = join(folder, hash.slice(0, 2), hash.slice(2))
      expect(statSync(file).size).toBe(size)
      expect(sha(readFileSync(file))).toBe(hash)
    }
    console.log(`20 kills: ${acknowledged} blobs acknowledged, 0 lost; ${left} half ones swept`)
  }, 120_000)
})
