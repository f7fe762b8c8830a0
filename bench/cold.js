/**
 * What the first time costs, and what repeats nothing: reads of pages that no process has seen, many callers none of whom
 * gets an answer that was kept, imports and exports, and the bytes that are stored.
 *
 * On SQLite and PostgreSQL, on pages made like docs (kit/docs-pages.js) and, with `CORPUS=FOLDER`, on a real repository.
 * `ROWS=markdown` measures the rows whose name holds that, `DATABASES=sqlite` one engine, `PAGES` says how many are made.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { caller, headers } from './kit/call.js'
import { runCommand, runScript } from './kit/command.js'
import { compare, isWanted, measure, median, sampleOf, warmUp } from './kit/compare.js'
import { docsPage } from './kit/docs-pages.js'
import { openDatabase } from './kit/least/database.js'
import { storePages } from './kit/least/pages.js'
import { startLoad } from './kit/load.js'
import { startPostgres } from './kit/postgres.js'
import { cpuSeconds, residentMegabytes, startFloor, startLectern, token } from './kit/process.js'
import { storedBytes } from './kit/stored.js'
import { wordOf } from './kit/words.js'

const count = Number(process.env.PAGES ?? 400)
const rendersBefore = 2000
const startSeconds = 4

export async function run() {
  const rows = []
  for (const engine of (process.env.DATABASES ?? 'sqlite,postgres').split(',')) {
    rows.push(...(await withStand(engine, (stand) => rowsOfPages(stand, 'made', writePages))))
    if (process.env.CORPUS)
      rows.push(...(await withStand(engine, (stand) => rowsOfPages(stand, 'corpus', () => process.env.CORPUS))))
    rows.push(...(await withStand(engine, rowsOfCallers)))
  }
  return { rows }
}

/** A database with a server on it that can be stopped and started again, cold. */
async function withStand(engine, work) {
  const postgres = engine === 'postgres' ? await startPostgres() : undefined
  const env = postgres ? { DATABASE_URL: postgres.url } : {}
  const stand = { engine, server: await startLectern({ env }), env }
  stand.restart = async () => {
    await stand.server.stop({ keep: true })
    stand.server = await startLectern({ env, folder: stand.server.folder })
    stand.call = caller(stand.server)
  }
  stand.call = caller(stand.server)
  stand.database = postgres ? { url: postgres.url } : { file: join(stand.server.folder, 'lectern.db') }
  stand.command = (args) => runCommand(args, { ...env, LECTERN_DATA: stand.server.folder })
  stand.stored = () => storedBytes({ folder: stand.server.folder, url: postgres?.url })
  stand.organization = (await stand.call('GET', '/orgs')).items[0].id
  stand.newSpace = async (title) => (await stand.call('POST', `/orgs/${stand.organization}/spaces`, { title })).id
  try {
    return await work(stand)
  } finally {
    await stand.server.stop()
    await postgres?.stop()
  }
}

