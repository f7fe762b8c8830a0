/**
 * Where the nodes of revisions and the documents of pages lie: under the hash of their text, stored once.
 *
 * Work on a large content is a long row of reads, most of them from the cache: each is a moment at which others may have
 * their turn of the event loop.
 *
 * What lies under a hash never changes, so it is cached without limit of time, by size. A writer collects new nodes and
 * documents in memory and stores at the end those that the finished revision needs; an attempt that is given up leaves
 * nothing behind.
 */
import { sql } from 'kysely'
import { type Cache, decodedBytes, defineCache } from '../../core/caches.ts'
import type { JSONDocument } from '../../core/document/tree/nodes.ts'
import { fits } from '../../core/json-pieces.ts'
import type { Content } from '../../core/revision/content.ts'
import type { Child, MapNode, MapRef, NodeStore } from '../../core/revision/map.ts'
import type { Threads } from '../../threads/supervisor.ts'
import type { Connection, Database, Value } from '../database.ts'
import { documentText, storedDocument, textOfDocument } from '../packed/document-text.ts'
import { pack, packAside, packOn, unpack } from '../packed/pack.ts'
import { dynamic, elementsOf, first, formed, oneOf, run } from '../query.ts'
import { parseInSlices, printInSlices, TimeSlices } from '../time-slices.ts'
import { contentHash } from './content-hash.ts'
import { nodesIn, readNode } from './read-nodes.ts'

const documentsIn = defineCache<JSONDocument>('documents', { share: 0.11 })

/** How many documents are fetched ahead: more would push each other out of the cache. */
const mostAhead = 3000

export interface ContentReader extends NodeStore {
  /** For heavy work on what was read. */
  readonly threads: Threads
  document(hash: string): Promise<JSONDocument>
  /** Its JSON as it is stored, for who does not need the tree; nothing when it is large or not stored at all. */
  documentText(hash: string): Promise<string | undefined>
  /** Fetches several at once, ahead of their reading; as many as are kept in memory anyway. */
  documentsAhead(hashes: readonly string[]): Promise<void>
}

/** JSON of a document as it is stored; `length` is that of the JSON. */
export interface PackedDocument {
  hash: string
  length: number
  packed: Uint8Array
}

export interface ContentWriter extends ContentReader {
  /** The hash under which the document will be found; `replaced` is the one whose place it takes, much like it. */
  saveDocument(document: JSONDocument, replaced?: string): Promise<string>
  /** The same of one that was hashed and packed elsewhere. */
  savePacked(document: PackedDocument, replaced?: string): void
  /** Stores what this content needs and the database does not hold yet. */
  flush(tx: Connection, spaceId: string, content: Content): Promise<void>
  /** Stores the documents of a large content some at a time, each step in a transaction of its own, ahead of `flush`. */
  storeAhead(db: Database): Promise<void>
}

export function readContent(db: Connection): ContentReader {
  return openContent(db)
}

export function openContent(db: Connection): ContentWriter {
  const newNodes = new Map<string, NewNode>()
  const newDocuments = new Map<string, NewText>()
  /** When a document was stored ahead: for a while it is known to be there still. */
  const storedAt = new Map<string, number>()
  const slices = new TimeSlices(4)
  const cachedNodes = nodesIn(db.caches)
  const cachedDocuments = documentsIn(db.caches)

  return {
    threads: db.threads,

    async load<V>(hash: string): Promise<MapNode<V>> {
      if (slices.isOver) await slices.next()
      const cached = cachedNodes.get(hash)
      if (cached) return cached as MapNode<V>
      const node = await readNode(db, hash)
      if (!node) throw new Error(`The content lacks its node ${hash}.`)
      return node as MapNode<V>
    },

    peek<V>(hash: string): MapNode<V> | undefined {
      return slices.isOver ? undefined : (cachedNodes.get(hash) as MapNode<V> | undefined)
    },

    async loadAll(hashes) {
      const missing = hashes.filter((hash) => !cachedNodes.has(hash))
      if (missing.length > 1) await Promise.all(missing.map((hash) => readNode(db, hash)))
    },

    save(node) {
      const text = JSON.stringify(node)
      const hash = contentHash(text)
      newNodes.set(hash, { node, ...newText(text) })
      cachedNodes.set(hash, node, decodedBytes(text.length))
      return hash
    },

    async document(hash) {
      if (slices.isOver) await slices.next()
      const cached = cachedDocuments.get(hash)
      if (cached) return cached
      const text = newDocuments.get(hash)?.text() ?? (await documentText(db, hash))
      if (text === undefined) throw new Error(`The content lacks its document ${hash}.`)
      return rememberDocument(cachedDocuments, hash, text)
    },

    async documentText(hash) {
      const text = newDocuments.get(hash)?.text() ?? (await documentText(db, hash))
      return text === undefined || text.length >= longestWhole ? undefined : text
    },

    async documentsAhead(hashes) {
      const missing = hashes.filter((hash) => !cachedDocuments.has(hash))
      for (const batch of missing.length < 2 ? [] : batches(missing.slice(0, mostAhead))) {
        const rows = await dynamic(db, (b) =>
          b
            .selectFrom('document')
            .selectAll()
            .where(oneOf(sql.ref('hash'), JSON.stringify(batch), db.engine)),
        )
        for (const row of rows) {
          await rememberDocument(cachedDocuments, row.hash, await textOfDocument(db, row))
          await slices.next()
        }
      }
    },

    async saveDocument(document, replaced) {
      const text = fits(document, smallValues) ? JSON.stringify(document) : await printInSlices(document)
      const hash = contentHash(text)
      newDocuments.set(hash, { ...newText(text), ...(replaced === undefined || replaced === hash ? {} : { replaced }) })
      cachedDocuments.set(hash, document, decodedBytes(text.length))
      return hash
    },

    savePacked({ hash, length, packed }, replaced) {
      const isOther = replaced !== undefined && replaced !== hash
      newDocuments.set(hash, { length, text: () => unpack(packed), packed, ...(isOther ? { replaced } : {}) })
    },

    // What was collected stays: a transaction that is run again stores it again.
    async flush(tx, spaceId, content) {
      await insertAll(tx, 'treeNode', reachable(content, newNodes))
      const fresh = Date.now() - hour / 2
      const left = [...newDocuments].filter(([hash]) => (storedAt.get(hash) ?? 0) < fresh)
      const documents = new Map(left)
      for (const [, fresh] of documents) await packOnReplaced(tx, fresh)
      await insertAll(tx, 'document', documents)
      await noteDocuments(tx, spaceId, [...newDocuments.keys()].sort())
    },

    async storeAhead(store) {
      const rows = [...newDocuments].filter(([hash]) => !storedAt.has(hash)).sort(([a], [b]) => (a < b ? -1 : 1))
      for (const batch of batches(rows, ([, fresh]) => packedLength(fresh), aheadLength)) {
        await packAll(batch)
        await store.transaction((tx) => insertBatch(tx, 'document', batch), { derived: true })
        for (const [hash] of batch) storedAt.set(hash, Date.now())
      }
    },
  }
}

