/**
 * From the source of a spec to what a version holds: fetched by the guarded fetch only, also what it refers to, and read in a
 * thread, because the bytes come from anyone. What is wrong with a source is an outcome here, not an error.
 */

import type { BlobStore } from '../../core/blobs.ts'
import type { OneOf, specErrorCodes } from '../../core/enumerations.ts'
import { cutTo } from '../../core/text.ts'
import { FetchError, type FetchRequest, type GuardedFetch } from '../../platform/fetch.ts'
import { ByteParts } from '../../threads/byte-parts.ts'
import { ThreadError } from '../../threads/pool.ts'
import type { Threads } from '../../threads/supervisor.ts'

/** What goes to the thread and comes back is bytes, which are handed over: nothing here takes longer for a larger spec. */
export type SpecTask = { bytes: Uint8Array[]; address: string; isRoot: boolean } | { files: SpecFile[] }
/** A document that refers to no other is the whole spec, and comes as such. */
export type ReadDocument = { json: Uint8Array<ArrayBuffer>; addresses: string[] } | BuiltSpec
/** The root is a part of the content. */
export type BuiltSpec =
  | { parts: Uint8Array; content: Uint8Array; root: { start: number; end: number } }
  | { problems: string[] }

/** A document of a spec, as JSON. */
export interface SpecFile {
  address: string
  json: Uint8Array<ArrayBuffer>
}

export type ProcessErrorCode = OneOf<typeof specErrorCodes>
export interface ProcessFailure {
  code: ProcessErrorCode
  messages: string[]
}

export interface Processed {
  /** Hashes of blobs. */
  content: string
  root: string
  parts: string
}

const processLimits = {
  /** Documents that one spec may be spread over. */
  files: 100,
  bytes: 25 * 1024 * 1024,
  /** All fetches of one spec together. */
  fetchMilliseconds: 60_000,
} as const

export interface SpecSource {
  /** What the first document is called: its address, or a name that leads nowhere. */
  address: string
  bytes: () => Promise<ByteParts>
}

class Failed extends Error {
  readonly failure: ProcessFailure
  constructor(failure: ProcessFailure) {
    super(failure.messages.join(' '))
    this.failure = failure
  }
}

interface Tools {
  blobs: BlobStore
  fetch: GuardedFetch
  threads: Threads
}

export async function processSpec(
  { blobs, fetch, threads }: Tools,
  source: SpecSource,
  signal: AbortSignal,
): Promise<Processed | ProcessFailure> {
  try {
    const built = await build({ fetch, threads }, source, signal)
    if ('problems' in built) throw new Failed({ code: 'PARSE_ERROR', messages: built.problems })
    const { content, parts, root } = built
    return {
      content: await put(blobs, content),
      root: await put(blobs, content.subarray(root.start, root.end)),
      parts: await put(blobs, parts),
    }
  } catch (error) {
    if (error instanceof Failed) return error.failure
    throw error
  }
}

async function build(tools: Omit<Tools, 'blobs'>, source: SpecSource, signal: AbortSignal): Promise<BuiltSpec> {
  const files = await collect(tools, source, signal)
  if (!Array.isArray(files)) return files
  const transfer = files.map(({ json }) => json.buffer)
  return (await inThread(tools.threads, { files }, { address: source.address, transfer, signal })) as BuiltSpec
}

/** The first document and all that it leads to; or the spec, when that is nothing. */
async function collect(
  { fetch, threads }: Omit<Tools, 'blobs'>,
  source: SpecSource,
  signal: AbortSignal,
): Promise<SpecFile[] | BuiltSpec> {
  const deadline = Date.now() + processLimits.fetchMilliseconds
  const files: SpecFile[] = []
  const known = new Set([source.address])
  const waiting = [source.address]
  let left: number = processLimits.bytes
  for (let address = waiting.shift(); address !== undefined; address = waiting.shift()) {
    const isRoot = files.length === 0
    const received = isRoot
      ? await named(address, source.bytes())
      : await fetchOther(fetch, address, { bytes: left, milliseconds: deadline - Date.now(), signal })
    left -= received.length
    const { parts: bytes, transfer } = received.take()
    const read = (await inThread(threads, { bytes, address, isRoot }, { address, transfer, signal })) as ReadDocument
    if ('problems' in read) {
      const where = isRoot ? '' : `${address}: `
      throw new Failed({ code: 'PARSE_ERROR', messages: read.problems.map((problem) => where + problem) })
    }
    if ('content' in read) return read
    files.push({ address, json: read.json })
    for (const other of read.addresses) {
      if (known.has(other)) continue
      known.add(other)
      waiting.push(other)
    }
    if (known.size > processLimits.files)
      throw parseError(`The spec refers to more than ${processLimits.files} documents.`)
  }
  return files
}

async function fetchOther(
  fetch: GuardedFetch,
  address: string,
  limits: { bytes: number; milliseconds: number; signal: AbortSignal },
): Promise<ByteParts> {
  // Nothing is read from this machine: a spec that was sent as text has nothing beside it.
  if (!/^[a-z][a-z0-9+.-]*:/i.test(address))
    throw parseError(`It refers to ${cutTo(address, 200)}, and has no address from which that could be found.`)
  if (limits.milliseconds <= 0)
    throw new Failed({ code: 'FETCH_TIMEOUT', messages: ['The documents it refers to took too long to fetch.'] })
  return named(address, fetchParts(fetch, address, limits))
}

export async function fetchParts(fetch: GuardedFetch, address: string, request: FetchRequest): Promise<ByteParts> {
  const bytes = new ByteParts()
  await fetch(address, { ...request, into: async (part) => bytes.add(part) })
  return bytes
}

/** What a fetch fails with, as what the spec failed with. */
async function named(address: string, fetching: Promise<ByteParts>): Promise<ByteParts> {
  try {
    return await fetching
  } catch (error) {
    if (!(error instanceof FetchError)) throw error
    const code = error.code === 'FETCH_TIMEOUT' ? 'FETCH_TIMEOUT' : 'FETCH_ERROR'
    throw new Failed({ code, messages: [`${cutTo(address, 300)}: ${error.message}`] })
  }
}

async function inThread(
  threads: Threads,
  task: SpecTask,
  { address, transfer, signal }: { address: string; transfer: ArrayBuffer[]; signal: AbortSignal },
): Promise<unknown> {
  try {
    return await threads.run('openapi', task, { signal, transfer })
  } catch (error) {
    if (!(error instanceof ThreadError) || error.code === 'stopped') throw error
    const reason =
      error.code === 'timeout' || error.code === 'out_of_memory' || error.code === 'crashed'
        ? 'takes too much time or memory to read'
        : 'cannot be read'
    throw parseError(`${cutTo(address, 300)} ${reason}.`)
  }
}

const parseError = (message: string): Failed => new Failed({ code: 'PARSE_ERROR', messages: [message] })

/** Stored some at a time: hashing five megabytes at a stretch would hold up others. */
const storedAtOnce = 256 * 1024

async function put(blobs: BlobStore, bytes: Uint8Array): Promise<string> {
  const source = (async function* () {
    for (let from = 0; from < bytes.length; from += storedAtOnce) yield bytes.subarray(from, from + storedAtOnce)
  })()
  return (await blobs.put(source, { limit: bytes.length })).hash
}