async function rowsOfPages(stand, set, folderOf) {
  const rows = []
  const name = (row) => `${row}, ${set}, ${stand.engine}`
  const wants = (row) => isWanted({ name: name(row) })
  const all = [
    'import', 'least import', 'least import with proof', 'import again', 'least import again', 'bytes a byte', 'first markdown', 'first markdown, warm process', 'first document',
    'first document, warm process', 'least markdown', 'least markdown, warm process', 'least document', 'least document, warm process', 'rendered ahead', 'first render', 'render again', 'render again, warm process', 'export', 'one edit', 'memory',
  ] // biome-ignore format: a list
  if (!all.some(wants)) return rows
  const folder = folderOf()
  const empty = await stand.newSpace('Empty')
  const nothing = mkdtempSync(join(tmpdir(), 'lectern-bench-'))
  writeFileSync(join(nothing, 'README.md'), '# Nothing\n')
  const before = await stand.stored()
  const start = stand.command(['import', nothing, '--space', empty]).seconds
  const space = await stand.newSpace('Docs')
  const imported = await withServer(stand, () => stand.command(['import', folder, '--space', space]))
  const pages = imported.result.pages.added
  const each = (seconds) => Math.max(0, (1000 * (seconds - start)) / pages)
  if (wants('import'))
    rows.push({ name: name('import'), value: each(imported.seconds), unit: 'ms CPU a page', most: 8 })
  if (wants('import again')) {
    const again = await withServer(stand, () => stand.command(['import', folder, '--space', space]))
    rows.push({ name: name('import again'), value: each(again.seconds), unit: 'ms CPU a page', most: 1 })
  }
  for (const [row, options] of Object.entries(leastCommands)) {
    if (!wants(row)) continue
    const seconds = (files) => leastSeconds(stand, files, options)
    const value = Math.max(0, (1000 * ((await seconds(folder)) - (await seconds(nothing)))) / pages)
    rows.push({ name: name(row), value, unit: 'ms CPU a page' })
  }
  if (wants('bytes a byte')) rows.push(await bytesRow(name('bytes a byte'), stand, folder, before))
  const ids = pageIds((await stand.call('GET', `/spaces/${space}/content/pages`)).pages)
  const paths = (suffix) => ids.map(({ id }) => `${id}${suffix}`)
  const S = `/v1/spaces/${space}/content/page/`
  const first = async (row, path, suffixes, most) => {
    if (wants(row)) rows.push(await firstTime(stand, { name: name(row), path, suffixes, most }))
  }
  /** The same by a process whose code has run often, as that of the rows of callers has. */
  const firstWhenWarm = async (row, path, suffixes, most) => {
    const named = `${row}, warm process`
    if (wants(named)) rows.push(await firstTime(stand, { name: name(named), path, suffixes, most, warmUp }))
  }
  await first('first markdown', S, paths(''), 10)
  await firstWhenWarm('first markdown', S, paths(''), 10)
  await first('first document', S, paths('?format=document'), 15)
  await firstWhenWarm('first document', S, paths('?format=document'), 15)
  for (const [row, suffix] of [
    ['least markdown', ''],
    ['least document', '?format=document'],
  ]) {
    if (!wants(row)) continue
    await storeLeastPages(stand, space, ids)
    const by = { path: S, suffixes: paths(suffix), start: () => startLeast({ ...stand.database, pages: true }) }
    rows.push(await firstTime(stand, { ...by, name: name(row) }))
    rows.push(await firstTime(stand, { ...by, name: name(`${row}, warm process`), warmUp }))
  }
  if (['rendered ahead', 'first render', 'render again', 'render again, warm process'].some(wants)) {
    const site = await stand.call('POST', `/orgs/${stand.organization}/sites`, { title: 'Docs', spaces: [space] })
    // What of pages is rendered before anybody reads them, such as highlighted code, is moved there from the first render.
    const seconds = await cpuUntilRendered(stand, () =>
      stand.call('POST', `/orgs/${stand.organization}/sites/${site.id}/publish`),
    )
    const ahead = { name: name('rendered ahead'), value: (1000 * seconds) / pages, unit: 'ms CPU a page' }
    if (wants('rendered ahead')) rows.push(ahead)
    const shown = ids.map(({ path }) => path)
    // What the job left to readers is stored when it is rendered, and there the second time.
    if (!wants('first render')) await firstTime(stand, { path: `/sites/${site.basename}/`, suffixes: shown })
    await first('first render', `/sites/${site.basename}/`, shown, 60)
    await first('render again', `/sites/${site.basename}/`, shown, 60)
    // A page that was made is sent again from memory: other words around all of them have it made again.
    const newWords = (n) => stand.call('PATCH', `/orgs/${stand.organization}/sites/${site.id}`, { title: `Docs ${n}` })
    const named = 'render again, warm process'
    const warm = { name: name(named), path: `/sites/${site.basename}/`, suffixes: shown, most: 60, newWords }
    if (wants(named)) rows.push(await firstTime(stand, warm))
  }
  if (wants('export')) {
    const out = mkdtempSync(join(tmpdir(), 'lectern-bench-'))
    const none = stand.command(['export', join(out, 'none'), '--space', empty]).seconds
    const { seconds } = stand.command(['export', join(out, 'all'), '--space', space])
    const value = Math.max(0, (1000 * (seconds - none)) / pages)
    rows.push({ name: name('export'), value, unit: 'ms CPU a page', most: 1.5 })
    rmSync(out, { recursive: true })
  }
  if (wants('memory') && process.env.ROWS) rows.push(await memoryRow(name('memory'), stand, paths(''), S))
  if (wants('one edit')) rows.push(await editRow(name('one edit'), stand, { space, bytes: 25_000 }))
  rmSync(nothing, { recursive: true })
  if (folder !== process.env.CORPUS) rmSync(folder, { recursive: true })
  return rows
}

