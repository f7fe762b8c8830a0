/**
 * The package as `npm pack` makes it, in an empty project: `lectern/client` with its types, in Node and in a browser, against the
 * server of the same package. Nothing else would notice a file that `files` or `exports` leaves out.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { beforeAll, expect, test } from 'vitest'
import { adminToken, type Running, startProcess } from '../faults/process.ts'
import { sqlite } from '../kit/backends.ts'
import { launchChromium } from '../site/chromium.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'lectern-package-'))
const project = join(folder, 'project')
const installed = join(project, 'node_modules/lectern')
let server: Running

/** What a program of somebody else does; in TypeScript, so that its types are tried too. */
const program = `
import { CallFailed, connect, newIdempotencyKey, type ServerEvent, StreamRefused, streamEvents, walk } from 'lectern/client'

export async function run(url: string, token: string) {
  const lectern = connect({ url, token })
  const { items } = await lectern.listOrganizationsForAuthenticatedUser()
  const organizationId = items[0]?.id ?? ''
  const { body: space, status } = await lectern.createSpace.withHeaders({
    organizationId,
    body: { title: 'Handbook' },
    idempotencyKey: newIdempotencyKey(),
  })
  const spaceId: string = space.id
  const { headers } = await lectern.getSpaceById.withHeaders({ spaceId })
  const ifMatch: string = headers.etag ?? ''
  await lectern.updateSpaceById({ spaceId, body: { title: 'Manual' }, ifMatch })
  const isStale = await lectern
    .updateSpaceById({ spaceId, body: { title: 'Lost' }, ifMatch })
    .catch((error: unknown) => error instanceof CallFailed && error.status === 412)
  const aborted = await lectern
    .getSpaceById({ spaceId, signal: AbortSignal.abort() })
    .catch((error: unknown) => (error instanceof Error ? error.name : ''))
  const members: string[] = []
  for await (const member of walk(lectern.listMembersInOrganizationById, { organizationId })) members.push(member.id)
  const stop = new AbortController()
  const path = \`/v1/spaces/\${spaceId}/events\`
  let event: ServerEvent | undefined
  for await (event of streamEvents({ url, token, path, signal: stop.signal })) {
    if (event.event === 'ready') await lectern.updateSpaceById({ spaceId, body: { title: 'Streamed' } })
    else stop.abort()
  }
  const refused = await streamEvents({ url, token: 'lct_of_nobody', path })
    .next()
    .catch((error: unknown) => error instanceof StreamRefused && error.status)
  return { status, ifMatch, isStale, aborted, members: members.length, event: event?.event, refused }
}

export const wrong = (lectern: ReturnType<typeof connect>) => [
  // @ts-expect-error A title is text.
  lectern.updateSpaceById({ spaceId: '', body: { title: 3 } }),
  // @ts-expect-error The path has an id.
  lectern.getSpaceById(),
  // @ts-expect-error A space has no such field.
  lectern.getSpaceById({ spaceId: '' }).then((space) => space.nonsense),
  // @ts-expect-error There is no such operation.
  lectern.makeCoffee(),
]
`

const whatItDoes = {
  status: 201,
  ifMatch: expect.stringMatching(/^".+"$/),
  isStale: true,
  aborted: 'AbortError',
  members: 1,
  event: 'space',
  refused: 401,
}

beforeAll(async () => {
  const { dependencies } = install(await pack())
  for (const name of Object.keys(dependencies)) {
    mkdirSync(dirname(join(project, 'node_modules', name)), { recursive: true })
    symlinkSync(join(root, 'node_modules', name), join(project, 'node_modules', name))
  }
  write('package.json', '{ "type": "module" }')
  write('program.ts', program)
  const place = await sqlite.make({ migrated: false })
  server = await startProcess({ ...place, main: join(installed, 'bin/lectern.js') })
  return async () => {
    await server.end('SIGTERM')
    await place.drop()
    rmSync(folder, { recursive: true, force: true })
  }
})

