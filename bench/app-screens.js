// How soon the app is of use on a real server: the tree of 10,000 pages, a page of 25 KB to write in, and what a save costs.
// Not a test: figures of this machine, beside its load. node scripts/build.js first.
// node bench/app-screens.js [CPU slowdown, 4 by default] [pages, 10000 by default]
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'

const slowdown = Number(process.argv[2] ?? '4')
const count = Number(process.argv[3] ?? '10000')
const data = mkdtempSync(join(tmpdir(), 'lectern-bench-'))
const env = {
  ...process.env,
  PORT: '0',
  HOST: '127.0.0.1',
  LECTERN_DATA: data,
  LECTERN_SAMPLE: 'false',
  LECTERN_RATE_LIMIT: '0',
}
const server = spawn(process.execPath, [new URL('../bin/lectern.js', import.meta.url).pathname, 'serve'], { env })
let output = ''
server.stdout.on('data', (chunk) => {
  output += chunk
})
const until = async (pattern) => {
  for (;;) {
    const found = pattern.exec(output)
    if (found) return found[0]
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
const token = await until(/lct_[\w-]+/)
const origin = await until(/http:\/\/127\.0\.0\.1:\d+/)

async function call(method, path, body) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const answer = await fetch(`${origin}/v1${path}`, { method, headers, body: body && JSON.stringify(body) })
  if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`)
  return answer.json()
}

const organization = (await call('GET', '/orgs')).items[0].id
const space = (await call('POST', `/orgs/${organization}/spaces`, { title: 'Large' })).id
const words = 'the quick brown fox jumps over the lazy dog and writes it all down '
const long = Array.from({ length: 60 }, (_, at) => `## Section ${at}\n\n${words.repeat(5)}`).join('\n\n')
const insert = (changes) => call('POST', `/spaces/${space}/content`, { changes })
const first = await insert([{ operation: 'insert_page', title: 'Long', document: { markdown: long } }])
const longPage = first.changes[0].page.id
for (let at = 0; at < count; at += 100)
  await insert(
    Array.from({ length: Math.min(100, count - at) }, (_, index) => ({
      operation: 'insert_page',
      title: `Page ${at + index}`,
      document: { markdown: words },
    })),
  )

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--headless', '--no-sandbox', '--disable-gpu'],
})
const context = await browser.newContext()
const page = await context.newPage()
await page.route(`${origin}/host`, (route) =>
  route.fulfill({ status: 200, contentType: 'text/html', body: '<!doctype html>' }),
)
await page.goto(`${origin}/host`)
await page.evaluate(
  (secret) =>
    fetch('/v1/sessions', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-lectern-app': '1' },
      body: JSON.stringify({ token: secret }),
    }).then(() => undefined),
  token,
)
const session = await context.newCDPSession(page)
const half = (times) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]
const load = () => loadavg()[0].toFixed(1)

async function time(path, ready) {
  const times = []
  // The first visit fills the browser's cache, as on any day but the first.
  for (let visit = 0; visit < 6; visit += 1) {
    if (slowdown > 1) await session.send('Emulation.setCPUThrottlingRate', { rate: visit === 0 ? 1 : slowdown })
    const started = performance.now()
    await page.goto(`${origin}${path}`)
    await ready()
    if (visit > 0) times.push(performance.now() - started)
  }
  return times
}

console.log(`CPU slowed ${slowdown}×, load ${load()}`)
const tree = await time(`/app/s/${space}/history`, () => page.getByRole('treeitem').nth(5).waitFor())
console.log(`tree of ${count} pages usable: ${Math.round(half(tree))} ms (best ${Math.round(Math.min(...tree))})`)
const editor = page.getByRole('textbox', { name: 'Page content' })
const opened = await time(`/app/s/${space}/p/${longPage}`, () => editor.waitFor())
console.log(
  `page of ${Math.round(long.length / 1000)} KB editable: ${Math.round(half(opened))} ms (best ${Math.round(Math.min(...opened))}), load ${load()}`,
)

await session.send('Emulation.setCPUThrottlingRate', { rate: 1 })
const sent = []
page.on('request', (request) => {
  if (request.method() === 'POST' && /\/content$/.test(request.url())) sent.push(request.postData()?.length ?? 0)
})
await editor.locator('p').nth(3).click()
for (let save = 0; save < 5; save += 1) {
  await page.keyboard.type('word ')
  await page.waitForTimeout(2_500)
}
console.log(
  `a save of one word in a page of ${Math.round(long.length / 1000)} KB sends ${half(sent)} bytes (${sent.length} saves)`,
)

await browser.close()
server.kill()
rmSync(data, { recursive: true, force: true })