/** Pages of six kilobytes in a folder, thirty to a folder of their own. */
function writePages() {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-bench-'))
  const folderOf = (n) => `part-${Math.floor(n / 30)}`
  for (let n = 0; n < count; n++) {
    mkdirSync(join(folder, folderOf(n)), { recursive: true })
    const text = docsPage(n, 6000, { pages: count, pathOf: (other) => `../${folderOf(other)}/page-${other}.md` })
    writeFileSync(join(folder, folderOf(n), `page-${n}.md`), `# Page ${n}\n\n${text}\n`)
  }
  return folder
}

const pageIds = (pages) =>
  pages.flatMap((page) => [
    ...(page.type === 'document' && page.documentId ? [{ id: page.id, path: page.path }] : []),
    ...pageIds(page.pages ?? []),
  ])

/** What the server does of it, now and in the jobs that follow, counts too. */
async function withServer({ server }, work) {
  const before = cpuSeconds(server.pid)
  const done = work()
  await untilIdle(server)
  return { ...done, seconds: done.seconds + cpuSeconds(server.pid) - before }
}

async function untilIdle({ pid }) {
  for (let last = -1; ; ) {
    const now = cpuSeconds(pid)
    if (now - last < 0.02) return
    last = now
    await sleep(1000)
  }
}

/** CPU seconds of the server until the job that follows has rendered what takes long of all pages. */
async function cpuUntilRendered({ server }, publish) {
  const before = cpuSeconds(server.pid)
  await publish()
  for (;;) {
    const metrics = await (await fetch(`${server.url}/metrics`, { headers })).text()
    const jobs = (state) =>
      Number(new RegExp(`lectern_jobs\\{kind="render-ahead",state="${state}"\\} (\\d+)`).exec(metrics)?.[1] ?? 0)
    // One always waits for its next time.
    if (jobs('running') === 0 && jobs('waiting') <= 1) return cpuSeconds(server.pid) - before
    await sleep(500)
  }
}

/**
 * Each address once, by a process that has just started and been asked for the first quarter of them; with `warmUp` so many
 * times more, each time as an address of its own, so that nothing is answered from what was kept; with `newWords` as often
 * as makes `rendersBefore` pages, each time with something new around them. `start` gives the process: ours, unless it says
 * otherwise.
 */
async function firstTime(stand, { name, path, suffixes, most, warmUp, newWords, start = () => restarted(stand) }) {
  const server = await start()
  // What a process does once, some seconds after its start, is no page's cost: loading what assistants need, giving back memory.
  await sleep(startSeconds * 1000)
  await untilIdle(server)
  const warm = Math.floor(suffixes.length / 4)
  const loading = startLoad()
  const same = { headers, connections: 4, suffixes }
  const target = { ...same, urls: [`${server.url}${path}`], seconds: 600 }
  const measured = { from: warm, count: suffixes.length - warm }
  try {
    await loading.run({ ...target, count: warm })
    if (warmUp) await loading.run({ ...target, ...warmUp, suffixes: suffixes.slice(0, warm), unique: true })
    for (let made = 0, n = 0; newWords && made < rendersBefore; made += warm, n++) {
      await newWords(n)
      await loading.run({ ...target, count: warm })
    }
    const ours = await measure(loading, [server.pid], { ...target, ...measured })
    if (ours.errors > 0) throw new Error(`${name}: ${ours.errors} of ${ours.count} failed.`)
    const bare = { bytes: Math.round(ours.bytes / ours.count), path, same }
    const started = warmUp || newWords ? undefined : await floorStarted(loading, { ...bare, warm, measured })
    return timesRow({ name, most, ours, floor: await floorWarm(loading, bare), started })
  } finally {
    loading.stop()
    await server.stop?.()
  }
}

async function restarted(stand) {
  await stand.restart()
  return { url: stand.server.url, pid: stand.server.pid }
}

/** What the contract demands at least, by hand, on a database of Lectern's. */
async function startLeast(database, { bytes = '{}', headers } = {}) {
  const least = await startFloor(bytes, { database, headers })
  return { ...least, url: least.url.replace(/\/$/, '') }
}

/** Imports by hand: the first of files, and one of the same files again. */
const leastCommands = {
  'least import': { script: 'import.js' },
  'least import with proof': { script: 'import.js', proof: true },
  'least import again': { script: 'import-again.js', isAgain: true },
}

