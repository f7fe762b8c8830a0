/** The worker that highlights code: started for the first code in a language, and shared by all pages of the tab. */
import type { Highlighted } from '../../../theme/token-kinds.ts'

export interface HighlightTask {
  id: number
  code: string
  language: string
}

export interface HighlightAnswer {
  id: number
  /** Absent when the language is not known. */
  runs: Highlighted | undefined
}

/** The name of the worker's file, set by the build. */
declare const HIGHLIGHT_WORKER: string

const waiting = new Map<number, (runs: Highlighted | undefined) => void>()
let worker: Worker | undefined
let last = 0

/** Nothing when the code is to be shown plain: its language is not known, or the browser lets no worker start. */
export function highlight(code: string, language: string): Promise<Highlighted | undefined> {
  worker ??= start()
  last += 1
  const id = last
  return new Promise((resolve) => {
    waiting.set(id, resolve)
    worker?.postMessage({ id, code, language } satisfies HighlightTask)
  })
}

function start(): Worker {
  const started = new Worker(trusted(new URL(HIGHLIGHT_WORKER, import.meta.url).href), { type: 'module' })
  started.addEventListener('message', ({ data: { id, runs } }: MessageEvent<HighlightAnswer>) => {
    waiting.get(id)?.(runs)
    waiting.delete(id)
  })
  // Code without colours is code all the same.
  started.addEventListener('error', () => {
    for (const resolve of waiting.values()) resolve(undefined)
    waiting.clear()
  })
  return started
}

interface PolicyFactory {
  createPolicy(
    name: string,
    rules: { createScriptURL: (url: string) => string },
  ): { createScriptURL(url: string): string }
}

/** Where the browser has Trusted Types, an address of a script has to come from a policy. */
function trusted(url: string): string {
  const { trustedTypes } = globalThis as { trustedTypes?: PolicyFactory }
  return trustedTypes?.createPolicy('lectern-highlight', { createScriptURL: () => url }).createScriptURL(url) ?? url
}