/** How much is stored ahead in one transaction, packed: others wait for it, a millisecond or two. */
const aheadLength = 64 * 1024

/** Of what is not packed yet, about. */
const packedLength = ({ length, packed }: NewText): number => packed?.length ?? length / 8

function remember<T extends object>(cache: Cache<T>, hash: string, text: string): T {
  const value = JSON.parse(text) as T
  cache.set(hash, value, decodedBytes(text.length))
  return value
}

/** Reading one of several megabytes takes longer than anyone should wait for a turn. */
async function rememberDocument(cache: Cache<JSONDocument>, hash: string, text: string): Promise<JSONDocument> {
  if (text.length < largeText) return remember(cache, hash, text)
  const document = (await parseInSlices(text)) as JSONDocument
  cache.set(hash, document, decodedBytes(text.length))
  return document
}

/** Packed once, however often the transaction that stores it is run. */
interface NewText {
  length: number
  /** Of many that were packed elsewhere, the texts are not kept in memory: hardly anybody asks for one. */
  text: () => string
  packed?: Uint8Array
  /** A document of which it may be stored as what it changed, and whether it is. */
  replaced?: string
  base?: string
}

const newText = (text: string): NewText => ({ length: text.length, text: () => text })

interface NewNode extends NewText {
  node: MapNode<unknown>
}

/** Of the new nodes, those that the content hangs on; steps on the way there are left out. */
function reachable(content: Content, fresh: ReadonlyMap<string, NewNode>): Map<string, NewText> {
  const found = new Map<string, NewText>()
  const roots: MapRef[] = [content.pages, content.children, content.slugs, content.files, content.reusable]
  const queue = roots.map((root) => root.hash)
  for (let hash = queue.pop(); hash !== undefined; hash = queue.pop()) {
    const made = fresh.get(hash)
    if (made === undefined || found.has(hash)) continue
    found.set(hash, made)
    if (made.node.level > 0) for (const child of made.node.values as Child[]) queue.push(child.hash)
  }
  return found
}

async function insertAll(
  tx: Connection,
  table: 'treeNode' | 'document',
  values: ReadonlyMap<string, NewText>,
): Promise<void> {
  const slices = new TimeSlices(4)
  // In one order everywhere: two writers that store the same nodes wait for each other instead of locking crosswise.
  const rows = [...values].sort(([a], [b]) => (a < b ? -1 : 1))
  for (const batch of batches(rows, ([, { length }]) => length)) {
    await packAll(batch)
    await insertBatch(tx, table, batch)
    await slices.next()
  }
}

/** Packing or reading this takes a few milliseconds, and so does printing more than so many values. */
const largeText = 256 * 1024
/** As text it goes out in an eighth of the time that reading and printing it take, but at a stretch. */
const longestWhole = 512 * 1024
const smallValues = 20_000

/**
 * As what it changed in the document before, if that is there and goes on being there: said like everything else that is
 * needed again, so that no sweep takes it away.
 */
