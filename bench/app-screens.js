// How soon the app is of use on a real server: from the navigation until the tree of 10,000 pages is drawn, until a letter
// typed into a page of 25 KB is on the screen; and what a save costs.
// Beside them the floor: ProseMirror alone on the same text, without an app.
// Not a test: figures of this machine, beside its load. node scripts/build.js first.
// node bench/app-screens.js [CPU slowdown, 4 by default] [pages, 10000 by default] [visits, 7 by default]
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { serveFloor } from './floor.js'
import { cpuSeconds } from './kit/process.js'

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

// What the server does after so many writes (merging its index of words) is not what a visit costs.
for (let used = Number.POSITIVE_INFINITY; used > 0.1; ) {
  const before = cpuSeconds(server.pid)
  await new Promise((resolve) => setTimeout(resolve, 2_000))
  used = cpuSeconds(server.pid) - before
}

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--headless', '--no-sandbox', '--disable-gpu'],
})
const half = (times) => Math.round(times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)])
const load = () => loadavg()[0].toFixed(1)

/**
 * A window in which the admin is signed in, with nothing kept from earlier visits. It is steered by messages of the protocol
 * alone: a driver that follows what runs in a page has Chromium parse its scripts once more, and puts scripts of its own there.
 */
async function openWindow() {
  const control = await browser.newBrowserCDPSession()
  const { browserContextId } = await control.send('Target.createBrowserContext')
  await control.send('Storage.setCookies', { browserContextId, cookies: [await signIn()] })
  const { targetId } = await control.send('Target.createTarget', { url: 'about:blank', browserContextId })
  const { sessionId } = await control.send('Target.attachToTarget', { targetId, flatten: false })
  const heard = new Map()
  const answers = new Map()
  let last = 0
  const send = (method, params = {}) => {
    const id = ++last
    const answer = new Promise((resolve) => answers.set(id, resolve))
    const message = JSON.stringify({ id, method, params })
    return control.send('Target.sendMessageToTarget', { sessionId, message }).then(() => answer)
  }
  control.on('Target.receivedMessageFromTarget', ({ message }) => {
    const { id, method, params, result } = JSON.parse(message)
    if (id !== undefined) return answers.get(id)?.(result)
    if (method !== 'Page.navigatedWithinDocument') return undefined
    const name = params.url.split('#')[1]
    if (name !== 'type') return heard.get(name)?.()
    // A person clicks into the text as soon as it can be written in, and types a letter.
    const key = { key: 'x', code: 'KeyX' }
    void send('Input.dispatchKeyEvent', { type: 'keyDown', text: 'x', ...key })
    return send('Input.dispatchKeyEvent', { type: 'keyUp', ...key })
  })
  await send('Page.enable')
  await send('Page.addScriptToEvaluateOnNewDocument', { source: `(${watchPage})()` })
  // A new window has Chromium load pages of its own (the list below the address), for seconds and on both cores. People who
  // visit for the first time have their window open.
  await new Promise((resolve) => setTimeout(resolve, 3_000))
  const close = () => control.send('Target.disposeBrowserContext', { browserContextId })
  return { send, heard, close }
}

/** The cookie of a session. */
async function signIn() {
  const headers = {
    'content-type': 'application/json',
    'x-lectern-app': '1',
    origin,
    'sec-fetch-site': 'same-origin',
  }
  const answer = await fetch(`${origin}/v1/sessions`, { method: 'POST', headers, body: JSON.stringify({ token }) })
  const [name, value] = (answer.headers.getSetCookie()[0] ?? '').split(';')[0].split('=')
  return { name, value, domain: '127.0.0.1', path: '/', httpOnly: true, sameSite: 'Lax' }
}

/** In the page: when the tree stands, when the editor does, and when a typed letter is on the screen. */
function watchPage() {
  const marks = {}
  window.marks = marks
  // Heard outside without anything that runs in the page, and, taken before the app is there, not by the app.
  const { replaceState } = history
  const tell = (name) => replaceState.call(history, history.state, '', `#${name}`)
  const afterFrame = (name) =>
    requestAnimationFrame(() =>
      setTimeout(() => {
        if (marks[name] !== undefined) return
        marks[name] = performance.now()
        tell(name)
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
    tell('type')
  })
  observer.observe(document, { childList: true, subtree: true, attributeFilter: ['contenteditable'] })
}

/** Milliseconds from the navigation until the mark, and until the editor stood. */
async function visit({ send, heard }, path, mark, rate) {
  await send('Page.navigate', { url: 'about:blank' })
  await send('Emulation.setCPUThrottlingRate', { rate })
  const shown = new Promise((resolve) => heard.set(mark, resolve))
  await send('Page.navigate', { url: new URL(path, origin).href })
  await shown
  await send('Emulation.setCPUThrottlingRate', { rate: 1 })
  const read = async (expression) =>
    JSON.parse((await send('Runtime.evaluate', { expression: `JSON.stringify(${expression})` })).result.value)
  const marks = await read('window.marks')
  if (mark === 'letter' && path.startsWith('/')) {
    const key = { key: 'z', code: 'KeyZ', windowsVirtualKeyCode: 90, modifiers: 2 }
    await send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...key })
    await send('Input.dispatchKeyEvent', { type: 'keyUp', ...key })
    const isSaved = "[...document.querySelectorAll('[role=status]')].some((one) => one.textContent.startsWith('Saved'))"
    do await new Promise((resolve) => setTimeout(resolve, 200))
    while (!(await read(isSaved)))
  }
  return { shown: marks[mark], editor: marks.editor }
}

async function time(path, mark) {
  const cold = []
  for (let at = 0; at < 3; at += 1) {
    const opened = await openWindow()
    cold.push(await visit(opened, path, mark, slowdown))
    await opened.close()
  }
  const opened = await openWindow()
  const warm = []
  // Two visits fill the browser's caches of files and of compiled code, as on any day but the first.
  for (let at = 0; at < 2 + visits; at += 1) {
    const took = await visit(opened, path, mark, at < 2 ? 1 : slowdown)
    if (at >= 2) warm.push(took)
  }
  await opened.close()
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
const floor = await serveFloor(long)
console.log(`floor: ProseMirror alone with the same ${size}: ${await time(floor.url, 'letter')}`)
floor.close()
console.log(`load ${load()}`)

const context = await browser.newContext()
await context.addCookies([await signIn()])
const page = await context.newPage()
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
