/** Sizes that readers wait for, and the time a first render takes. */
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { Caches } from '../../src/core/caches.ts'
import { code, heading, makeDocument, paragraph } from '../../src/core/document/tree/make.ts'
import type { JSONDocument } from '../../src/core/document/tree/nodes.ts'
import { styleFile } from '../../src/site/files.ts'
import {
  completeCustomization,
  loadIcons,
  prepareDocument,
  type SiteFiles,
  siteStyle,
  writePage,
} from '../../src/site/index.ts'
import { Threads } from '../../src/threads/supervisor.ts'
import { buildFiles, frameOf, galleryPages, viewOf } from './gallery.ts'

const tools = { caches: new Caches({ bytes: 128 * 1024 * 1024 }), threads: new Threads() }

let files: SiteFiles
beforeAll(async () => {
  files = await buildFiles()
  await loadIcons()
})
const compressed = (text: string | Buffer): number => gzipSync(text, { level: 9 }).length

describe('sizes', () => {
  it('keeps the scripts under 20 KB and the style sheet under 25 KB, compressed', () => {
    const scripts = [...files.all.values()].filter(
      (file) => file.path.endsWith('.js') && !file.path.startsWith('diagrams.'),
    )
    const script = scripts.reduce((sum, file) => sum + compressed(file.body), 0)
    const { css } = siteStyle(completeCustomization(), { base: files.baseStyle, fonts: files.fonts })
    console.log(`script ${script} B, style ${compressed(css)} B gzip; style ${brotliCompressSync(css).length} B brotli`)
    expect(script).toBeLessThanOrEqual(20 * 1024)
    expect(compressed(css)).toBeLessThanOrEqual(25 * 1024)
  })
})

describe('a first render of a page of 20 KB', () => {
  const words = 'Lectern keeps every page as a tree of blocks and writes it as HTML when a reader asks for it. '
  const proseOf = (seed: string): JSONDocument =>
    makeDocument(
      Array.from({ length: 40 }, (_, at) =>
        at % 5 === 0 ? heading('heading-1', `${seed} part ${at}`) : paragraph(`${seed} ${words.repeat(6)}`),
      ),
    )
  const codeOf = (seed: string): JSONDocument =>
    makeDocument(
      Array.from({ length: 20 }, (_, at) =>
        at % 2 === 0
          ? paragraph(`${seed} ${words.repeat(4)}`)
          : code(
              `const ${seed}${at} = await fetch("/v1/spaces?limit=${at}")\nfor (const item of await ${seed}${at}.json()) console.log(item.id)\n`.repeat(
                4,
              ),
              { syntax: 'js' },
            ),
      ),
    )

  it.each([
    ['with prose', proseOf],
    ['with code', codeOf],
  ])('takes at most 15 ms %s', async (name, make) => {
    const customization = completeCustomization()
    const style = siteStyle(customization, { base: files.baseStyle, fonts: files.fonts })
    const parts = { files, sheet: styleFile(style.css), style, tree: { roots: [] }, pages: galleryPages }
    const frame = frameOf(customization, parts)(undefined)
    const times: { prepare: number; write: number }[] = []
    // The first rounds load grammars and let the compiler settle, once in the life of a process.
    for (let round = 0; round < 25; round += 1) {
      const view = viewOf(frame, { id: 'x', slug: 'x', title: 'X', document: make(`round${round}`) }, galleryPages)
      const began = performance.now()
      const prepared = await prepareDocument(view.document, view.questions, tools)
      const between = performance.now()
      const page = writePage(view, prepared)
      times.push({ prepare: between - began, write: performance.now() - between })
      expect(page.html.length).toBeGreaterThan(20_000)
    }
    // The best of many: other work on the machine only ever adds.
    const best = (key: 'prepare' | 'write'): number => Math.min(...times.map((time) => time[key]))
    console.log(`${name}: prepare ${best('prepare').toFixed(1)} ms, write ${best('write').toFixed(1)} ms`)
    expect(best('write')).toBeLessThan(8)
    if (name === 'with prose') expect(best('prepare') + best('write')).toBeLessThan(15)
    // Highlighting is the thread's work, not the loop's; it is only watched here, because a busy machine triples it.
    else expect(best('prepare')).toBeLessThan(120)
  })
})
