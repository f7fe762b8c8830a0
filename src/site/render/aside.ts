/**
 * Heavy pages are written in a thread of their own, so that whoever asks for one does not hold up everyone else.
 *
 * 1. Which page is heavy is told from its document, by counting until it is known.
 * 2. The thread has no database: through a port it asks for parts that were rendered before, and it hands back those it made.
 * 3. A page that takes longer than its kind of thread may (threads/kinds.ts) is given up with its thread, and for a while nobody tries it again.
 */
import { setImmediate as breath } from 'node:timers/promises'
import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { LRUCache } from 'lru-cache'
import { definesMacros } from '../../core/document/formula.ts'
import type { ToMarkdownOptions } from '../../core/document/to-markdown.ts'
import type { JSONDocument, Node } from '../../core/document/tree/nodes.ts'
import { holdsMore } from '../../core/document/tree/size.ts'
import { childrenOf } from '../../core/document/tree/walk.ts'
import { printPieces } from '../../core/json-pieces.ts'
import type { Threads } from '../../threads/supervisor.ts'
import type { Body, BodyInput } from './body.ts'
import type { RenderTools } from './highlight.ts'
import type { RenderedParts } from './parts.ts'

/** Document and specs as text: copying a large tree value by value takes longer than printing it. */
export interface RenderTask extends Omit<BodyInput, 'document' | 'specs'> {
  document: string
  specs: string
  /** Takes hashes, and gives what `RenderedParts` finds of them. */
  parts: MessagePort
}
export interface Written {
  body: Body
  made: ReadonlyMap<string, Uint8Array>
}
/** A document to print as Markdown; `targets` are where its references lead, by `refKey`. */
export interface PrintTask {
  markdown: string
  title: string
  frontMatter: ToMarkdownOptions['frontMatter']
  targets: readonly (readonly [ref: string, target: string])[]
}

const givenUpMilliseconds = 60_000
/** Above this a page takes longer than a few milliseconds to write. */
const heavyWeight = 3_000
/** What one of these costs, where a word of plain text in a paragraph is one. */
const weights: Readonly<Record<string, number>> = { embed: 10, table: 50, images: 5 }
const leastFormula = 60
/** A formula costs by its letters; what one with definitions becomes is known when it is drawn. */
const letterOfFormula = 3

function weightOf(node: Node): number {
  if (node.object === 'text') return 1
  if (node.object === 'fragment' || (node.type !== 'math' && node.type !== 'inline-math'))
    return weights[node.type] ?? 1
  const { formula } = node.data
  return definesMacros(formula) ? heavyWeight + 1 : Math.max(leastFormula, letterOfFormula * formula.length)
}

/** Whether writing it would hold up others. */
export function isHeavy(document: JSONDocument): boolean {
  let weight = 0
  const add = (node: Node): boolean => {
    weight += weightOf(node)
    if (weight > heavyWeight) return true
    if (node.object !== 'text') for (const child of childrenOf(node)) if (add(child)) return true
    return false
  }
  return document.nodes.some(add)
}

/** Printing is slower than writing a page, because what is printed is read back. */
const long = { nodes: 800, letters: 50_000 }

/** Whether printing it as Markdown would hold up others. */
export const isLong = (document: JSONDocument): boolean => holdsMore(document, long)

/** The Markdown of a long document. */
export async function printAside(
  threads: Threads,
  document: JSONDocument,
  task: Omit<PrintTask, 'markdown'>,
): Promise<string> {
  return String(await threads.run('render', { ...task, markdown: await printInSteps(document) } satisfies PrintTask))
}

const stepMilliseconds = 8

/** What `JSON.stringify` prints, with turns for others. */
async function printInSteps(value: object): Promise<string> {
  let text = ''
  let since = performance.now()
  for (const piece of printPieces(value)) {
    text += piece
    if (performance.now() - since < stepMilliseconds) continue
    await breath()
    since = performance.now()
  }
  return text
}

const givenUp = new LRUCache<string, true>({ max: 500, ttl: givenUpMilliseconds })

/** The text of a page; undefined when it cannot be made in time. `key` names the page. */
export async function renderAside(
  { threads, renderedParts }: Pick<RenderTools, 'renderedParts'> & { threads: Threads },
  input: BodyInput,
  key: string,
): Promise<Body | undefined> {
  if (givenUp.has(key)) return undefined
  const { document, specs = [], ...rest } = input
  const texts = { document: await printInSteps(document), specs: await printInSteps([...specs]) }
  const { port1: answering, port2: asking } = new MessageChannel()
  const task: RenderTask = { ...rest, ...texts, parts: asking }
  answering.on('message', async (hashes: string[]) => answering.postMessage(await findParts(renderedParts, hashes)))
  try {
    const { body, made } = (await threads.run('render', task, { transfer: [asking] })) as Written
    for (const [hash, bytes] of made) renderedParts?.keep(hash, bytes)
    return body
  } catch {
    givenUp.set(key, true)
    return undefined
  } finally {
    answering.close()
  }
}

/** What cannot be found now is made again. */
async function findParts(
  parts: RenderedParts | undefined,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, Uint8Array>> {
  try {
    return (await parts?.find(hashes)) ?? new Map()
  } catch {
    return new Map()
  }
}
