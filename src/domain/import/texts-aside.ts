/**
 * Many texts of Markdown read in a thread of their own, some at a time: what remains for the event loop is to keep what comes
 * back. Those that are heavy go one by one: what a text does to the thread, it does to itself alone.
 */
import { randomUUID } from 'node:crypto'
import type { FrontMatter } from '../../core/document/read/from-markdown.ts'
import { maxSize } from '../../core/document/tree/size.ts'
import { type ApiError, invalid } from '../../core/errors.ts'
import type { SummaryPart } from '../../core/repository/summary.ts'
import type { PathIndex } from '../../core/repository/targets.ts'
import type { PrintedExtract } from '../../core/search/extract.ts'
import type { PackedDocument } from '../../store/content/content.ts'
import { type TaskOptions, ThreadError } from '../../threads/pool.ts'
import type { Threads } from '../../threads/supervisor.ts'
import type { TextWorkTask } from './text-work.ts'

export interface TextToRead {
  path: string
  markdown: string
  /** JSON of the document that it replaces. */
  previous?: string | undefined
}

/** A large document that was read already. */
export interface DocumentToSettle {
  path: string
  /** JSON of it, and of the one that it replaces. */
  document: string
  previous?: string | undefined
}

/** A piece of a table of contents, and whether others before it said something. */
export interface SummaryToRead {
  summary: string
  isBegun: boolean
}

export type TextsTask =
  | { index: SharedIndex; texts: TextToRead[] }
  | { index: SharedIndex; settle: DocumentToSettle }
  | SummaryToRead
  | TextWorkTask

/** All that links can lead to, in memory that both threads see: it grows with the import, and is sent with every few texts. */
export interface SharedIndex {
  id: string
  bytes: SharedArrayBuffer
}

/** As it is to be stored, unless it says what it said before. */
export interface Settled {
  isSame: boolean
  document?: PackedDocument | undefined
  /** What it prints as, packed as it is stored: printed while the tree is at hand, which nobody then reads again for it. */
  printed?: Uint8Array | undefined
  /** What search and links take from it, for the same reason. */
  extract?: PrintedExtract | undefined
}

/** What was read; `document` is absent when there is nothing in it. */
export interface TextRead extends Settled {
  frontMatter: FrontMatter
  title?: string | undefined
}

export type TextAnswer = TextRead | 'too large'

/** With fewer texts than this, starting a thread would cost more than it saves. */
export const fewTexts = 100

/** A few: what comes back at once is taken over in one turn of the event loop. */
const mostTexts = 4
const mostLetters = 32 * 1024
/** For some texts, or one that is heavy, to be read and printed. */
const textsMilliseconds = 30_000

/** The thread keeps what it has made of it for as long as it gets the same. */
export function shareIndex({ exact, routes }: PathIndex): SharedIndex {
  const text = Buffer.from(JSON.stringify({ exact: [...exact], ...(routes ? { routes: [...routes] } : {}) }))
  const bytes = new SharedArrayBuffer(text.length)
  text.copy(Buffer.from(bytes))
  return { id: randomUUID(), bytes }
}

/** Texts that cannot be read are told in their places; only one that comes alone may take too long. */
export async function readTextsAside(
  threads: Threads,
  index: SharedIndex,
  texts: TextToRead[],
  limits: TaskOptions = { milliseconds: textsMilliseconds },
): Promise<(TextRead | ApiError)[]> {
  const [only, ...more] = texts
  try {
    const answers = await ask<TextAnswer[]>(threads, { index, texts }, limits)
    return answers.map((read, i) => (read === 'too large' ? tooLarge(texts[i]?.path ?? '') : read))
  } catch (error) {
    if (!only || more.length > 0 || !isTooMuch(error)) throw error
    return [invalid(only.path, 'takes too long to read: it holds too many marks, cells or list items')]
  }
}

const tooLarge = (path: string): ApiError =>
  invalid(path, `holds more than ${maxSize} blocks, cells, texts and marks: part it`)

export async function settleAside(threads: Threads, index: SharedIndex, settle: DocumentToSettle): Promise<Settled> {
  try {
    return await ask(threads, { index, settle })
  } catch (error) {
    throw isTooMuch(error) ? invalid(settle.path, 'takes too long to store: it holds too many blocks or cells') : error
  }
}

const isTooMuch = (error: unknown): boolean =>
  error instanceof ThreadError && (error.code === 'timeout' || error.code === 'out_of_memory')

export const readSummaryAside = (threads: Threads, piece: SummaryToRead): Promise<SummaryPart[]> => ask(threads, piece)

/** Both ends of the thread are ours. */
export const ask = <Answer>(threads: Threads, task: TextsTask, limits?: TaskOptions): Promise<Answer> =>
  threads.run('texts', task, limits) as Promise<Answer>

/** As many texts as are read in some hundredths of a second; a heavy one alone. */
export function* batchesOf<T extends { text: { markdown: string } }>(
  items: readonly T[],
  isHeavy: (item: T) => boolean,
): Generator<T[]> {
  let batch: T[] = []
  let letters = 0
  for (const item of items) {
    if (isHeavy(item)) {
      yield [item]
      continue
    }
    batch.push(item)
    letters += item.text.markdown.length
    if (batch.length < mostTexts && letters < mostLetters) continue
    yield batch
    batch = []
    letters = 0
  }
  if (batch.length > 0) yield batch
}
