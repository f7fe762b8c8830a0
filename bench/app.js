// How fast the editor is: opening pages of growing size, and a key until it is on the screen. Beside them the floor: ProseMirror
// alone on a text of 200 KB. Not a test: figures of this machine.
// node bench/app.js [CPU slowdown, 1 by default] [sizes in KB, 25,90,200,300 by default]
import { createServer } from 'node:http'
import { build } from 'esbuild'
import { chromium } from 'playwright-core'
import { contractRows } from '../scripts/contract-rows.js'
import { serveFloor } from './floor.js'

const root = new URL('..', import.meta.url).pathname
const slowdown = Number(process.argv[2] ?? '1')
const sizes = (process.argv[3] ?? '25,90,200,300').split(',').map((size) => Number(size) * 1000)
const { outputFiles } = await build({
  absWorkingDir: root,
  entryPoints: ['test/app/browser/page.js', 'src/app/styles/editor.css'],
  outdir: 'out',
  bundle: true,
  splitting: true,
  minify: true,
  format: 'esm',
  write: false,
  plugins: [contractRows],
})
const files = new Map(outputFiles.map(({ path, contents }) => [path.slice(path.lastIndexOf('/') + 1), contents]))
let opened = '[]'
const server = createServer((request, response) => {
  const name = (request.url ?? '/').split('?')[0].slice(1)
  if (name === '') {
    const html =
      '<!doctype html><link rel="stylesheet" href="/editor.css"><div id="root" class="ed-root"></div><script src="/opened.js"></script><script type="module" src="/page.js"></script>'
    response.setHeader('content-type', 'text/html').end(html)
  } else if (name === 'opened.js')
    response.setHeader('content-type', 'text/javascript').end(`window.opened = ${opened}`)
  else if (files.has(name))
    response.setHeader('content-type', name.endsWith('.css') ? 'text/css' : 'text/javascript').end(files.get(name))
  else response.writeHead(404).end()
})
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const url = `http://127.0.0.1:${server.address().port}/`

/** Paragraphs, headings, lists and code until the page is about this large. */
function pageOf(size) {
  const words = 'the quick brown fox jumps over the lazy dog and writes it all down '
  const leaf = (text) => ({ object: 'text', leaves: [{ object: 'leaf', text, marks: [] }] })
  const block = (type, key, nodes, data = {}) => ({ object: 'block', type, key, isVoid: false, data, nodes })
  const blocks = []
  for (
    let at = 0;
    JSON.stringify(blocks.at(-1) ?? '').length * at < size * 10 && JSON.stringify(blocks).length < size;
    at += 1
  ) {
    const key = `k${at}`
    if (at % 7 === 0) blocks.push(block('heading-1', key, [leaf(`Section ${at}`)]))
    else if (at % 7 === 3)
      blocks.push(
        block(
          'list-unordered',
          key,
          [0, 1, 2].map((item) =>
            block('list-item', `${key}i${item}`, [block('paragraph', `${key}p${item}`, [leaf(words)])]),
          ),
        ),
      )
    else if (at % 7 === 5)
      blocks.push(
        block(
          'code',
          key,
          [0, 1, 2, 3].map((row) => block('code-line', `${key}l${row}`, [leaf('const value = compute(1, 2)')])),
          { syntax: 'js' },
        ),
      )
    else blocks.push(block('paragraph', key, [leaf(words.repeat(4))]))
  }
  return blocks
}

const part = (times, share) =>
  times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))]
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
})
console.log(`CPU slowed ${slowdown}×`)
console.log('| page | blocks | open ms | key → frame p50 | p99 |')
/** Opens the page and types as a person does: keys that queue behind each other would measure the queue. */
async function measure(address, paragraph) {
  const page = await (await browser.newContext()).newPage()
  const session = await page.context().newCDPSession(page)
  await page.goto(address)
  await page.waitForFunction(() => document.title === 'ready')
  if (slowdown > 1) await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  const started = performance.now()
  await page.reload()
  await page.waitForFunction(() => document.title === 'ready')
  const open = performance.now() - started
  await page.locator(paragraph).nth(2).click()
  await page.evaluate(() => {
    window.times = []
    document.querySelector('.ed-doc').addEventListener(
      'keydown',
      () => {
        const from = performance.now()
        requestAnimationFrame(() => setTimeout(() => window.times.push(performance.now() - from)))
      },
      true,
    )
  })
  for (let key = 0; key < 60; key += 1) {
    await page.keyboard.press('a')
    await page.waitForTimeout(120)
  }
  const times = await page.evaluate(() => window.times)
  await page.context().close()
  return `${Math.round(open)} | ${part(times, 0.5).toFixed(1)} | ${part(times, 0.99).toFixed(1)} |`
}

for (const size of sizes) {
  const blocks = pageOf(size)
  opened = JSON.stringify(blocks)
  console.log(`| ${Math.round(opened.length / 1000)} KB | ${blocks.length} | ${await measure(url, '.ed-doc p')}`)
}
const words = 'the quick brown fox jumps over the lazy dog and writes it all down '
const text = Array.from({ length: 550 }, (_, at) => (at % 7 === 0 ? `## Section ${at}` : words.repeat(6))).join('\n\n')
const floor = await serveFloor(text)
console.log(`| floor, ${Math.round(text.length / 1000)} KB of text | 550 | ${await measure(floor.url, '.ed-doc p')}`)
floor.close()
await browser.close()
server.close()
