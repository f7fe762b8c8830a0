/**
 * Blobs in the database, for PostgreSQL mode: several hosts share files without sharing a disk.
 *
 * A file is a row of `blob` and its chunks. The hash is known only at the end, so a put first writes its chunks under a
 * temporary name (`~…`), each in a statement of its own, and one short transaction gives them their real one. Names that
 * begin with `~` are no blobs: nobody can ask for them, and a sweep removes those that a killed process left.
 */
import { createHash, randomUUID } from 'node:crypto'
import {
  abandonedMilliseconds,
  type BlobReader,
  type BlobStore,
  type ByteRange,
  type Bytes,
  isBlobHash,
  type StoredBlob,
} from '../../core/blobs.ts'
import { fail } from '../../core/errors.ts'
import type { Connection, Database } from '../database.ts'
import { all, first, run } from '../query.ts'

const blobChunkBytes = 256 * 1024

const listPage = 500

const find = first((b, p: { hash: string }) => b.selectFrom('blob').select('size').where('hash', '=', p.hash))

const findChunk = first((b, p: { hash: string; position: number }) =>
  b.selectFrom('blobChunk').select('bytes').where('hash', '=', p.hash).where('position', '=', p.position),
)

const listAfter = all((b, p: { hash: string }) =>
  b
    .selectFrom('blob')
    .select(['hash', 'size'])
    .where('hash', '>', p.hash)
    .where('hash', '<', '~')
    .orderBy('hash')
    .limit(listPage),
)

const insert = run((b, p: { hash: string; size: number; createdAt: string }) =>
  b
    .insertInto('blob')
    .values({ hash: p.hash, size: p.size, createdAt: p.createdAt })
    .onConflict((oc) => oc.doNothing()),
)

const insertChunk = run((b, p: { hash: string; position: number; bytes: Uint8Array }) =>
  b.insertInto('blobChunk').values({ hash: p.hash, position: p.position, bytes: p.bytes }),
)

const nameChunks = run((b, p: { from: string; to: string }) =>
  b.updateTable('blobChunk').set({ hash: p.to }).where('hash', '=', p.from),
)

const touch = run((b, p: { hash: string; now: string }) =>
  b.updateTable('blob').set({ createdAt: p.now }).where('hash', '=', p.hash),
)

const remove = run((b, p: { hash: string }) => b.deleteFrom('blob').where('hash', '=', p.hash))

const removeOlder = run((b, p: { hash: string; putBefore: string }) =>
  b.deleteFrom('blob').where('hash', '=', p.hash).where('createdAt', '<', p.putBefore),
)

const removeDrafts = run((b, p: { oldest: string }) =>
  b.deleteFrom('blob').where('hash', '>=', '~').where('createdAt', '<', p.oldest),
)

/** Reads the blobs as one connection sees them: the database's present, or the moment of a snapshot. */
export const readBlobs = (db: Connection): BlobReader => ({
  size: async (hash) => (isBlobHash(hash) ? (await find(db, { hash }))?.size : undefined),

  async open(hash, range = {}) {
    const size = isBlobHash(hash) ? (await find(db, { hash }))?.size : undefined
    return size === undefined ? undefined : readRange(db, { hash, size }, range)
  },

  async *list() {
    for (let last = ''; ; ) {
      const page: StoredBlob[] = await listAfter(db, { hash: last })
      yield* page
      const end = page.at(-1)
      if (!end || page.length < listPage) return
      last = end.hash
    }
  },
})

export const openBlobTable = (db: Database): BlobStore => ({
  ...readBlobs(db),

  async put(source, { limit }) {
    const draft = `~${randomUUID()}`
    await insert(db, { hash: draft, size: 0, createdAt: new Date().toISOString() })
    try {
      const blob = await writeDraft(db, draft, source, limit)
      await settle(db, draft, blob)
      return blob
    } catch (error) {
      await remove(db, { hash: draft }).catch(() => {
        // The sweep will remove it: the first error is the one to tell.
      })
      throw error
    }
  },

  async delete(hash, { putBefore } = {}) {
    if (!isBlobHash(hash)) return false
    const removed = putBefore
      ? await removeOlder(db, { hash, putBefore: putBefore.toISOString() })
      : await remove(db, { hash })
    return removed > 0
  },

  // A backup reads the blobs in its snapshot, where a later delete does not reach.
  hold: async () => async () => {},

  sweepTemporary: ({ olderThanMilliseconds = abandonedMilliseconds } = {}) =>
    removeDrafts(db, { oldest: new Date(Date.now() - olderThanMilliseconds).toISOString() }),
})

async function writeDraft(db: Connection, draft: string, source: Bytes, limit: number): Promise<StoredBlob> {
  const sha = createHash('sha256')
  let size = 0
  let position = 0
  for await (const bytes of cut(limited(source, limit))) {
    sha.update(bytes)
    size += bytes.length
    await insertChunk(db, { hash: draft, position: position++, bytes })
  }
  return { hash: sha.digest('hex'), size }
}

async function settle(db: Database, draft: string, { hash, size }: StoredBlob): Promise<void> {
  await db.transaction(async (tx) => {
    const now = new Date().toISOString()
    // Whoever inserts the name first brings the chunks; a put of the same bytes at the same time waits here, then finds it.
    const isNew = (await insert(tx, { hash, size, createdAt: now })) > 0
    if (isNew) await nameChunks(tx, { from: draft, to: hash })
    else if ((await touch(tx, { hash, now })) === 0)
      throw fail('conflict', 'The file was being removed. Send it again.')
    await remove(tx, { hash: draft })
  })
}

async function* limited(source: Bytes, limit: number): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const bytes of source) {
    size += bytes.length
    if (size > limit) throw fail('too_large', `The file is larger than ${limit} bytes.`)
    yield bytes
  }
}

/** The same bytes in chunks of one size, whatever the pieces they came in. A chunk is good until the next is asked for. */
async function* cut(source: Bytes): AsyncGenerator<Uint8Array> {
  const chunk = Buffer.allocUnsafe(blobChunkBytes)
  let filled = 0
  for await (const bytes of source) {
    for (let taken = 0; taken < bytes.length; ) {
      const part = bytes.subarray(taken, taken + blobChunkBytes - filled)
      chunk.set(part, filled)
      filled += part.length
      taken += part.length
      if (filled < blobChunkBytes) continue
      yield chunk
      filled = 0
    }
  }
  if (filled > 0) yield chunk.subarray(0, filled)
}

async function* readRange(db: Connection, { hash, size }: StoredBlob, range: ByteRange): AsyncGenerator<Uint8Array> {
  const start = range.start ?? 0
  const end = Math.min(range.end ?? size - 1, size - 1)
  for (let position = Math.floor(start / blobChunkBytes); position * blobChunkBytes <= end; position++) {
    const chunk = await findChunk(db, { hash, position })
    if (!chunk) throw new Error(`The blob ${hash} lacks its chunk ${position}.`)
    const from = position * blobChunkBytes
    yield chunk.bytes.subarray(Math.max(0, start - from), end - from + 1)
  }
}
