/** Highlighted code and formulas that were rendered before are taken as they were, by whoever rendered them. */
import { expect, test, vi } from 'vitest'
import { Caches } from '../../src/core/caches.ts'
import { fromMarkdown } from '../../src/core/document/read/from-markdown.ts'
import { renderedParts, storeRenderedLeft } from '../../src/domain/sites/rendered-parts.ts'
import { renderAside } from '../../src/site/render/aside.ts'
import { type HighlightTask, highlightAll } from '../../src/site/render/highlight.ts'
import { highlightedBytes, highlightedFrom } from '../../src/site/render/highlighted-bytes.ts'
import { html, print } from '../../src/site/render/html.ts'
import { mathKey, renderFormulas } from '../../src/site/render/math.ts'
import type { RenderedParts } from '../../src/site/render/parts.ts'
import { deleteRenderedPartsBefore, touchRenderedParts } from '../../src/store/packed/rendered-parts.ts'
import { tokenClass, tokenKinds } from '../../src/theme/token-kinds.ts'
import { Threads } from '../../src/threads/supervisor.ts'
import { eachBackend, useStore } from '../kit/backends.ts'

test('runs come back from their bytes, also long ones and empty lines', () => {
  for (const lines of [[], [[]], [[], [1, 1, 13, 15, 0, 16, 2, 0, 15, 127, 3, 128, 4, 50_000]], [[0, 3], [], [14, 15]]])
    expect(highlightedFrom(highlightedBytes(lines))).toEqual(lines)
})

const input = {
  refs: new Map(),
  locale: 'en',
  icons: 'regular',
  siteUrl: 'http://a.test',
  basePath: '/',
  externalTarget: 'self',
  reservedIds: [],
} as const

test('a page that is written in a thread has what is stored, and hands back what it made', async () => {
  const blocks = Array.from({ length: 240 }, (_, i) => `\`\`\`js\nconst n${i} = ${i}\n\`\`\``)
  const { document } = fromMarkdown(['$$a^2$$', ...blocks].join('\n\n'))
  const stored = new Map<string, Uint8Array>()
  const looked: number[] = []
  const parts: RenderedParts = {
    find: async (hashes) => {
      looked.push(hashes.length)
      return new Map(hashes.flatMap((hash) => (stored.has(hash) ? [[hash, stored.get(hash) ?? new Uint8Array()]] : [])))
    },
    keep: (hash, bytes) => stored.set(hash, bytes),
  }
  /** By a thread that has rendered nothing before. */
  const render = async (renderedParts: RenderedParts) => {
    const threads = new Threads()
    const body = await renderAside({ threads, renderedParts }, { ...input, document }, 'a page of blocks')
    await threads.close()
    return body?.html
  }
  const count = (html: string | undefined, kind: (typeof tokenKinds)[number]): number =>
    html?.split(`<span class="${tokenClass(tokenKinds.indexOf(kind))}">const</span>`).length ?? 0
  const made = await render(parts)
  expect(count(made, 'keyword')).toBe(241)
  expect(stored.size).toBe(241)
  expect([...stored.values()].every(({ buffer, length }) => buffer.byteLength === length)).toBe(true)
  // Some at a time, so that nobody waits long for the event loop.
  expect(looked.toSorted((a, b) => a - b)).toEqual([1, 40, 100, 100])
  // What is stored is shown as it is.
  const comment = highlightedBytes([[tokenKinds.indexOf('comment'), 5]])
  for (const [hash, bytes] of stored) if (bytes.length < 20) stored.set(hash, comment)
  const keep = vi.fn()
  const shown = await render({ ...parts, keep })
  expect(count(shown, 'comment')).toBe(241)
  expect(keep).not.toHaveBeenCalled()
  // A database that does not answer leaves the page to its thread.
  expect((await render({ find: () => Promise.reject(new Error('away')), keep })) === made).toBe(true)
}, 120_000)

const newTools = () => ({ caches: new Caches({ bytes: 1_000_000 }), threads: new Threads() })
const code = 'const answer = "42" // of course'

eachBackend((backend) => {
  const store = useStore(backend)

  test('what one process rendered, the next finds', async () => {
    const { db } = store
    const parts = { ...newTools(), renderedParts: renderedParts(db) }
    const blocks = [
      { code, language: 'js' },
      { code: 'plain', language: '' },
      { code: 'what', language: 'nobody-knows' },
    ]
    const [made, plain, unknown] = await highlightAll(parts, blocks)
    const formulas = [
      { formula: 'a^2', display: true },
      { formula: '\\nothing', display: false },
    ]
    const math = await renderFormulas(parts, formulas)
    expect(made?.[0]?.length).toBeGreaterThan(6)
    expect([plain, unknown]).toEqual([undefined, []])
    expect(print(math.get(mathKey('a^2', true)) ?? html``)).toContain('katex')
    await storeRenderedLeft(db)
    // A thread that is asked would fail: nothing is left to ask for.
    const later = { ...newTools(), renderedParts: renderedParts(db) }
    later.threads.run = () => Promise.reject(new Error('asked'))
    expect(await highlightAll(later, blocks)).toEqual([made, undefined, []])
    expect(await renderFormulas(later, formulas)).toEqual(math)
    // Who had to ask once reads the common grammars ahead, once.
    const fresh = newTools()
    const asked = vi.spyOn(fresh.threads, 'run').mockResolvedValue({ runs: [], whole: true })
    await highlightAll(fresh, blocks)
    await highlightAll(fresh, [{ code: 'other', language: 'js' }])
    await vi.waitFor(() => expect(asked).toHaveBeenCalledTimes(7))
    const languages = asked.mock.calls.map(([, task]) => (task as HighlightTask).language)
    expect(languages.sort()).toEqual(['bash', 'js', 'js', 'json', 'nobody-knows', 'ts', 'yaml'])
    // What is used again lives on; what nobody uses goes.
    const hashes: string[] = []
    const noted = { ...renderedParts(db), keep: (hash: string) => hashes.push(hash) }
    await highlightAll({ ...newTools(), renderedParts: { ...noted, find: async () => new Map() } }, blocks)
    await touchRenderedParts(db, hashes, '2999-01-01')
    expect(await deleteRenderedPartsBefore(db, { oldest: '2998-01-01' })).toBe(1)
    expect([...(await renderedParts(db).find(hashes)).keys()]).toEqual(hashes)
  })
})
