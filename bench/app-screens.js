// How soon the app is of use on a real server: from the navigation until the tree of 10,000 pages is drawn, until a letter
// typed into a page of 25 KB is on the screen; and what a save costs.
// Not a test: figures of this machine, beside its load. node scripts/build.js first.
// node bench/app-screens.js [CPU slowdown, 4 by default] [pages, 10000 by default] [visits, 7 by default]
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'

const slowdown = Number(process.argv[2] ?? '4')
const count = Number(process.argv[3] ?? '10000')
const visits = Number(process.argv[4] ?? '7')
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
process.on('exit', () => server.kill())
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
const long = Array.from({ length: 70 }, (_, at) => `## Section ${at}\n\n${words.repeat(5)}`).join('\n\n')
const insert = (changes) => call('POST', `/spaces/${space}/content`, { changes })
const longPageIn = async (of) => {
  const changes = [{ operation: 'insert_page', title: 'Long', document: { markdown: long } }]
  return (await call('POST', `/spaces/${of}/content`, { changes })).changes[0].page.id
}
const longPage = await longPageIn(space)
const small = (await call('POST', `/orgs/${organization}/spaces`, { title: 'Small' })).id
const smallPage = await longPageIn(small)
for (let at = 0; at < count; at += 50)
  await insert(
    Array.from({ length: Math.min(50, count - at) }, (_, index) => ({
      operation: 'insert_page',
      title: `Page ${at + index}`,
      document: { markdown: words },
    })),
  )

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--headless', '--no-sandbox', '--disable-gpu'],
})
const half = (times) => Math.round(times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)])
const load = () => loadavg()[0].toFixed(1)

/** A browser in which the admin is signed in, with nothing kept from earlier visits. */
async function openBrowser() {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.route(`${origin}/empty`, (route) =>
    route.fulfill({ status: 200, contentType: 'text/html', body: '<!doctype html>' }),
  )
  await page.goto(`${origin}/empty`)
  await page.evaluate(
    (secret) =>
      fetch('/v1/sessions', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-lectern-app': '1' },
        body: JSON.stringify({ token: secret }),
      }).then(() => undefined),
    token,
  )
  // Through the protocol itself: what the driver puts into a page to wait there would be compiled while the page loads.
  const session = await context.newCDPSession(page)
  const heard = new Map()
  const key = { key: 'x', code: 'KeyX' }
  session.on('Runtime.bindingCalled', ({ name, payload }) => {
    if (name === 'tellMark') return heard.get(payload)?.()
    // A person clicks into the text as soon as it can be written in, and types a letter.
    if (name !== 'typeLetter') return undefined
    void session.send('Input.dispatchKeyEvent', { type: 'keyDown', text: 'x', ...key })
    return session.send('Input.dispatchKeyEvent', { type: 'keyUp', ...key })
  })
  await session.send('Page.enable')
  await session.send('Runtime.enable')
  for (const name of ['tellMark', 'typeLetter']) await session.send('Runtime.addBinding', { name })
  await session.send('Page.addScriptToEvaluateOnNewDocument', { source: `(${watchPage})()` })
  return { context, page, session, heard }
}

/** In the page: when the tree stands, when the editor does, and when a typed letter is on the screen. */
function watchPage() {
  const marks = {}
  window.marks = marks
  const afterFrame = (name) =>
    requestAnimationFrame(() =>
      setTimeout(() => {
        if (marks[name] !== undefined) return
        marks[name] = performance.now()
        window.tellMark(name)
      }),
    )
  const trees = document.getElementsByClassName('ui-tree-row')
  const editors = document.getElementsByClassName('ed-doc')
  const observer = new MutationObserver(() => {
    if (marks.treeInPage === undefined && trees.length > 5) {
      marks.treeInPage = performance.now()
      afterFrame('tree')
    }
    const editor = editors[0]
    if (marks.editor !== undefined || editor?.getAttribute('contenteditable') !== 'true') return
    marks.editor = performance.now()
    editor.focus()
    const before = editor.textContent.length
    new MutationObserver(() => {
      if (editor.textContent.length !== before) afterFrame('letter')
    }).observe(editor, { childList: true, subtree: true, characterData: true })
    window.typeLetter('')
  })
  observer.observe(document, { childList: true, subtree: true, attributeFilter: ['contenteditable'] })
}

/** Milliseconds from the navigation until the mark, and until the editor stood. */
async function visit({ page, session, heard }, path, mark, rate) {
  await page.goto(`${origin}/empty`)
  await session.send('Emulation.setCPUThrottlingRate', { rate })
  const shown = new Promise((resolve) => heard.set(mark, resolve))
  await session.send('Page.navigate', { url: `${origin}${path}` })
  await shown
  await session.send('Emulation.setCPUThrottlingRate', { rate: 1 })
  const marks = await page.evaluate(() => window.marks)
  if (mark === 'letter') {
    await page.keyboard.press('Control+z')
    await page.getByRole('status').filter({ hasText: 'Saved' }).first().waitFor()
  }
  return { shown: marks[mark], editor: marks.editor }
}

async function time(path, mark) {
  const cold = []
  for (let at = 0; at < 3; at += 1) {
    const opened = await openBrowser()
    cold.push(await visit(opened, path, mark, slowdown))
    await opened.context.close()
  }
  const opened = await openBrowser()
  const warm = []
  // Two visits fill the browser's caches of files and of compiled code, as on any day but the first.
  for (let at = 0; at < 2 + visits; at += 1) {
    const took = await visit(opened, path, mark, at < 2 ? 1 : slowdown)
    if (at >= 2) warm.push(took)
  }
  await opened.context.close()
  const of = (visits, name) => visits.map((marks) => marks[name])
  const editor =
    mark === 'letter' ? `; its editor stood after ${half(of(cold, 'editor'))}, ${half(of(warm, 'editor'))} ms` : ''
  const shown = of(warm, 'shown')
  return `first visit ${half(of(cold, 'shown'))} ms, later ${half(shown)} ms (best ${Math.round(Math.min(...shown))}, worst ${Math.round(Math.max(...shown))})${editor}`
}

const size = `${Math.round(long.length / 1000)} KB`
console.log(`CPU slowed ${slowdown}×, load ${load()}`)
console.log(`tree of ${count} pages usable: ${await time(`/app/s/${space}/history`, 'tree')}`)
console.log(
  `page of ${size}, alone in its space, shows a typed letter: ${await time(`/app/s/${small}/p/${smallPage}`, 'letter')}`,
)
console.log(
  `page of ${size}, beside ${count} others, shows a typed letter: ${await time(`/app/s/${space}/p/${longPage}`, 'letter')}`,
)
console.log(`load ${load()}`)

const { page } = await openBrowser()
const sent = []
page.on('request', (request) => {
  if (request.method() === 'POST' && /\/content$/.test(request.url())) sent.push(request.postData()?.length ?? 0)
})
await page.goto(`${origin}/app/s/${space}/p/${longPage}`)
await page.getByRole('textbox', { name: 'Page content' }).locator('p').nth(3).click()
for (let save = 0; save < 5; save += 1) {
  await page.keyboard.type('word ')
  await page.waitForTimeout(2_500)
}
console.log(`a save of one word in a page of ${size} sends ${half(sent)} bytes (${sent.length} saves)`)

await browser.close()
server.kill()
rmSync(data, { recursive: true, force: true })
