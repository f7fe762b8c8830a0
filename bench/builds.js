/**
 * This build beside another one, such as the one before a large change: both run at once on the same made content, and short
 * windows of load go to them by turns, so that whatever else the machine does falls on both alike.
 *
 * `OTHER=FOLDER npm run bench -- builds`, where FOLDER is a checkout that has been built. `ROWS`, `ROUNDS` and `SECONDS` as elsewhere,
 * `DATABASES=postgres` for the other engine. Rows ask as traffic does: four callers, many addresses, none of them twice; first
 * readings are taken by processes that have just started, in turn.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { caller, headers } from './kit/call.js'
import { runCommand } from './kit/command.js'
import { isWanted, measure, median, quantile, sampleOf } from './kit/compare.js'
import { docsPage } from './kit/docs-pages.js'
import { startLoad } from './kit/load.js'
import { startPostgres } from './kit/postgres.js'
import { cpuSeconds, startLectern, token } from './kit/process.js'
import { makeWords, wordOf } from './kit/words.js'

const rounds = Number(process.env.ROUNDS ?? 9)
const seconds = Number(process.env.SECONDS ?? 0.5)

export async function run() {
  if (!process.env.OTHER) throw new Error('Say in OTHER which folder holds the other build.')
  const rows = []
  for (const engine of (process.env.DATABASES ?? 'sqlite').split(',')) rows.push(...(await rowsOf(engine)))
  return { rows }
}

async function rowsOf(engine) {
  const stands = []
  try {
    for (const root of [process.env.OTHER, undefined]) stands.push(await startStand(engine, root))
    const rows = []
    const add = async (name, options, measureRow = inTurns) => {
      if (isWanted({ name })) rows.push(await measureRow(`${name}, ${engine}`, stands, options))
    }
    const four = { tokens: (stand) => stand.tokens, connections: 16, unique: true }
    await add('get space', { ...four, path: () => '/v1/spaces/', suffixes: (stand) => stand.spaces })
    await add('get page', { ...four, path: () => '/v1/spaces/', suffixes: (stand) => stand.pages })
    await add('members', { ...four, path: (stand) => `/v1/orgs/${stand.organization}/members` })
    await add('search', {
      path: (stand) => `/v1/spaces/${stand.searched}/search?query=`,
      suffixes: () =>
        Array.from({ length: 10_000 }, (_, i) => `${wordOf(20 + (i % 100))}+${wordOf(121 + Math.floor(i / 100))}`),
      unique: true,
      connections: 4,
    })
    await add('post comment', {
      path: (stand) => `/v1/spaces/${stand.spaces[0]}/comments`,
      method: 'POST',
      bodies: () => numbered((i) => ({ body: { markdown: `A **short** comment, number ${i}.` } })),
      connections: 64,
    })
    await add('edit page', {
      path: (stand) => `/v1/spaces/${stand.searched}/content`,
      method: 'POST',
      bodies: (stand) =>
        numbered((i) => ({
          changes: [
            { operation: 'update_page', page: stand.edited[i % 200], document: { markdown: `## Edit ${i}\n\nDone.` } },
          ],
        })),
      connections: 16,
    })
    const published = { path: (stand) => stand.site, suffixes: (stand) => stand.slugs, connections: 16, headers: {} }
    const warm = { ...published, suffixes: (stand) => stand.slugs.slice(0, 20) }
    await add('published warm', warm)
    await add('published warm, brotli', { ...warm, headers: { 'accept-encoding': 'br' } })
    await add('first markdown', { path: () => '/v1/spaces/', suffixes: (stand) => stand.pages }, atFirst)
    const documents = (stand) => stand.pages.map((page) => `${page}?format=document`)
    await add('first document', { path: () => '/v1/spaces/', suffixes: documents }, atFirst)
    await add('first render', { ...published, connections: 4 }, atFirst)
    return rows
  } finally {
    for (const stand of stands) await stand.stop()
  }
}

const numbered = (make) => Array.from({ length: 1000 }, (_, i) => JSON.stringify(make(i)))

/** A server of one build with content that is the same for each: made by its own API, since what is stored differs. */
async function startStand(engine, root) {
  const postgres = engine === 'postgres' ? await startPostgres() : undefined
  // Older builds refuse settings that they do not know.
  const env = { LECTERN_METRICS: undefined, ...(postgres ? { DATABASE_URL: postgres.url } : {}) }
  const stand = { server: await startLectern({ env, root }) }
  const call = caller(stand.server)
  const { folder } = stand.server
  stand.restart = async () => {
    await stand.server.stop({ keep: true })
    stand.server = await startLectern({ env, root, folder })
  }
  stand.stop = async () => {
    await stand.server.stop()
    await postgres?.stop()
  }
  stand.organization = (await call('GET', '/orgs')).items[0].id
  const add = (n) =>
    runCommand(
      ['user', 'add', '--email', `caller${n}@example.com`, '--role', 'edit'],
      { ...env, LECTERN_DATA: folder },
      root,
    )
  stand.tokens = [token]
  for (let n = 0; n < 3; n++) stand.tokens.push(add(n).result.token)
  const newSpace = async (title) => (await call('POST', `/orgs/${stand.organization}/spaces`, { title })).id
  const insert = async (space, texts) => {
    const changes = texts.map((markdown, i) => ({
      operation: 'insert_page',
      title: `Page ${i}`,
      document: { markdown },
    }))
    return (await call('POST', `/spaces/${space}/content`, { changes })).changes.map(({ page }) => page.id)
  }
  stand.spaces = []
  stand.pages = []
  for (let s = 0; s < 40; s++) {
    const space = await newSpace(`Space ${s}`)
    const texts = Array.from({ length: 12 }, (_, i) => docsPage(s * 12 + i, 6000))
    stand.spaces.push(space)
    stand.pages.push(...(await insert(space, texts)).map((page) => `${space}/content/page/${page}`))
  }
  const words = makeWords()
  stand.searched = await newSpace('Searched')
  stand.edited = []
  for (let done = 0; done < 1000; done += 50) {
    const sections = () => Array.from({ length: 8 }, () => `## ${words(3)}\n\n${words(120)}.`).join('\n\n')
    stand.edited.push(...(await insert(stand.searched, Array.from({ length: 50 }, sections))))
  }
  const shown = await newSpace('Published')
  for (let done = 0; done < 400; done += 50)
    await insert(
      shown,
      Array.from({ length: 50 }, (_, i) => docsPage(done + i, 6000)),
    )
  const site = await call('POST', `/orgs/${stand.organization}/sites`, { title: 'Shown', spaces: [shown] })
  await call('POST', `/orgs/${stand.organization}/sites/${site.id}/publish`)
  stand.site = `/sites/${site.basename}/`
  await untilIdle(stand.server.pid)
  stand.slugs = (await call('GET', `/spaces/${shown}/content/pages`)).pages.map(({ path }) => path)
  return stand
}

