/**
 * Makes parts of pages one after the other, and so that nobody waits for it: none while readers have work for the threads that
 * make them, and after each a rest as long as it took. What is behind one part in its thread waits for that one at most.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { missingParts, storeMadeAhead } from '../../domain/sites/rendered-parts.ts'
import type { Part } from '../../site/render/parts.ts'
import type { Database } from '../../store/database.ts'
import { TimeSlices } from '../../store/time-slices.ts'
import type { Threads } from '../../threads/supervisor.ts'

/** So many are stored together. */
const aStep = 16
const mostRestMilliseconds = 200
/** Whoever renders without a pause for this long lets one part through. */
const mostWaitMilliseconds = 2_000

/** So many are looked for together: those of a page can be thousands. */
const lookedForAtOnce = 200

interface Rendering {
  db: Database
  signal: AbortSignal
}

/** Makes and stores those that are not stored yet; how many it stored. */
export async function renderParts(rendering: Rendering, parts: readonly Part[]): Promise<number> {
  const slices = new TimeSlices()
  let stored = 0
  for (let at = 0; at < parts.length; at += lookedForAtOnce) {
    stored += await renderMissing(rendering, parts.slice(at, at + lookedForAtOnce))
    await slices.next()
  }
  return stored
}

async function renderMissing({ db, signal }: Rendering, parts: readonly Part[]): Promise<number> {
  const missing = await missingParts(
    db,
    parts.map(({ hash }) => hash),
  )
  let made = new Map<string, Uint8Array>()
  let stored = 0
  const store = async (): Promise<void> => {
    await storeMadeAhead(db, made)
    stored += made.size
    made = new Map()
  }
  for (const part of parts) {
    if (!missing.has(part.hash)) continue
    await untilIdle(db.threads, signal)
    const began = performance.now()
    const bytes = await part.make(db.threads)
    // A thread that was ended with the process gave nothing.
    signal.throwIfAborted()
    if (bytes) made.set(part.hash, bytes)
    if (made.size >= aStep) await store()
    await sleep(Math.min(performance.now() - began, mostRestMilliseconds), undefined, { signal })
  }
  await store()
  return stored
}

async function untilIdle(threads: Threads, signal: AbortSignal): Promise<void> {
  const until = performance.now() + mostWaitMilliseconds
  while (isBusy(threads) && performance.now() < until) await sleep(20, undefined, { signal })
}

/** Readers wait for both: for code, and for heavy pages. */
const isBusy = (threads: Threads): boolean =>
  threads.list().some(({ kind, running, waiting }) => /^(highlight|render)$/.test(kind) && running + waiting > 0)
