/** Real repositories made with git, and a real server of them (`git http-backend`), with credentials if asked for. */
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { requireGit } from './programs.ts'

export interface Repository {
  name: string
  /** The folder of the bare repository. */
  path: string
  /** Commits these files (null removes one), and says the id of the commit. */
  commit(files: Record<string, string | Buffer | null>, message?: string): string
  git(...args: string[]): string
}

export interface GitServer {
  url: string
  /** The folder of all repositories. */
  root: string
  make(files?: Record<string, string | Buffer>): Repository
  /** Requests that came, with the credentials they showed. */
  asked: { path: string; authorization: string | undefined }[]
  /** Asks for these from now on. */
  credentials: string | undefined
  close(): void
}

const quiet = { stdio: ['ignore', 'pipe', 'pipe'] as ['ignore', 'pipe', 'pipe'] }
const env = {
  PATH: process.env.PATH,
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.org',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.org',
}

export async function startGitServer(): Promise<GitServer> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'lectern-test-git-')))
  let count = 0
  const server = createServer((request, response) => answer(request, response, git))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const git: GitServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    root,
    asked: [],
    credentials: undefined,
    make: (files) => makeRepository(root, `docs-${++count}.git`, files),
    close: () => {
      server.close()
      rmSync(root, { recursive: true, force: true })
    },
  }
  return git
}

function makeRepository(root: string, name: string, files: Record<string, string | Buffer> | undefined): Repository {
  const path = join(root, name)
  const work = `${path}-work`
  const run = (cwd: string, ...args: string[]): string =>
    execFileSync(requireGit(), args, { ...quiet, cwd, env, encoding: 'utf8' }).trim()
  run(root, 'init', '-q', '--bare', '-b', 'main', path)
  run(path, 'config', 'http.receivepack', 'true')
  const repository: Repository = {
    name,
    path,
    git: (...args) => run(path, ...args),
    commit(changes, message = 'A change') {
      rmSync(work, { recursive: true, force: true })
      run(root, 'clone', '-q', path, work)
      run(work, 'checkout', '-q', '-B', 'main')
      for (const [file, content] of Object.entries(changes)) {
        if (content === null) rmSync(join(work, file))
        else {
          mkdirSync(dirname(join(work, file)), { recursive: true })
          writeFileSync(join(work, file), content)
        }
      }
      run(work, 'add', '-A')
      run(work, 'commit', '-q', '-m', message)
      run(work, 'push', '-q', 'origin', 'main')
      return run(work, 'rev-parse', 'HEAD')
    },
  }
  if (files) repository.commit(files, 'The first')
  return repository
}

function answer(request: IncomingMessage, response: ServerResponse, git: GitServer): void {
  const { pathname, search } = new URL(request.url ?? '/', git.url)
  const { authorization } = request.headers
  git.asked.push({ path: pathname, authorization })
  const expected = git.credentials && `Basic ${Buffer.from(git.credentials).toString('base64')}`
  if (expected !== undefined && authorization !== expected)
    return void response.writeHead(401, { 'www-authenticate': 'Basic' }).end()
  const backend = spawn(requireGit(), ['http-backend'], {
    env: {
      ...env,
      GIT_PROJECT_ROOT: git.root,
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: decodeURIComponent(pathname),
      QUERY_STRING: search.slice(1),
      REQUEST_METHOD: request.method ?? 'GET',
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      REMOTE_USER: 'somebody',
      REMOTE_ADDR: '127.0.0.1',
    },
  })
  request.pipe(backend.stdin)
  const parts: Buffer[] = []
  backend.stdout.on('data', (part: Buffer) => parts.push(part))
  backend.on('close', () => {
    const all = Buffer.concat(parts)
    const end = all.indexOf('\r\n\r\n')
    const lines = all.subarray(0, end).toString().split('\r\n')
    const headers = Object.fromEntries(lines.map((line) => line.split(': ') as [string, string]))
    const status = Number((headers.Status ?? '200').slice(0, 3))
    delete headers.Status
    response.writeHead(status, headers).end(all.subarray(end + 4))
  })
}