/** Jobs that writes have begun, such as those of the index, are done. */
async function untilIdle(pid) {
  for (let last = -1; ; ) {
    const now = cpuSeconds(pid)
    if (now - last < 0.02) return
    last = now
    await sleep(1000)
  }
}

/** What the loader sends to one stand, and the status that the first of it is answered with. */
async function loadOf(stand, { path, suffixes, tokens, bodies, ...options }) {
  const [url, rest, sent] = [`${stand.server.url}${path(stand)}`, suffixes?.(stand), bodies?.(stand)]
  const type = sent ? { 'content-type': 'application/json' } : {}
  const { status, bytes } = await sampleOf(`${url}${rest?.[0] ?? ''}`, {
    headers: { ...headers, ...type },
    method: options.method,
    body: sent?.[0],
  })
  if (status >= 300) throw new Error(`${url} answers ${status}: ${bytes.toString().slice(0, 300)}`)
  const load = { headers, seconds, ...options, urls: [url], expect: status }
  return { ...load, suffixes: rest, tokens: tokens?.(stand), bodies: sent }
}

/** Windows by turns; each of this build is held against the mean of the other's before and after it. */
async function inTurns(name, stands, options) {
  const loading = startLoad()
  const sideOf = async (stand) => ({ load: await loadOf(stand, options), pid: stand.server.pid, windows: [] })
  const [other, ours] = await Promise.all(stands.map(sideOf))
  const window = async (side) => {
    const result = await measure(loading, [side.pid], side.load)
    if (result.errors > 0) throw new Error(`${name}: ${result.errors} of ${result.count} failed.`)
    side.windows.push({ ...result, microseconds: 1e6 / result.perCpuSecond })
  }
  try {
    for (const side of [other, ours]) await loading.run({ ...side.load, seconds: 2 })
    await window(other)
    for (let round = 0; round < rounds; round++) {
      await window(ours)
      await window(other)
    }
  } finally {
    loading.stop()
  }
  const ratios = ours.windows.map(
    ({ microseconds }, i) => (2 * microseconds) / (other.windows[i].microseconds + other.windows[i + 1].microseconds),
  )
  return rowOf(name, other.windows, ours.windows, ratios)
}

/** Every address once by a process that has just started, after the first quarter of them; each build three times, in turn. */
async function atFirst(name, stands, options) {
  const sides = stands.map((stand) => ({ stand, windows: [] }))
  for (let turn = 0; turn < 3; turn++)
    for (const side of sides) {
      await side.stand.restart()
      const load = { connections: 4, ...(await loadOf(side.stand, options)), seconds: 300 }
      const warm = Math.floor(load.suffixes.length / 4)
      const loading = startLoad()
      await loading.run({ ...load, count: warm })
      const rest = { ...load, from: warm, count: load.suffixes.length - warm }
      const result = await measure(loading, [side.stand.server.pid], rest)
      loading.stop()
      if (result.errors > 0) throw new Error(`${name}: ${result.errors} of ${result.count} failed.`)
      side.windows.push({ ...result, microseconds: 1e6 / result.perCpuSecond })
    }
  const [other, ours] = sides.map(({ windows }) => windows)
  const ratios = ours.map(({ microseconds }, i) => microseconds / other[i].microseconds)
  return rowOf(name, other, ours, ratios)
}

function rowOf(name, other, ours, ratios) {
  const pick = (windows, field) => median(windows.map((window) => window[field]))
  const round = (value, digits) => Number(value.toFixed(digits))
  return {
    name,
    other: {
      microseconds: Math.round(pick(other, 'microseconds')),
      p50: round(pick(other, 'p50'), 2),
      p99: round(pick(other, 'p99'), 1),
    },
    ours: {
      microseconds: Math.round(pick(ours, 'microseconds')),
      p50: round(pick(ours, 'p50'), 2),
      p99: round(pick(ours, 'p99'), 1),
    },
    beside: round(median(ratios), 2),
    low: round(quantile(ratios, 0.25), 2),
    high: round(quantile(ratios, 0.75), 2),
  }
}
