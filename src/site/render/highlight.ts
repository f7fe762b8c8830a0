/**
 * Highlighting of code. The outcome says which run of characters is what (a keyword, a string …), never a colour.
 *
 * 1. Outcomes are kept by the hash of language and text, up to a bound in characters.
 * 2. The work is done in a thread; one that does not answer in time is ended, and its block stays plain for good.
 * 3. Long blocks stay plain, and so do languages that nobody knows.
 */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { sizedCache } from './cache.ts'
import { type Highlighted, type Tokenized, tokenize } from './tokenize.ts'

export type HighlightRequest = { id: number; code: string; language: string }
export type HighlightReply = { id: number; found: Tokenized | undefined }

const longestBlock = 50_000
/** A grammar that is read for the first time on a busy machine takes seconds; one that hangs takes for ever. */
const patience = 15_000
const cache = sizedCache<Highlighted>(8_000_000)

let isAside = false

/** Said inside a thread that writes pages: there blocks are highlighted on the spot, without another thread. */
export function highlightHere(): void {
  isAside = true
}

/** Nothing when the block is to be shown plain. */
export async function highlight(code: string, language: string): Promise<Highlighted | undefined> {
  if (code === '' || code.length > longestBlock) return undefined
  const name = languageOf(language)
  if (name === undefined) return undefined
  const key = createHash('sha256').update(`${name}\0${code}`).digest('base64url')
  const kept = cache.get(key)
  if (kept !== undefined) return kept
  const found = await ask(code, name)
  if (found === undefined) return undefined
  // What was cut short by a busy moment is worth another try the next time.
  if (found.whole) cache.set(key, found.runs, code.length + 100)
  return found.runs
}

/**
 * Reads the grammars of common languages before the first page asks for them: each takes up to half a second once in the
 * life of the thread. Nobody needs to wait for it.
 */
export async function warmHighlighting(languages: readonly string[] = ['bash', 'json', 'yaml', 'ts']): Promise<void> {
  if (threadFile() === undefined) return
  const sample = 'const a = { b: "c", d: [1, true] } // e\nexport function f(g: string) { return `${g}` }\n- h: i'
  for (const language of languages) await ask(sample, language)
}

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

const plain = new Set(['', 'text', 'txt', 'plain', 'plaintext', 'none'])
const renamed: Readonly<Record<string, string>> = {
  curl: 'bash',
  console: 'shellsession',
  golang: 'go',
  env: 'dotenv',
  plist: 'xml',
  svg: 'xml',
  'c++': 'cpp',
  objectivec: 'objective-c',
}

function languageOf(language: string): string | undefined {
  const name = language.trim().toLowerCase()
  return plain.has(name) || name.length > 40 ? undefined : (renamed[name] ?? name)
}

interface Waiting {
  request: HighlightRequest
  answer: (found: Tokenized | undefined) => void
  timer?: NodeJS.Timeout
}
const waiting = new Map<number, Waiting>()
let worker: Worker | undefined
let next = 1

function ask(code: string, language: string): Promise<Tokenized | undefined> {
  const file = threadFile()
  if (file === undefined || isAside) return tokenize(code, language)
  return new Promise((answer) => {
    const request = { id: next++, code, language }
    waiting.set(request.id, { request, answer })
    worker ??= start(file)
    worker.postMessage(request)
    // Only the oldest question is being worked on; the clock of the others starts when their turn comes.
    if (waiting.size === 1) wind(request.id)
  })
}

function start(file: string): Worker {
  const thread = new Worker(file)
  // A thread that answers nobody must not keep the process alive.
  thread.unref()
  thread.on('message', (reply: HighlightReply) => settle(reply.id, reply.found))
  thread.on('error', () => give(thread))
  thread.on('exit', () => give(thread))
  return thread
}

function settle(id: number, found: Tokenized | undefined): void {
  const asked = waiting.get(id)
  if (asked === undefined) return
  clearTimeout(asked.timer)
  waiting.delete(id)
  asked.answer(found)
  const [oldest] = waiting.keys()
  if (oldest !== undefined) wind(oldest)
}

function wind(id: number): void {
  const asked = waiting.get(id)
  if (asked === undefined || asked.timer !== undefined) return
  asked.timer = setTimeout(() => {
    const stuck = worker
    worker = undefined
    // Plain for good: asking again would hang again. The empty outcome is kept like any other.
    settle(id, { runs: [], whole: true })
    void stuck?.terminate()
    const file = threadFile()
    if (waiting.size === 0 || file === undefined) return
    worker = start(file)
    for (const { request } of waiting.values()) worker.postMessage(request)
  }, patience)
  asked.timer.unref()
}

/** A thread that ended by itself leaves its questions unanswered; they stay plain this once. */
function give(thread: Worker): void {
  if (thread !== worker) return
  worker = undefined
  for (const id of [...waiting.keys()]) settle(id, undefined)
}

let known: { file: string | undefined } | undefined

/** The built file of the thread: beside the bundle, or in dist/ when the sources run unbundled. */
function threadFile(): string | undefined {
  const places = ['./highlight.js', '../../../dist/highlight.js'].map((place) =>
    fileURLToPath(new URL(place, import.meta.url)),
  )
  known ??= { file: places.find((place) => existsSync(place)) }
  return known.file
}