test.each([
  ['esnext', 'bundler'],
  ['node16', 'node16'],
])('has types, and the guide uses them as they are (%s, %s)', (module, moduleResolution) => {
  const guide = readFileSync(join(installed, 'docs/guide/api/client.md'), 'utf8')
  const samples = [...guide.matchAll(/```ts\n(.*?)```/gs)].map(([, sample = '']) => sample)
  expect(samples.length).toBeGreaterThan(4)
  const given = Object.entries({
    lectern: "import('lectern/client').Client",
    process: '{ env: Record<string, string> }',
    console: '{ log(...values: unknown[]): void }',
    ...{ url: 'string', token: 'string', spaceId: 'string', organizationId: 'string' },
  })
  const files = samples.map((sample, i) => {
    const missing = given.filter(([name]) => !sample.includes(`const ${name} =`))
    const declared = missing.map(([name, type]) => `declare const ${name}: ${type}\n`).join('')
    return write(`guide-${i}.ts`, `${declared}${sample}\nexport {}\n`)
  })
  const options = { module, moduleResolution, strict: true, noEmit: true, target: 'es2022', lib: ['es2022', 'dom'] }
  const compilerOptions = { ...options, skipLibCheck: true, types: [] }
  write('tsconfig.json', JSON.stringify({ compilerOptions, files: ['program.ts', ...files] }))
  expect(runNode([join(root, 'node_modules/typescript/bin/tsc'), '-p', project])).toBe('')
})

test('works in Node, found by the name that the package exports', async () => {
  await bundle({ outfile: 'program.js', packages: 'external' })
  write(
    'main.js',
    `import { run } from './program.js'; console.log(JSON.stringify(await run(...process.argv.slice(2))))`,
  )
  expect(JSON.parse(runNode([join(project, 'main.js'), server.url, adminToken]))).toEqual(whatItDoes)
})

test('works in a browser, on a page of somebody else, with nothing drawn in', async () => {
  const { metafile } = await bundle({ outfile: 'browser.js', platform: 'browser', format: 'iife', globalName: 'ours' })
  expect(Object.keys(metafile.inputs).sort()).toEqual(['node_modules/lectern/dist/client/index.js', 'program.ts'])
  const browser = await launchChromium()
  try {
    const page = await browser.newPage()
    await page.setContent(`<script>${readFileSync(join(project, 'browser.js'), 'utf8')}</script>`)
    expect(await page.evaluate(`ours.run('${server.url}', '${adminToken}')`)).toEqual(whatItDoes)
  } finally {
    await browser.close()
  }
})

test('has what the server shows: the app, the reference, the fonts of sites', async () => {
  for (const path of ['/app/', '/reference', '/v1/openapi.json']) {
    expect(`${path} ${(await fetch(`${server.url}${path}`)).status}`).toBe(`${path} 200`)
  }
  expect(readdirSync(join(installed, 'assets/site/fonts')).length).toBeGreaterThan(10)
})

/**
 * The package of what is built, and of declarations made here: `prepack` would build under the hands of other tests. Source maps
 * are left out: packing a third of the bytes for nobody takes seconds.
 */
async function pack(): Promise<string> {
  const staged = join(folder, 'staged')
  const { buildClientTypes } = await import(new URL('../../scripts/build-client.js', import.meta.url).href)
  buildClientTypes(join(staged, 'dist/types'))
  for (const name of readdirSync(root)) {
    if (!/^(?:\..*|node_modules|test|data|dist\..*)$/.test(name)) {
      cpSync(join(root, name), join(staged, name), { recursive: true, filter: (path) => !path.endsWith('.map') })
    }
  }
  const done = spawnSync('npm', ['pack', '--ignore-scripts', '--silent'], { cwd: staged, encoding: 'utf8' })
  expect(done).toMatchObject({ status: 0 })
  return join(staged, done.stdout.trim())
}

/** As npm would, with the dependencies that it names and no others; they are here already. */
function install(archive: string): { dependencies: Record<string, string> } {
  mkdirSync(installed, { recursive: true })
  const done = spawnSync('tar', ['-xzf', archive, '--strip-components=1', '-C', installed], { encoding: 'utf8' })
  expect(done).toMatchObject({ status: 0 })
  return JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
}

function bundle(options: Parameters<typeof build>[0]) {
  return build({
    absWorkingDir: project,
    entryPoints: ['program.ts'],
    bundle: true,
    format: 'esm',
    logLevel: 'silent',
    ...options,
    metafile: true,
  })
}

function write(name: string, text: string): string {
  writeFileSync(join(project, name), text)
  return name
}

function runNode(args: readonly string[]): string {
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: project, encoding: 'utf8', timeout: 60_000 })
  return `${stdout}${stderr}`.trim()
}