async function packOnReplaced(tx: Connection, fresh: NewText): Promise<void> {
  const { replaced } = fresh
  if (replaced === undefined) return
  // Of a transaction that is run again, the last time may have found what is gone now.
  if (fresh.base !== undefined) {
    delete fresh.base
    delete fresh.packed
  }
  const now = new Date()
  const stale = new Date(now.getTime() - hour).toISOString()
  await refresh.document(tx, { hashes: JSON.stringify([replaced]), writtenAt: now.toISOString(), stale })
  const row = await storedDocument(tx, { hash: replaced })
  if (!row) return
  const packed = packOn(fresh.text(), { text: await textOfDocument(tx, row), packed: row.packed })
  if (packed) Object.assign(fresh, { packed, base: replaced })
}

async function packAll(batch: readonly [string, NewText][]): Promise<void> {
  const slices = new TimeSlices(4)
  for (const [, fresh] of batch) {
    fresh.packed ??= fresh.length < largeText ? pack(fresh.text()) : await packAside(fresh.text())
    if (slices.isOver) await slices.next()
  }
}

const hour = 60 * 60 * 1000

/**
 * What is there already may be what a sweep is about to remove. Saying that it is needed again either comes first, and then
 * the sweep leaves it, or the sweep was first, and then it is put in again. See docs/decisions/0016-sweep.md.
 */
async function insertBatch(tx: Connection, table: HashedTable, batch: readonly [string, NewText][]): Promise<void> {
  const now = new Date()
  const writtenAt = now.toISOString()
  if ((await insertPacked(tx, table, batch, writtenAt)) === batch.length) return
  const hashes = JSON.stringify(batch.map(([hash]) => hash))
  await refresh[table](tx, { hashes, writtenAt, stale: new Date(now.getTime() - hour).toISOString() })
  await insertPacked(tx, table, batch, writtenAt)
}

/** So many rows a statement as there are, by powers of two: few statements to compile, and few to run. */
async function insertPacked(
  tx: Connection,
  table: HashedTable,
  batch: readonly [string, NewText][],
  writtenAt: string,
): Promise<number> {
  let inserted = 0
  for (let at = 0; at < batch.length; ) {
    const count = 2 ** Math.floor(Math.log2(batch.length - at))
    const values: Record<string, Value> = { writtenAt }
    for (const [i, [hash, { packed, base }]] of batch.slice(at, at + count).entries()) {
      values[`hash${i}`] = hash
      values[`base${i}`] = base ?? null
      values[`packed${i}`] = packed ?? null
    }
    inserted += (await insertRows(tx, { table, count }, values)).length
    at += count
  }
  return inserted
}

type HashedTable = 'treeNode' | 'document'

const insertRows = formed((b, p: Record<string, Value>, _, { table, count }: { table: HashedTable; count: number }) =>
  b
    .insertInto(table)
    .values(
      Array.from({ length: count }, (_, i) => ({
        hash: p[`hash${i}`] as string,
        value: '',
        packed: p[`packed${i}`] as Uint8Array,
        ...(table === 'document' ? { base: p[`base${i}`] as string | null } : {}),
        writtenAt: p.writtenAt as string,
      })),
    )
    .onConflict((oc) => oc.doNothing())
    .returning('hash'),
)

const refreshOf = (table: HashedTable) =>
  run((b, p: { hashes: string; writtenAt: string; stale: string }, engine) =>
    b
      .updateTable(table)
      .set({ writtenAt: p.writtenAt })
      .where(oneOf(sql.ref('hash'), p.hashes, engine))
      .where(sql<boolean>`coalesce("writtenAt", '') < ${p.stale}`),
  )
const refresh = { treeNode: refreshOf('treeNode'), document: refreshOf('document') }

/** Who sees the space may read these documents by hash. */
export async function noteDocuments(tx: Connection, spaceId: string, hashes: readonly string[]): Promise<void> {
  for (const batch of batches(hashes)) await insertSpaceDocuments(tx, { spaceId, hashes: JSON.stringify(batch) })
}

const insertSpaceDocuments = run((b, p: { spaceId: string; hashes: string }, engine) =>
  b
    .insertInto('spaceDocument')
    .columns(['spaceId', 'hash'])
    .expression(
      sql`select cast(${p.spaceId} as text), value ${sql.raw(engine === 'sqlite' ? '' : `#>> '{}'`)}
        from ${elementsOf(p.hashes, engine)} where true`,
    )
    .onConflict((oc) => oc.doNothing()),
)

/** Some at a time: no more than a hundred, nor much more than so many characters. */
function* batches<T>(
  items: readonly T[],
  sizeOfItem: (item: T) => number = () => 0,
  most = 256 * 1024,
): Generator<T[]> {
  let batch: T[] = []
  let size = 0
  for (const item of items) {
    batch.push(item)
    size += sizeOfItem(item)
    if (batch.length < 100 && size < most) continue
    yield batch
    batch = []
    size = 0
  }
  if (batch.length > 0) yield batch
}

/** Whether a space has ever held a document. */
export const spaceHolds = first((b, p: { spaceId: string; hash: string }) =>
  b.selectFrom('spaceDocument').select('hash').where('spaceId', '=', p.spaceId).where('hash', '=', p.hash),
)
