/**
 * Heavy pages are written in a thread of their own, so that whoever asks for one does not hold up everyone else.
 *
 * 1. Which page is heavy is told from its document, by counting until it is known.
 * 2. A page that takes longer than `patience` is given up with its thread, and for a while nobody tries it again.
 */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { LRUCache } from 'lru-cache'
import type { JSONDocument, Node } from '../../core/document/tree/nodes.ts'
import { childrenOf } from '../../core/document/tree/walk.ts'
import { type Body, type BodyInput, renderBody } from './body.ts'

/** Document and specs as text: copying a large tree value by value takes longer than printing it. */
export type AsideRequest = { id: number; input: Omit<BodyInput, 'document' | 'specs'>; document: string; specs: string }
export type AsideReply = { id: number; body: Body | undefined }

const patience = 15_000
const givenUpMilliseconds = 60_000
/** Above this a page takes longer than a few milliseconds to write. */
const heavyWeight = 3_000
/** What one of these costs, where a word of plain text in a paragraph is one. */
const weights: Readonly<Record<string, number>> = { math: 60, 'inline-math': 60, embed: 10, table: 50, images: 5 }

/** Whether writing it would hold up others. */
export function isHeavy(document: JSONDocument): boolean {
  let weight = 0
  const add = (node: Node): boolean => {
    weight += 'type' in node ? (weights[node.type] ?? 1) : 1
    if (weight > heavyWeight) return true
    if (node.object !== 'text') for (const child of childrenOf(node)) if (add(child)) return true
    return false
  }
  return document.nodes.some(add)
}

interface Waiting {
  request: AsideRequest
  answer: (body: Body | undefined) => void
}
const waiting = new Map<number, Waiting>()
const givenUp = new LRUCache<string, true>({ max: 500, ttl: givenUpMilliseconds })
let worker: Worker | undefined
let timer: NodeJS.Timeout | undefined
let next = 1

/** The text of a page; undefined when it cannot be made in time. `key` names the page. */
export async function renderAside(input: BodyInput, key: string): Promise<Body | undefined> {
  const file = threadFile()
  if (file === undefined) return renderBody(input)
  if (givenUp.has(key)) return undefined
  const body = await new Promise<Body | undefined>((answer) => {
    const { document, specs = [], ...rest } = input
    const request = {
      id: next++,
      input: rest,
      document: JSON.stringify(document),
      specs: JSON.stringify([...specs]),
    }
    waiting.set(request.id, { request, answer })
    worker ??= start(file)
    worker.postMessage(request)
    if (waiting.size === 1) wind(request.id)
  })
  if (body === undefined) givenUp.set(key, true)
  return body
}

function start(file: string): Worker {
  const thread = new Worker(file, { resourceLimits: { maxOldGenerationSizeMb: 256 } })
  // A thread that answers nobody must not keep the process alive.
  thread.unref()
  thread.on('message', ({ id, body }: AsideReply) => settle(id, body))
  thread.on('error', () => replace(thread))
  thread.on('exit', () => replace(thread))
  return thread
}

function settle(id: number, body: Body | undefined): void {
  const asked = waiting.get(id)
  if (asked === undefined) return
  clearTimeout(timer)
  waiting.delete(id)
  asked.answer(body)
  const [oldest] = waiting.keys()
  if (oldest !== undefined) wind(oldest)
}

/** Only the oldest is being worked on; the clock of the others starts when their turn comes. */
function wind(id: number): void {
  timer = setTimeout(() => replace(worker, id), patience)
  timer.unref()
}

/** The page that was being written has ended its thread, or did not end: it is given up, the others go on in a new one. */
function replace(thread: Worker | undefined, id = [...waiting.keys()][0]): void {
  if (thread === undefined || thread !== worker) return
  worker = undefined
  void thread.terminate()
  const file = threadFile()
  const others = [...waiting.values()].filter(({ request }) => request.id !== id)
  if (file !== undefined && others.length > 0) {
    worker = start(file)
    for (const { request } of others) worker.postMessage(request)
  }
  if (id !== undefined) settle(id, undefined)
}

let known: { file: string | undefined } | undefined

/** The built file of the thread: beside the bundle, or in dist/ when the sources run unbundled. */
function threadFile(): string | undefined {
  const places = ['./render.js', '../../../dist/render.js'].map((place) =>
    fileURLToPath(new URL(place, import.meta.url)),
  )
  known ??= { file: places.find((place) => existsSync(place)) }
  return known.file
}