/** CPU seconds of an import by hand into a database of its own. */
async function leastSeconds({ database }, folder, { script, proof, isAgain }) {
  const own = mkdtempSync(join(tmpdir(), 'lectern-bench-'))
  const place = database.url ? await newDatabase(database.url) : { file: join(own, 'least.db') }
  const run = () => runScript(new URL(`kit/least/${script}`, import.meta.url), { folder, database: place, proof })
  if (isAgain) run()
  const seconds = run()
  rmSync(own, { recursive: true })
  return seconds
}

async function newDatabase(url) {
  const name = `least${leastDatabases++}`
  const db = await openDatabase({ url })
  await db.exec(`create database ${name}`)
  await db.close()
  return { url: Object.assign(new URL(url), { pathname: `/${name}` }).href }
}

let leastDatabases = 0

/** Pages by hand are rows of a table of their own. */
async function storeLeastPages(stand, space, ids) {
  const pages = []
  for (const { id } of ids) {
    const path = `/spaces/${space}/content/page/${id}`
    pages.push({
      markdown: await stand.call('GET', path),
      document: await stand.call('GET', `${path}?format=document`),
    })
  }
  const db = await openDatabase(stand.database)
  await storePages(db, space, pages)
  await db.close()
  const least = await startLeast({ ...stand.database, pages: true })
  for (const { markdown } of pages) {
    const answer = await caller(least)('GET', `/spaces/${space}/content/page/${markdown.id}`)
    if (answer.markdown !== markdown.markdown) throw new Error(`By hand, ${markdown.path} is not as it was answered.`)
  }
  await least.stop()
}

/**
 * What bare `node:http` takes, in microseconds of CPU, for as many bytes as an answer has in the middle: pages of a repository
 * differ in length by a hundred times.
 */
async function floorWarm(loading, { bytes, path, same }) {
  return withBare({ bytes, path, same }, async (floor, bare) => {
    await loading.run({ ...bare, ...warmUp })
    const windows = []
    for (let i = 0; i < 9; i++) windows.push(await measure(loading, [floor.pid], { ...bare, seconds: 0.35 }))
    return median(windows.map(microsecondsOf))
  })
}

/** The same of a process that has started a moment ago and is asked as often as ours was, in the middle of seven. */
async function floorStarted(loading, { bytes, path, same, warm, measured }) {
  const each = []
  for (let i = 0; i < 7; i++) {
    await withBare({ bytes, path, same }, async (floor, bare) => {
      await sleep(1000)
      await loading.run({ ...bare, seconds: 600, count: warm })
      each.push(microsecondsOf(await measure(loading, [floor.pid], { ...bare, seconds: 600, ...measured })))
    })
  }
  return median(each)
}

async function withBare({ bytes, path, same }, work) {
  const floor = await startFloor(Buffer.alloc(bytes, 'x'))
  try {
    return await work(floor, { ...same, urls: [`${floor.url}${path.slice(1)}`] })
  } finally {
    await floor.stop()
  }
}

const microsecondsOf = ({ perCpuSecond }) => 1e6 / perCpuSecond

/** `started`: what bare `node:http` takes when it has just started too. */
function timesRow({ name, most, ours, floor, started }) {
  const microseconds = microsecondsOf(ours)
  const startedTimes = started && { started, startedTimes: microseconds / started }
  return { name, times: microseconds / floor, microseconds, floor, most, p50: ours.p50, p99: ours.p99, ...startedTimes }
}

async function bytesRow(name, stand, folder, before) {
  const after = await stand.stored()
  const markdown = bytesOfMarkdown(folder)
  const share = (bytes) => (bytes / markdown).toFixed(1)
  const parts = Object.keys(after.parts).map((part) => `${part} ${share(after.parts[part] - before.parts[part])}`)
  return { name, value: (after.total - before.total) / markdown, unit: `(${parts.join(', ')})`, most: 4 }
}

const bytesOfMarkdown = (folder) =>
  readdirSync(folder, { recursive: true })
    .filter((file) => file.endsWith('.md'))
    .reduce((sum, file) => sum + readFileSync(join(folder, file)).length, 0)

/**
 * Saves of one page, each with a sentence changed somewhere else; what the database has grown by. It stands among the other pages
 * of the set: an edit writes what leads to its page as well. As many come before: what the first ones leave behind, rows that
 * PostgreSQL has emptied and parts of the index of words that are not merged yet, is used again by those that follow.
 */
