/**
 * Many texts of Markdown read in a thread of their own, some at a time: what remains for the event loop is to keep what comes
 * back. Those that are large go one by one to the thread that has a deadline for each (`content/markdown`).
 */
import type { FrontMatter } from '../../core/document/read/from-markdown.ts'
import type { SummaryPart } from '../../core/repository/summary.ts'
import type { PathIndex } from '../../core/repository/targets.ts'
import type { Threads } from '../../threads/supervisor.ts'

export interface TextToRead {
  path: string
  markdown: string
  /** JSON of the document that it replaces. */
  previous?: string | undefined
}

export type TextsTask = { index: string; texts: TextToRead[] } | { summary: string }

/** What was read; `json` is absent when there is nothing in it. */
export interface TextRead {
  frontMatter: FrontMatter
  title?: string | undefined
  isSame: boolean
  document?: { json: string; packed: Uint8Array } | undefined
}

/** With fewer texts than this, starting a thread would cost more than it saves. */
export const fewTexts = 100

const mostTexts = 16
const mostLetters = 96 * 1024

/** The index as it goes to the thread, which keeps what it has made of it for as long as it is the same. */
export const printIndex = ({ exact, routes }: PathIndex): string =>
  JSON.stringify({ exact: [...exact], ...(routes ? { routes: [...routes] } : {}) })

export const readTextsAside = (threads: Threads, index: string, texts: TextToRead[]): Promise<TextRead[]> =>
  threads.run('texts', { index, texts } satisfies TextsTask) as Promise<TextRead[]>

export const readSummaryAside = (threads: Threads, summary: string): Promise<SummaryPart[]> =>
  threads.run('texts', { summary } satisfies TextsTask) as Promise<SummaryPart[]>

/** As many texts as are read in a few tenths of a second. */
export function* batchesOf<T extends { text: { markdown: string } }>(items: readonly T[]): Generator<T[]> {
  let batch: T[] = []
  let letters = 0
  for (const item of items) {
    batch.push(item)
    letters += item.text.markdown.length
    if (batch.length < mostTexts && letters < mostLetters) continue
    yield batch
    batch = []
    letters = 0
  }
  if (batch.length > 0) yield batch
}
