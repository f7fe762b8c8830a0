/**
 * A PostgreSQL server of our own, in a temporary folder, for one run of the tests.
 *
 * PostgreSQL refuses to run as root, so root hands it to an unprivileged account. It listens on a socket in its folder
 * only.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readFileSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { requirePostgres } from './programs.ts'

export interface PostgresServer {
  /** The address of a database on it. */
  url(database: string): string
  /** Runs one statement on its maintenance database. */
  query(sql: string): Promise<void>
  /** Its socket, for a proxy in front of it. */
  socket: string
  /** Stops it (`crash`: at once, without a word), starts it again, or lets it hang and go on. */
  order(what: 'start' | 'stop' | 'crash' | 'freeze' | 'thaw'): Promise<void>
  stop(): Promise<void>
}

export async function startPostgres(options: { durable?: boolean } = {}): Promise<PostgresServer> {
  const bin = requirePostgres()
  const owner = unprivilegedAccount()
  const folder = makeFolder(owner)
  const data = join(folder, 'data')
  const as = owner ?? {}
  const made = spawnSync(join(bin, 'initdb'), [...initArguments(bin), '-D', data], {
    cwd: folder,
    encoding: 'utf8',
    ...as,
  })
  if (made.status !== 0) throw new Error(`initdb failed:\n${made.stdout}\n${made.stderr}\n${made.error ?? ''}`)

  const settings = {
    listen_addresses: '',
    unix_socket_directories: folder,
    max_connections: '300',
    shared_buffers: '64MB',
    ...(options.durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  }
  const args = ['-D', data, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])]
  const guard = spawn(
    process.execPath,
    [
      fileURLToPath(new URL('./postgres-guard.js', import.meta.url)),
      JSON.stringify({ binary: join(bin, 'postgres'), args, folder, ...as }),
    ],
    { stdio: ['pipe', 'pipe', 'pipe'] },
  )
  const url = (database: string) => `postgres://lectern@localhost/${database}?host=${encodeURIComponent(folder)}`
  await untilReady(guard, url('postgres'))
  return {
    url,
    socket: join(folder, '.s.PGSQL.5432'),
    order: (what) =>
      new Promise((resolve) => {
        const answer = what === 'stop' || what === 'crash' ? 'stopped' : what
        const listen = (bytes: Buffer) => {
          if (!String(bytes).split('\n').includes(answer)) return
          guard.stdout?.off('data', listen)
          resolve()
        }
        guard.stdout?.on('data', listen)
        guard.stdin?.write(`${what}\n`)
      }),
    query: async (sql) => {
      const client = new pg.Client({ connectionString: url('postgres') })
      await client.connect()
      try {
        await client.query(sql)
      } finally {
        await client.end()
      }
    },
    stop: () =>
      new Promise((resolve) => {
        guard.once('exit', () => resolve())
        guard.stdin?.end()
      }),
  }
}

/** Who runs the server when we are root: an account that owns nothing. */
function unprivilegedAccount(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const accounts = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
  const account = ['postgres', 'nobody'].map((name) => accounts.find((fields) => fields[0] === name)).find(Boolean)
  if (!account) throw new Error('PostgreSQL does not run as root, and there is no account `postgres` or `nobody`.')
  return { uid: Number(account[2]), gid: Number(account[3]) }
}

/** A folder the account can reach, with a path short enough for a socket (107 bytes with its name). */
function makeFolder(owner: { uid: number; gid: number } | undefined): string {
  const parent = [tmpdir(), '/tmp', '/var/tmp'].find(
    (folder) => existsSync(folder) && folder.length < 60 && (owner === undefined || isOpen(folder)),
  )
  if (!parent) throw new Error('There is no temporary folder that another account can reach.')
  const folder = mkdtempSync(join(parent, 'lectern-pg-'))
  if (owner) chownSync(folder, owner.uid, owner.gid)
  return folder
}

const isOpen = (folder: string): boolean =>
  (statSync(folder).mode & 0o001) !== 0 && (folder === '/' || isOpen(dirname(folder)))

/** Sorts text as people do by default, so that a column that should sort by code point and does not is found out. */
function initArguments(bin: string): string[] {
  const basic = ['-U', 'lectern', '--auth=trust', '-E', 'UTF8', '--no-sync', '--no-locale']
  const help = spawnSync(join(bin, 'initdb'), ['--help'], { encoding: 'utf8' }).stdout ?? ''
  return help.includes('--icu-locale') ? [...basic, '--locale-provider=icu', '--icu-locale=en-US'] : basic
}

async function untilReady(guard: ChildProcess, url: string): Promise<void> {
  let output = ''
  let ended = false
  for (const stream of [guard.stdout, guard.stderr])
    stream?.on('data', (bytes) => (output = (output + bytes).slice(-4000)))
  guard.on('exit', () => (ended = true))
  for (let attempt = 0; attempt < 600; attempt++) {
    if (ended) throw new Error(`PostgreSQL did not start:\n${output}`)
    const client = new pg.Client({ connectionString: url })
    try {
      await client.connect()
      await client.end()
      return
    } catch {
      await sleep(50)
    }
  }
  guard.stdin?.end()
  throw new Error(`PostgreSQL was not ready after 30 s:\n${output}`)
}