async function editRow(name, stand, { space, bytes }) {
  const edits = 360
  const made = await stand.call('POST', `/spaces/${space}/content`, {
    changes: [{ operation: 'insert_page', title: 'Edited', document: { markdown: docsPage(5, bytes) } }],
  })
  const page = made.changes[0].page.id
  const save = async (i) => {
    const { document, ...shown } = await stand.call('GET', `/spaces/${space}/content/page/${page}?format=document`)
    const block = document.nodes.filter(({ type }) => type === 'paragraph')[(i * 7) % 20]
    const text = block.nodes.find(({ object }) => object === 'text')
    const others = text.leaves[0].text.replace(/^Sentence \d+ was changed\. /, '')
    text.leaves[0].text = `Sentence ${i} was changed. ${others}`
    await stand.call('POST', `/spaces/${space}/content`, {
      changes: [{ operation: 'update_page', page: shown.id, document: { document } }],
    })
  }
  for (let i = 0; i < edits; i++) await save(i)
  const before = await stand.stored()
  for (let i = edits; i < 2 * edits; i++) await save(i)
  const value = ((await stand.stored()).total - before.total) / edits / 1024
  return { name, value, unit: 'KB stored', most: 6 }
}

/** What the process holds when it has served every page once. */
async function memoryRow(name, stand, suffixes, path) {
  await stand.restart()
  const loading = startLoad()
  await loading.run({
    urls: [`${stand.server.url}${path}`],
    suffixes,
    headers,
    connections: 4,
    seconds: 900,
    count: suffixes.length,
  })
  loading.stop()
  return {
    name: `${name}, ${suffixes.length} pages`,
    value: residentMegabytes(stand.server.pid),
    unit: 'MB',
    most: 300,
  }
}

/** Four callers, forty spaces, five hundred pages, in no order; no address twice. */
async function rowsOfCallers(stand) {
  const rows = []
  const name = (row) => `${row}, ${stand.engine}`
  const wants = (row) => isWanted({ name: name(row) })
  const add = async (row, most, options) => {
    if (!wants(row)) return
    const { microseconds, floor, ratio, p50, p99 } = await compare({
      server: stand.server, headers, unique: true, rounds: Number(process.env.ROUNDS ?? 7), name: row, ...options,
    }) // biome-ignore format: one call
    const spread = row === 'search' ? { spread: p99 / p50, mostSpread: 10 } : {}
    rows.push({ name: name(row), times: 1 / ratio, microseconds, floor: 1e6 / floor, most, ...spread })
  }
  const isPostgres = stand.engine === 'postgres'
  /** The same from a server that does by hand what the contract demands at least. */
  const addLeast = async (row, options, page) => {
    if (!wants(row)) return
    const least = await startLeast(stand.database, page)
    await add(row, undefined, { server: least, ...options })
    await least.stop()
  }
  const callers = [
    'get space',
    'least read',
    'get page',
    'members',
    'least members',
    'get space, others writing',
    'get page, others writing',
  ]
  if (callers.some(wants)) {
    const tokens = [token, ...[1, 2, 3].map((n) => newCaller(stand, n))]
    const spaces = []
    for (let i = 0; i < 40; i++) spaces.push(await stand.newSpace(`Space ${i}`))
    await add('get space', 3, { tokens, path: '/v1/spaces/', suffixes: shuffled(spaces) })
    await addLeast('least read', { tokens, path: '/v1/spaces/', suffixes: shuffled(spaces) })
    if (wants('get page')) {
      const pages = await insertPages(stand, spaces, 500)
      const suffixes = shuffled(pages.map(({ space, page }) => `${space}/content/page/${page}`))
      await add('get page', isPostgres ? 5 : 3, { tokens, path: '/v1/spaces/', suffixes })
    }
    // Another process on the same database posts fifty comments a second, so that hardly a request meets the database as the last did.
    const writer =
      wants('get space, others writing') || wants('get page, others writing') ? await startWriter(stand) : undefined
    await add('get space, others writing', 3, { tokens, path: '/v1/spaces/', suffixes: shuffled(spaces) })
    if (wants('get page, others writing')) {
      const pages = await insertPages(stand, spaces, 500)
      const suffixes = shuffled(pages.map(({ space, page }) => `${space}/content/page/${page}`))
      await add('get page, others writing', isPostgres ? 5 : 3, { tokens, path: '/v1/spaces/', suffixes })
    }
    await writer?.stop()
    for (let n = 4; n < 24 && (wants('members') || wants('least members')); n++) newCaller(stand, n)
    await add('members', 6, { tokens, path: `/v1/orgs/${stand.organization}/members` })
    await addLeast('least members', { tokens, path: `/v1/orgs/${stand.organization}/members` })
  }
  if (wants('search') || wants('least search')) {
    const space = await searchedSpace(stand)
    const suffixes = Array.from(
      { length: 20_000 },
      (_, i) => `${wordOf(20 + (i % 100))}+${wordOf(121 + Math.floor(i / 100))}`,
    )
    const searching = { path: `/v1/spaces/${space}/search?query=`, suffixes: shuffled(suffixes), connections: 4 }
    await add('search', 30, searching)
    if (!isPostgres) await addLeast('least search', searching)
  }
  if (wants('comment') || wants('least comment')) {
    const space = await stand.newSpace('Comments')
    const bodies = Array.from({ length: 1000 }, (_, i) =>
      JSON.stringify({ body: { markdown: `A **short** comment, number ${i}.` } }),
    )
    const posting = { path: `/v1/spaces/${space}/comments`, method: 'POST', bodies, connections: 64, unique: false }
    await add('comment', 5, posting)
    await addLeast('least comment', posting)
  }
  if (wants('published warm') || wants('least published')) {
    const space = await stand.newSpace('Published')
    await insertPages(stand, [space], 20)
    const site = await stand.call('POST', `/orgs/${stand.organization}/sites`, { title: 'Warm', spaces: [space] })
    await stand.call('POST', `/orgs/${stand.organization}/sites/${site.id}/publish`)
    const suffixes = Array.from({ length: 20 }, (_, i) => `page-${i}`)
    const reading = { path: `/sites/${site.basename}/`, suffixes, headers: {}, unique: false }
    await add('published warm', 1.4, reading)
    const page = await sampleOf(`${stand.server.url}${reading.path}${suffixes[0]}`, { headers: {} })
    // On PostgreSQL it would ask for the snapshot, which is a question of its own.
    if (!isPostgres) await addLeast('least published', reading, page)
  }
  return rows
}

