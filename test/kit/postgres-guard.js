// Runs one PostgreSQL server for as long as its own parent lives. The parent holds the other end of our standard input:
// when that closes, for whatever reason, the server is stopped and its folder removed. So nothing survives a crash.
import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'

const { binary, args, folder, uid, gid } = JSON.parse(process.argv[2] ?? '{}')

const server = spawn(binary, args, {
  cwd: folder,
  stdio: ['ignore', 'inherit', 'inherit'],
  ...(uid === undefined ? {} : { uid, gid }),
})

// Ctrl-C reaches the whole process group; the end of our input is the only thing that stops us.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {})

const clean = (code) => {
  rmSync(folder, { recursive: true, force: true })
  process.exit(code)
}

server.on('error', (error) => {
  console.error(String(error))
  clean(1)
})
server.on('exit', (code) => clean(code ?? 0))

process.stdin.on('end', () => {
  // Nothing in it is worth a checkpoint.
  server.kill('SIGQUIT')
  setTimeout(() => server.kill('SIGKILL'), 5000).unref()
})
process.stdin.resume()
