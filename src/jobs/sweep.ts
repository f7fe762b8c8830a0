/**
 * Removes nodes, documents and files that no revision refers to any more, such as those of spaces that were purged.
 *
 * First everything that any revision needs is marked, then what is not marked and was not written lately is removed. Both
 * go in small steps, each noted, so that a sweep that is interrupted goes on where it stopped. Why that is safe beside
 * writers is in docs/decisions/0016-sweep.md; in short:
 *
 * 1. What a writer stores is young, also when it was there before, and a sweep removes nothing young.
 * 2. What a writer takes over without storing it hangs on a revision that the sweep has marked, or on one that is young.
 * 3. A step checks in its transaction that the sweep is still the one that it belongs to.
 */
import { sweptBytes, sweptRows } from '../platform/metrics.ts'
import { blobsOfSpecs } from '../store/content/openapi.ts'
import type { Connection, Database } from '../store/database.ts'
import { mergeIndex } from '../store/search-index/merge.ts'
import * as store from '../store/upkeep/sweep.ts'
import { type JobKind, type JobRun, LeaseLost } from './kinds.ts'

/** For edits, which add up over the days; a space that comes at once is merged when it is indexed. */
const mergePace = { milliseconds: 3, pause: 2 }

const hour = 60 * 60 * 1000
const day = 24 * hour

export interface SweepOptions {
  /** What was written in this time before the sweep began is left alone. */
  graceMilliseconds: number
  /** A finished sweep is followed by the next after this long. */
  pauseMilliseconds: number
  /** Revisions, rows or files in one step. */
  step: number
}

interface Note {
  /** Tells one sweep from another. */
  id: string
  phase: 'mark' | 'treeNode' | 'document' | 'file' | 'done'
  /** How far the phase has come. */
  after: string
  writtenBefore: string
  begunAt: string
  endedAt?: string
}

/**
 * A sweep that was interrupted for longer than this is begun anew: a copy of a space that was made behind its back must not
 * outlive the space it was copied from, which lives on for seven days after its deletion.
 */
const longestMilliseconds = 2 * day

export const makeSweep = (options: SweepOptions): JobKind => ({
  every: hour,
  milliseconds: hour,
  run: (job) => new Sweep(job, options).run(),
})

export const sweep = makeSweep({ graceMilliseconds: day, pauseMilliseconds: day, step: 500 })

class Sweep {
  readonly #job: JobRun<unknown>
  readonly #db: Database
  readonly #options: SweepOptions

  constructor(job: JobRun<unknown>, options: SweepOptions) {
    this.#job = job
    this.#db = job.db
    this.#options = options
  }

