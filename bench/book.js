/**
 * A space as a book, through a real server: how long it takes, what the processes that set it hold, and what others feel of
 * it. Each size is asked for twice, the second time beside a process that reads pages of the API at a steady pace.
 *
 * 1. A size is a number of pages of the space; how many sheets of paper they fill is told beside it.
 * 2. Memory is that of all processes below the server, added up every 50 ms, the pages they share counted in each.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { PDFDocument } from '@cantoo/pdf-lib'
import { caller, headers } from './kit/call.js'
import { docsPage } from './kit/docs-pages.js'
import { startLoad } from './kit/load.js'
import { fill } from './kit/pages.js'
import { cpuSeconds, residentMegabytes, startLectern } from './kit/process.js'

const sizes = (process.env.SIZES ?? '100,1000').split(',').map(Number)
const goals = { 100: 5, 1000: 60 }
const megabytes = 500

export async function run() {
  const server = await startLectern({ probed: true })
  const call = caller(server)
  const rows = []
  try {
    const organization = (await call('GET', '/orgs')).items[0].id
    for (const size of sizes) rows.push(...(await measure(server, call, organization, size)))
  } finally {
    await server.stop()
  }
  return { rows }
}

async function measure(server, call, organization, size) {
  const space = (await call('POST', `/orgs/${organization}/spaces`, { title: `A book of ${size} pages` })).id
  const pages = await fill(call, space, size, pageOf(size))
  const name = `${size} pages`
  await server.longestTurn()
  const alone = await watched(server, () => book(call, space))
  const turn = await server.longestTurn()

  // Another revision: the book of this one is kept.
  const changes = [{ operation: 'update_page', page: pages[0], document: { markdown: docsPage(size) } }]
  await call('POST', `/spaces/${space}/content`, { changes })
  const reading = {
    urls: pages.slice(0, 4).map((page) => `${server.url}/v1/spaces/${space}/content/page/${page}`),
    connections: 4,
    headers,
    pause: 10,
    unique: true,
  }
  const loading = startLoad()
  try {
    await loading.run({ ...reading, seconds: 2 })
    const calm = await loading.run({ ...reading, seconds: 10 })
    const making = watched(server, () => book(call, space))
    const beside = []
    let made
    making.then((outcome) => {
      made = outcome
    })
    while (!made) beside.push(await loading.run({ ...reading, seconds: 1, withTimes: true }))
    await making
    const times = beside.flatMap((run) => run.times).sort((a, b) => a - b)
    const p99 = times[Math.floor(times.length * 0.99)] ?? 0
    return [
      { name: `${name}, ${alone.sheets} sheets`, value: alone.seconds, unit: 's', most: goals[size] },
      { name: `${name}, CPU of those that set it`, value: alone.cpu, unit: 's' },
      { name: `${name}, memory of those that set it`, value: alone.memory, unit: 'MB', most: megabytes },
      { name: `${name}, event loop held`, value: turn.cpu, unit: 'ms' },
      { name: `${name}, beside readers`, value: made.seconds, unit: 's', most: goals[size] },
      { name: 'get page, calm, p99', value: calm.p99, unit: 'ms' },
      { name: `get page, beside ${name}, p99`, value: p99, unit: 'ms', most: Number((2 * calm.p99).toFixed(1)) },
    ]
  } finally {
    loading.stop()
  }
}

/** Each page links to others. */
const pageOf = (size) => (n) => docsPage(n, 6000, { pages: size, pathOf })

const pathOf = (n) => (n % 20 === 0 ? `/page-${n}.md` : `/page-${n - (n % 20)}/page-${n}.md`)

async function book(call, space) {
  const { url } = await call('GET', `/spaces/${space}/pdf`)
  const answer = await fetch(url)
  if (!answer.ok) throw new Error(`The book answered ${answer.status}: ${await answer.text()}`)
  return Buffer.from(await answer.arrayBuffer())
}

/** What the work took of the clock, and what the processes below the server took meanwhile. */
async function watched(server, work) {
  let memory = 0
  const cpu = new Map()
  const look = () => {
    let together = 0
    for (const pid of childrenOf(server.pid)) {
      try {
        together += residentMegabytes(pid)
        cpu.set(pid, cpuSeconds(pid))
      } catch {
        // It ended while we looked.
      }
    }
    memory = Math.max(memory, together)
  }
  const watch = setInterval(look, 50)
  const began = performance.now()
  const pdf = await work()
  const seconds = (performance.now() - began) / 1000
  clearInterval(watch)
  await sleep(0)
  return { seconds, memory, cpu: [...cpu.values()].reduce((sum, one) => sum + one, 0), sheets: await sheetsOf(pdf) }
}

const sheetsOf = async (pdf) => (await PDFDocument.load(pdf, { updateMetadata: false })).getPageCount()

const childrenOf = (pid) =>
  readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').trim().split(' ').filter(Boolean),
  )
