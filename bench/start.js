// Starting and size: from the command to the first 200, memory at rest and after work, what an installation weighs.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { caller, headers } from './kit/call.js'
import { median } from './kit/compare.js'
import { load } from './kit/load.js'
import { cpuSeconds, residentMegabytes, startLectern } from './kit/process.js'

const root = new URL('..', import.meta.url).pathname
const rounds = Number(process.env.ROUNDS ?? 7)

export async function run() {
  const first = await startLectern()
  await sleep(5000)
  const idle = residentMegabytes(first.pid)
  await work(first)
  const loaded = residentMegabytes(first.pid)
  await first.stop({ keep: true })
  const starts = []
  for (let i = 0; i < rounds; i++) {
    const server = await startLectern({ folder: first.folder })
    starts.push({ wall: server.startMilliseconds, cpu: cpuSeconds(server.pid) * 1000 })
    await server.stop({ keep: true })
  }
  rmSync(first.folder, { recursive: true, force: true })
  const bare = []
  for (let i = 0; i < rounds; i++) {
    const started = performance.now()
    execFileSync(process.execPath, ['-e', '0'])
    bare.push(performance.now() - started)
  }
  const rows = [
    { name: 'start to first 200', value: median(starts.map((one) => one.wall)), unit: 'ms', most: 1000 },
    { name: 'of which CPU', value: median(starts.map((one) => one.cpu)), unit: 'ms' },
    { name: 'first start (makes the database)', value: first.startMilliseconds, unit: 'ms' },
    { name: 'bare node to its exit', value: median(bare), unit: 'ms' },
    { name: 'memory at rest', value: idle, unit: 'MB', most: 120 },
    { name: 'memory after 20,000 requests', value: loaded, unit: 'MB' },
  ]
  if (process.env.INSTALL !== 'no') rows.push(...install())
  return { rows }
}

async function work(server) {
  const call = caller(server)
  const organization = (await call('GET', '/orgs')).items[0].id
  await call('POST', `/orgs/${organization}/spaces`, { title: 'Bench' })
  const urls = [`${server.url}/v1/orgs`, `${server.url}/v1/user`, `${server.url}/v1/orgs/${organization}/spaces`]
  for (let done = 0; done < 20_000; ) {
    done += (await load({ urls, headers, connections: 16, seconds: 1 })).count
  }
}

/** The package as it would be published, installed without what is only for development. */
function install() {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-install-'))
  try {
    const packed = execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], {
      cwd: root,
      encoding: 'utf8',
    })
    mkdirSync(join(folder, 'home'))
    writeFileSync(join(folder, 'home', 'package.json'), '{"private":true}')
    const started = performance.now()
    execFileSync(
      'npm',
      ['install', '--silent', '--no-audit', '--no-fund', join(folder, packed.trim().split('\n').at(-1))],
      {
        cwd: join(folder, 'home'),
        stdio: 'inherit',
        // As somebody else would: not with the settings of this checkout.
        env: Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name))),
      },
    )
    return [
      { name: 'installing it', value: performance.now() - started, unit: 'ms', most: 60_000 },
      { name: 'installed', value: megabytesIn(join(folder, 'home', 'node_modules')), unit: 'MB', most: 250 },
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const megabytesIn = (folder) =>
  readdirSync(folder, { recursive: true })
    .map((file) => statSync(join(folder, file), { throwIfNoEntry: false }))
    .reduce((sum, stat) => sum + (stat?.isFile() ? stat.size : 0), 0) /
  1024 /
  1024
