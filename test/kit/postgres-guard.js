// Runs one PostgreSQL server for as long as its own parent lives. The parent holds the other end of our standard input:
// when that closes, for whatever reason, the server is stopped and its folder removed. So nothing survives a crash.
// A line on it is an order: what tests of faults do to the server.
import { execFileSync, spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { createInterface } from 'node:readline'

const { binary, args, folder, uid, gid } = JSON.parse(process.argv[2] ?? '{}')

let server
// Stopped on request, to be started again: its folder stays.
let isResting = false

const start = () => {
  isResting = false
  server = spawn(binary, args, {
    cwd: folder,
    stdio: ['ignore', 'inherit', 'inherit'],
    ...(uid === undefined ? {} : { uid, gid }),
  })
  server.on('error', (error) => {
    console.error(String(error))
    clean(1)
  })
  server.on('exit', (code) => {
    if (!isResting) clean(code ?? 0)
    console.log('stopped')
  })
}

/** The server and every process it has started. */
const family = () => {
  const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((row) => row.trim().split(/\s+/).map(Number))
  return [server.pid, ...rows.filter(([, parent]) => parent === server.pid).map(([pid]) => pid)]
}

const signal = (name) => {
  for (const pid of family()) {
    try {
      process.kill(pid, name)
    } catch {
      // It ended in between.
    }
  }
}

const orders = {
  start,
  stop: () => {
    isResting = true
    server.kill('SIGINT')
  },
  crash: () => {
    isResting = true
    server.kill('SIGQUIT')
  },
  freeze: () => signal('SIGSTOP'),
  thaw: () => signal('SIGCONT'),
}

// Ctrl-C reaches the whole process group; the end of our input is the only thing that stops us.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {})

const clean = (code) => {
  rmSync(folder, { recursive: true, force: true })
  process.exit(code)
}

start()

process.stdin.on('end', () => {
  // Nothing in it is worth a checkpoint.
  if (isResting && server.exitCode !== null) return clean(0)
  isResting = false
  signal('SIGCONT')
  server.kill('SIGQUIT')
  setTimeout(() => server.kill('SIGKILL'), 5000).unref()
})
createInterface({ input: process.stdin }).on('line', (order) => {
  orders[order]?.()
  if (order !== 'stop' && order !== 'crash') console.log(order)
})