/** Comments on a page that nobody reads, by a process of its own. */
async function startWriter(stand) {
  const space = await stand.newSpace('Written')
  const [{ page }] = await insertPages(stand, [space], 1)
  const server = await startLectern({ env: stand.env, folder: stand.server.folder })
  const call = caller(server)
  let isOver = false
  const writing = (async () => {
    while (!isOver) {
      await call('POST', `/spaces/${space}/comments`, { page, body: { markdown: 'Another one.' } })
      await sleep(20)
    }
  })()
  return {
    stop: async () => {
      isOver = true
      await writing
      await server.stop({ keep: true })
    },
  }
}

const newCaller = (stand, n) =>
  stand.command(['user', 'add', '--email', `caller${n}@example.com`, '--role', 'edit']).result.token

async function insertPages(stand, spaces, number) {
  const pages = []
  const share = Math.ceil(number / spaces.length)
  for (const space of spaces) {
    const changes = Array.from({ length: share }, (_, i) => ({
      operation: 'insert_page',
      title: `Page ${i}`,
      document: { markdown: docsPage(pages.length + i, 6000) },
    }))
    const result = await stand.call('POST', `/spaces/${space}/content`, { changes })
    pages.push(...result.changes.map(({ page }) => ({ space, page: page.id })))
  }
  // They are printed and indexed a moment later, which is not what is measured.
  await sleep(4000)
  await untilIdle(stand.server)
  return pages
}

/** A thousand pages of eight sections, from a folder. */
async function searchedSpace(stand) {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-bench-'))
  const { makeWords } = await import('./kit/words.js')
  const words = makeWords()
  for (let n = 0; n < 1000; n++) {
    const sections = Array.from({ length: 8 }, () => `## ${words(3)}\n\n${words(120)}.`)
    writeFileSync(join(folder, `page-${n}.md`), `# Page ${n}\n\n${sections.join('\n\n')}\n`)
  }
  const space = await stand.newSpace('Searched')
  await withServer(stand, () => stand.command(['import', folder, '--space', space]))
  rmSync(folder, { recursive: true })
  return space
}

/** In an order that is the same each time and that nothing follows. */
function shuffled(list) {
  const result = [...list]
  let state = 7
  for (let i = result.length - 1; i > 0; i--) {
    state = (state * 1664525 + 1013904223) >>> 0
    const j = state % (i + 1)
    ;[result[i], result[j]] = [result[j], result[i]]
  }
  return result
}
