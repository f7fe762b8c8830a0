// Bundles the server, its worker threads and the command line into dist/, with most dependencies: reading one file is much
// faster than finding a thousand.
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { basename } from 'node:path'
import { build } from 'esbuild'
import { buildApp } from './build-app.js'
import { buildClient, buildClientTypes } from './build-client.js'
import './assets.js'

const root = new URL('..', import.meta.url).pathname

// Every `name-thread.ts` is the inside of a thread, every `name-child.ts` of a process, and each a script of its own:
// dist/name.js.
const threads = readdirSync(`${root}src`, { recursive: true })
  .filter((file) => /-(thread|child)\.ts$/.test(file))
  .map((file) => [basename(file).replace(/-(thread|child)\.ts$/, ''), `src/${file}`])

// What stays outside: native code, what is loaded only when it is needed, and what finds its own files by their place.
const outside = [
  '@photostructure/sqlite',
  '@node-rs/argon2',
  '@myriaddreamin/typst-ts-node-compiler',
  'pg',
  'shiki',
  'katex',
  'esbuild',
]

// Built aside and moved in place when whole: a build that fails leaves the one before as it was.
const next = `dist.${process.pid}`
process.on('exit', () => rmSync(`${root}${next}`, { recursive: true, force: true }))

await build({
  absWorkingDir: root,
  entryPoints: { main: 'src/main.ts', ...Object.fromEntries(threads) },
  outdir: next,
  bundle: true,
  splitting: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  external: [...outside, ...outside.map((name) => `${name}/*`)],
  // CommonJS inside a module of the other kind asks for Node's own parts by `require`.
  banner: {
    js: "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);",
  },
  define: {
    // With another version every page is printed again when it is first read.
    PRINTER_VERSION: JSON.stringify(await versionOfCode('domain/content/markdown/print-stored.ts', 'printStored')),
    // Of what makes the parts that are stored, and of nothing else: with another version every shown page has them made again.
    RENDERER_VERSION: JSON.stringify(
      versionOf([
        'theme',
        ...['highlight', 'highlighted-bytes', 'math', 'parts', 'tokenize'].map((name) => `site/render/${name}.ts`),
      ]),
    ),
    READER_VERSION: JSON.stringify(
      versionOf(['core', 'domain/import', 'domain/repository', 'domain/content/markdown']),
    ),
  },
  sourcemap: true,
  logLevel: 'warning',
})

// The style sheet and the browser script of published sites.
const site = JSON.parse(readFileSync(`${root}src/site/browser/build.json`, 'utf8'))
await build({ ...site, absWorkingDir: root, outdir: `${next}/site` })

await buildApp(`${next}/app`)
await buildClient(`${next}/client`)
// Only the package needs the declarations, and they take seconds.
if (process.argv.includes('--types')) buildClientTypes(`${next}/types`)

// Whoever has the app open still loads parts of the build before; a package has none.
if (!process.argv.includes('--types')) keepFilesBefore(`${root}dist/app`, `${root}${next}/app`)

rmSync(`${root}dist`, { recursive: true, force: true })
renameSync(`${root}${next}`, `${root}dist`)

/** Files of the app that was, as far as the app that is has others: below it, in `before`. */
function keepFilesBefore(was, is) {
  const now = new Set(readdirSync(is))
  mkdirSync(`${is}/before`)
  for (const entry of existsSync(was) ? readdirSync(was, { withFileTypes: true }) : [])
    if (entry.isFile() && !now.has(entry.name)) cpSync(`${was}/${entry.name}`, `${is}/before/${entry.name}`)
}

/** Of all that a function runs, libraries included, and of nothing else: words in comments and code beside it do not count. */
async function versionOfCode(file, name) {
  const { outputFiles } = await build({
    absWorkingDir: root,
    stdin: { contents: `export { ${name} } from './src/${file}'`, resolveDir: root },
    ...{ bundle: true, minify: true, write: false, legalComments: 'none', logLevel: 'warning' },
    ...{ platform: 'node', format: 'esm', target: 'node20' },
  })
  return createHash('sha256').update(outputFiles[0].contents).digest('base64url').slice(0, 12)
}

/** Another whenever what these sources make of a text may be another: their hash, and the parsers that they use. */
function versionOf(places) {
  const hash = createHash('sha256')
  for (const place of places) {
    const path = `${root}src/${place}`
    const sources = place.endsWith('.ts') ? [path] : sourcesIn(path)
    for (const file of sources) hash.update(file.slice(root.length)).update(readFileSync(file))
  }
  const { dependencies } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'))
  for (const name of ['markdown-it', 'yaml', 'shiki', 'katex']) hash.update(` ${dependencies[name]}`)
  return hash.digest('base64url').slice(0, 12)
}

function sourcesIn(folder) {
  const sources = readdirSync(folder, { recursive: true }).filter((file) => file.endsWith('.ts'))
  return sources.sort().map((file) => `${folder}/${file}`)
}