  async run(): Promise<void> {
    let note = await this.#begin()
    while (note && note.phase !== 'done') {
      this.#job.signal.throwIfAborted()
      note = await this.#step(note)
    }
    await mergeIndex(this.#db, { ...mergePace, signal: this.#job.signal })
  }

  /** The sweep under way, or a new one; nothing when it is too early for one. */
  async #begin(): Promise<Note | undefined> {
    const known = parse(await store.readNote(this.#db))
    const now = Date.now()
    const isUnderWay = known && known.phase !== 'done'
    if (isUnderWay && Date.parse(known.begunAt) > now - longestMilliseconds) return known
    if (known?.endedAt !== undefined && Date.parse(known.endedAt) > now - this.#options.pauseMilliseconds)
      return undefined
    const before = new Date(now - this.#options.graceMilliseconds).toISOString()
    const { step: limit } = this.#options
    while ((await store.removeSuperseded(this.#db, { before, limit })) === limit) this.#job.signal.throwIfAborted()
    // The note goes first: marks without one are worth nothing, a note without its marks would be the end of everything.
    await this.#db.transaction((tx) => store.dropNote(tx), locked)
    while ((await store.removeMarks(this.#db, { limit: 5000 })) > 0) this.#job.signal.throwIfAborted()
    const writtenBefore = new Date(now - this.#options.graceMilliseconds).toISOString()
    const begunAt = new Date(now).toISOString()
    const note: Note = { id: this.#job.env.newId(), phase: 'mark', after: '', writtenBefore, begunAt }
    await this.#db.transaction((tx) => store.writeNote(tx, JSON.stringify(note)), locked)
    return note
  }

  #step(note: Note): Promise<Note> {
    if (note.phase === 'mark') return this.#mark(note)
    return note.phase === 'file' ? this.#removeFiles(note) : this.#removeRows(note)
  }

  async #mark(note: Note): Promise<Note> {
    const revisions = await store.listRevisions(this.#db.slow, { after: note.after, limit: this.#options.step })
    const last = revisions.at(-1)
    if (!last) return this.#save({ ...note, phase: 'treeNode', after: '' })
    const roots = new Set(revisions.flatMap(({ content }) => rootsOf(content)))
    const found = await this.#reach([...roots])
    // Children before parents: what is marked has all that hangs on it marked too, wherever the work is interrupted.
    for (const batch of batchesOf(found.reverse(), 1000)) {
      this.#job.signal.throwIfAborted()
      await store.addMarks(this.#db, { hashes: JSON.stringify(batch) })
    }
    return this.#save({ ...note, after: last.id })
  }

  /** What hangs on these nodes and is not marked yet, parents before children. */
  async #reach(roots: readonly string[]): Promise<string[]> {
    const { slow } = this.#db
    const found = new Set<string>()
    let level = [...roots]
    while (level.length > 0) {
      const below = new Set<string>()
      for (const batch of batchesOf(level, 200)) {
        this.#job.signal.throwIfAborted()
        const marked = await store.findMarked(slow, batch)
        const fresh = batch.filter((hash) => !marked.has(hash) && !found.has(hash))
        const nodes = await store.findNodes(slow, fresh)
        // What is missing would look like rubbish below it: better to stop than to make it worse.
        if (nodes.length < fresh.length) throw new Error('A revision lacks one of its nodes: run `lectern check`.')
        for (const { hash, value } of nodes) {
          found.add(hash)
          const held = heldBy(value)
          for (const child of held.nodes) below.add(child)
          for (const leaf of held.leaves) found.add(leaf)
        }
      }
      level = [...below]
    }
    return [...found]
  }

  async #removeRows(note: Note): Promise<Note> {
    const table = note.phase === 'document' ? 'document' : 'treeNode'
    const upTo = await store.endOfStretch[table](this.#db, { after: note.after, limit: this.#options.step })
    if (upTo === undefined) {
      // No hash comes after this.
      if (table === 'document')
        await this.#inStep(note, (tx) => store.removePrinted(tx, { after: note.after, upTo: '~' }))
      return this.#save({ ...note, phase: table === 'treeNode' ? 'document' : 'file', after: '' })
    }
    const next: Note = { ...note, after: upTo }
    const removed = await this.#inStep(note, async (tx) => {
      const rows = await store.removeUnmarked[table](tx, {
        after: note.after,
        upTo,
        writtenBefore: note.writtenBefore,
      })
      if (table === 'document') await store.removePrinted(tx, { after: note.after, upTo })
      await store.writeNote(tx, JSON.stringify(next))
      return rows
    })
    count(
      table,
      removed.map(({ length }) => Number(length)),
    )
    return next
  }

  async #removeFiles(note: Note): Promise<Note> {
    const { blobs } = this.#job.env
    let batch: { hash: string; size: number }[] = []
    let removed: number[] = []
    const flush = async (): Promise<void> => {
      const hashes = batch.map(({ hash }) => hash)
      // Once told apart by whole marks, rubbish stays rubbish: only putting it again makes it a file, and young.
      const [marked, ofSpecs] = await this.#inStep(note, async (tx) => [
        await store.findMarked(tx, hashes),
        await blobsOfSpecs(tx, hashes),
      ])
      for (const { hash, size } of batch) {
        if (marked.has(hash) || ofSpecs.has(hash)) continue
        if (await blobs.delete(hash, { putBefore: new Date(note.writtenBefore) })) removed.push(size)
      }
      count('file', removed)
      batch = []
      removed = []
    }
    for await (const blob of blobs.list()) {
      this.#job.signal.throwIfAborted()
      batch.push(blob)
      if (batch.length >= this.#options.step) await flush()
    }
    if (batch.length > 0) await flush()
    const ended = await this.#save({ ...note, phase: 'done', endedAt: new Date().toISOString() })
    this.#job.log.info({ sweep: note.id }, 'swept content that nothing refers to')
    return ended
  }

  async #save(note: Note): Promise<Note> {
    await this.#inStep(note, (tx) => store.writeNote(tx, JSON.stringify(note)))
    return note
  }

  /** Steps take turns with those of other processes, and end when another has begun anew. */
  #inStep<T>(note: Note, work: (tx: Connection) => Promise<T>): Promise<T> {
    return this.#db.transaction(async (tx) => {
      if (parse(await store.readNote(tx))?.id !== note.id) throw new LeaseLost('Another worker sweeps now.')
      return work(tx)
    }, locked)
  }
}

const locked = { lock: 'sweep' }

const parse = (note: string | undefined): Note | undefined => (note === undefined ? undefined : JSON.parse(note))

function rootsOf(content: string): string[] {
  const { pages, children, slugs, files, reusable } = JSON.parse(content)
  return [pages, children, slugs, files, reusable].map((root: { hash: string }) => root.hash)
}

/** What a node refers to: the nodes below an inner one, the documents and files of the records in a leaf. */
function heldBy(value: string): { nodes: string[]; leaves: string[] } {
  const node: { level: number; values: { hash?: string; document?: string; blob?: string }[] } = JSON.parse(value)
  if (node.level > 0) return { nodes: node.values.flatMap(({ hash }) => hash ?? []), leaves: [] }
  const records = node.values.filter((record) => typeof record === 'object' && record !== null)
  return { nodes: [], leaves: records.flatMap(({ document, blob }) => [document ?? [], blob ?? []].flat()) }
}

function count(kind: store.SweptTable | 'file', lengths: readonly number[]): void {
  if (lengths.length === 0) return
  sweptRows.inc({ kind }, lengths.length)
  sweptBytes.inc(
    { kind },
    lengths.reduce((sum, length) => sum + length, 0),
  )
}

function* batchesOf<T>(items: readonly T[], size: number): Generator<T[]> {
  for (let from = 0; from < items.length; from += size) yield items.slice(from, from + size)
}
