/** Pages handed to the thread that parses them, and what comes back. */
import type { JSONDocument } from '../../core/document/tree/nodes.ts'
import type { PageListEntry } from '../../core/import/confluence-index.ts'
import type { DialectName } from '../../core/import/dialects.ts'
import { ThreadError } from '../../threads/pool.ts'
import type { Threads } from '../../threads/supervisor.ts'

export interface PageTask {
  path: string
  bytes: Uint8Array
  format: 'html' | 'docx' | 'storage'
  dialect: DialectName
  /** The address of the page, to which its links are joined. */
  base?: string | undefined
  contentType?: string | undefined
  /** Of a storage format: where pages by title and attachments by name are found. */
  targets?: { pages: Record<string, string>; files: Record<string, string> } | undefined
}

export interface ParsedPage {
  title?: string | undefined
  description?: string | undefined
  document: JSONDocument
  /** Pictures that were written inside the page. */
  images: { path: string; bytes: Uint8Array }[]
  /** Addresses of all links on the page, and of its navigation as a tree. */
  links: string[]
  navigation: NavigationItem[]
}

export interface NavigationItem {
  title: string
  url?: string | undefined
  children: NavigationItem[]
}

export type PageAnswer = { json: string; images: ParsedPage['images'] } | { problem: string }

export interface SitemapTask {
  sitemap: Uint8Array
  /** Addresses of pages below this are taken, at most so many. */
  prefix: string
  most: number
}

export interface SitemapAddresses {
  pages: string[]
  sitemaps: string[]
}

export type ImportTask = PageTask | SitemapTask | { pageList: Uint8Array }

/** Parses one page; a sentence when that is not possible. */
export async function parsePage(
  threads: Threads,
  task: PageTask,
  signal: AbortSignal,
): Promise<ParsedPage | { problem: string }> {
  try {
    const answer = (await threads.run('import', task, { signal })) as PageAnswer
    return 'problem' in answer ? answer : { ...JSON.parse(answer.json), images: answer.images }
  } catch (error) {
    if (!(error instanceof ThreadError) || error.code === 'stopped') throw error
    return {
      problem:
        error.code === 'failed' ? `It cannot be read: ${error.message}` : 'It takes too much time or memory to read.',
    }
  }
}

/** The tree of pages that `index.html` of a Confluence export shows. */
export const parsePageList = (threads: Threads, pageList: Uint8Array, signal: AbortSignal): Promise<PageListEntry[]> =>
  threads.run('import', { pageList } satisfies ImportTask, { signal }) as Promise<PageListEntry[]>

/** The addresses that a sitemap names. */
export const parseSitemap = (threads: Threads, task: SitemapTask, signal: AbortSignal): Promise<SitemapAddresses> =>
  threads.run('import', task, { signal }) as Promise<SitemapAddresses>

/** Does work on each item with at most so many under way, and gives up with the signal. */
export async function eachOf<T, R>(
  items: readonly T[],
  { width, signal }: { width: number; signal: AbortSignal },
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  const left = items.entries()
  const run = async (): Promise<void> => {
    for (const [at, item] of left) {
      signal.throwIfAborted()
      results[at] = await work(item)
    }
  }
  await Promise.all(Array.from({ length: width }, run))
  return results
}
