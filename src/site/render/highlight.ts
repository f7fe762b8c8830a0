/**
 * Highlighting of code. The outcome says which run of characters is what (a keyword, a string …), never a colour.
 *
 * 1. Outcomes are kept by the hash of language and text: in memory up to a bound in bytes, and stored (parts.ts).
 * 2. The work is done in a thread; one that does not answer in time is ended, and its block stays plain for good.
 * 3. Long blocks stay plain, and so do those in a language that nobody knows, which is an outcome like any other.
 */
import { type Caches, defineCache } from '../../core/caches.ts'
import { grammarOf } from '../../theme/grammars.ts'
import type { Highlighted } from '../../theme/token-kinds.ts'
import type { Tokenized } from '../../theme/tokenize.ts'
import { ThreadError } from '../../threads/pool.ts'
import type { Threads } from '../../threads/supervisor.ts'
import { highlightedBytes, highlightedFrom } from './highlighted-bytes.ts'
import { type Part, partHash, type RenderedParts } from './parts.ts'
import { tokenize } from './tokenize.ts'

export type HighlightTask = { code: string; language: string }

const longestBlock = 50_000
/** What preparing a page needs. Without threads (inside one that writes pages) blocks are highlighted on the spot. */
export interface RenderTools {
  caches: Caches
  threads?: Threads
  renderedParts?: RenderedParts
}

const highlightedIn = defineCache<Highlighted>('highlighted code', { share: 0.02 })

interface Block extends HighlightTask {
  hash: string
}

/** Of each block, or nothing when it is to be shown plain. */
export async function highlightAll(
  tools: RenderTools,
  blocks: readonly HighlightTask[],
): Promise<(Highlighted | undefined)[]> {
  const parts = blocks.map(blockOf)
  const known = new Map<string, Highlighted>()
  const cache = highlightedIn(tools.caches)
  const missing = new Set<string>()
  for (const part of parts) {
    const cached = part && cache.get(part.hash)
    if (cached) known.set(part.hash, cached)
    else if (part) missing.add(part.hash)
  }
  if (tools.renderedParts && missing.size > 0)
    for (const [hash, bytes] of await tools.renderedParts.find([...missing])) {
      const runs = highlightedFrom(bytes)
      cache.set(hash, runs, bytesOf(runs))
      known.set(hash, runs)
    }
  return Promise.all(parts.map((part) => part && (known.get(part.hash) ?? make(tools, part))))
}

/** The same block for who renders it ahead; nothing for what is shown plain. */
export function codePart(task: HighlightTask): Part | undefined {
  const block = blockOf(task)
  return (
    block && { hash: block.hash, make: async (threads) => storedOf(await ask(threads, block.code, block.language)) }
  )
}

function blockOf({ code, language }: HighlightTask): Block | undefined {
  if (code === '' || code.length > longestBlock) return undefined
  const name = grammarOf(language)
  return name === undefined ? undefined : { code, language: name, hash: partHash('code', name, code) }
}

async function make({ caches, threads, renderedParts }: RenderTools, { code, language, hash }: Block) {
  const found = await ask(threads, code, language)
  if (threads) void warmHighlighting(threads)
  if (found?.whole) highlightedIn(caches).set(hash, found.runs, bytesOf(found.runs))
  const bytes = renderedParts && storedOf(found)
  if (bytes) renderedParts.keep(hash, bytes)
  return found?.runs
}

/** What was cut short by a busy moment is worth another try the next time, and what hung another by the next process. */
const storedOf = (found: Outcome | undefined): Uint8Array | undefined =>
  found?.whole && !found.hung ? highlightedBytes(found.runs) : undefined

/** Those whose grammars are read, or being read. */
const warm = new WeakSet<Threads>()
const commonLanguages = ['bash', 'json', 'yaml', 'ts']

/**
 * Reads the grammars of common languages when a block was highlighted for the first time: each takes up to half a second once
 * in the life of the thread. A process that finds all it shows as it was rendered before never needs the thread.
 */
async function warmHighlighting(threads: Threads): Promise<void> {
  if (warm.has(threads)) return
  warm.add(threads)
  const sample = 'const a = { b: "c", d: [1, true] } // e\nexport function f(g: string) { return `${g}` }\n- h: i'
  for (const language of commonLanguages) await ask(threads, sample, language)
}

/** A number takes eight bytes, and a list of them a few words. */
const bytesOf = (runs: Highlighted): number => runs.reduce((sum, run) => sum + 40 + 8 * run.length, 0)

/** The name shown to readers, as they write it: `TypeScript` for `ts`. */
export function languageTitle(language: string): string {
  return titles[language.toLowerCase()] ?? language
}

const titles: Readonly<Record<string, string>> = {
  js: 'JavaScript',
  javascript: 'JavaScript',
  ts: 'TypeScript',
  typescript: 'TypeScript',
  sh: 'Shell',
  bash: 'Bash',
  py: 'Python',
  python: 'Python',
  json: 'JSON',
  yaml: 'YAML',
  yml: 'YAML',
  html: 'HTML',
  css: 'CSS',
  sql: 'SQL',
  go: 'Go',
  rust: 'Rust',
  java: 'Java',
  http: 'HTTP',
  xml: 'XML',
  graphql: 'GraphQL',
  php: 'PHP',
  ruby: 'Ruby',
}

type Outcome = Tokenized & { hung?: true }

async function ask(threads: Threads | undefined, code: string, language: string): Promise<Outcome | undefined> {
  if (!threads) return tokenize(code, language)
  const task: HighlightTask = { code, language }
  try {
    return (await threads.run('highlight', task)) as Tokenized | undefined
  } catch (error) {
    // Plain for good: asking again would hang again. The empty outcome is cached like any other.
    if (error instanceof ThreadError && error.code === 'timeout') return { runs: [], whole: true, hung: true }
    return undefined
  }
}
