/** The editor in a real browser, under the policy that the app has. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { assignKeys } from '../../../src/core/document/tree/keys.ts'
import { makeDocument } from '../../../src/core/document/tree/make.ts'
import type { Block } from '../../../src/core/document/tree/nodes.ts'
import { launchChromium } from '../../site/chromium.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

export const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data: blob: https:",
  "font-src 'self'",
  "base-uri 'none'",
  "require-trusted-types-for 'script'",
].join('; ')

interface Harness {
  open(blocks?: readonly Block[]): Promise<Page>
  close(): void
}

/** A browser with the editor, for all tests of a file. */
export function useHarness(): { browser: () => Browser; open: Harness['open'] } {
  let started: { browser: Browser; harness: Harness } | undefined
  const there = () => {
    if (!started) throw new Error('The editor is there when tests run, not before.')
    return started
  }
  beforeAll(async () => {
    const browser = await launchChromium()
    started = { browser, harness: await startHarness(browser) }
  })
  afterAll(async () => {
    started?.harness.close()
    await started?.browser.close()
  })
  return { browser: () => there().browser, open: (blocks) => there().harness.open(blocks) }
}

async function startHarness(browser: Browser): Promise<Harness> {
  const { contractRows } = await import(new URL('../../../scripts/contract-rows.js', import.meta.url).href)
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [
      'test/app/browser/page.js',
      'src/app/styles/editor.css',
      'src/app/editor/highlight/highlight-worker.ts',
    ],
    define: { HIGHLIGHT_WORKER: '"./highlight-worker.js"' },
    outdir: 'out',
    bundle: true,
    splitting: true,
    format: 'esm',
    write: false,
    logLevel: 'silent',
    plugins: [contractRows],
  })
  const files = new Map(outputFiles.map(({ path, contents }) => [path.slice(path.lastIndexOf('/') + 1), contents]))
  const html = (blocks: string): string =>
    `<!doctype html><html lang="en"><title>editor</title><link rel="stylesheet" href="/editor.css"><main><h1>Page</h1><div id="root" class="ed-root"></div></main><script src="/opened.js?${encodeURIComponent(blocks)}"></script><script type="module" src="/page.js"></script></html>`
  let opened = '[]'
  const server: Server = createServer((request, response) => {
    const name = (request.url ?? '/').split('?')[0]?.slice(1) ?? ''
    const found = files.get(name)
    response.setHeader('content-security-policy', policy)
    if (name === '') response.setHeader('content-type', 'text/html; charset=utf-8').end(html(''))
    else if (name === 'opened.js')
      response.setHeader('content-type', 'text/javascript').end(`window.opened = ${opened}`)
    else if (found)
      response.setHeader('content-type', name.endsWith('.css') ? 'text/css' : 'text/javascript').end(found)
    else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    async open(blocks = []) {
      opened = JSON.stringify(assignKeys(makeDocument([...blocks])).nodes)
      const context = await browser.newContext()
      const page = await context.newPage()
      await page.goto(`http://127.0.0.1:${port}/`)
      for (const until = Date.now() + 30_000; (await page.title()) !== 'ready' && Date.now() < until; ) await sleep(50)
      return page
    },
    close: () => void server.close(),
  }
}

/** What was last saved, when everything is. */
export async function savedBlocks(page: Page): Promise<Block[]> {
  await page.evaluate('window.editor.flush()')
  return JSON.parse(await page.evaluate('JSON.stringify(window.saved())'))
}
