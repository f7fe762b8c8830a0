// The app at /app: one entry, lazy parts beside it, each under a name with its content's hash. Every file has its
// compressed twins, so that nothing is compressed while people wait.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { contractRows } from './contract-rows.js'
import { importSource } from './import-source.js'

const root = new URL('..', import.meta.url).pathname
const require = createRequire(import.meta.url)

/** Builds into `outdir` (from the root) and answers what was made: esbuild's metafile. */
export async function buildApp(outdir) {
  const settings = JSON.parse(readFileSync(`${root}src/app/build.json`, 'utf8'))
  const worker = await buildWorker(settings, outdir)
  const german = await buildGerman(settings, outdir)
  const { metafile } = await build({
    ...settings,
    absWorkingDir: root,
    outdir,
    define: { 'process.env.NODE_ENV': '"production"', HIGHLIGHT_WORKER: JSON.stringify(`./${worker.entry}`) },
    metafile: true,
    plugins: [contractRows, themeSheet, madeBefore(germanSource, german), laterParts, reactOnce],
  })
  const folder = join(root, outdir)
  const entries = Object.entries(metafile.outputs).filter(([, { entryPoint }]) => entryPoint !== undefined)
  const nameOf = (source, ending) =>
    basename(entries.find(([file, { entryPoint }]) => entryPoint === source && file.endsWith(ending))?.[0] ?? '')
  const named = (file, names) => names.find((name) => metafile.outputs[`${outdir}/${name}`].inputs[file])
  const sizeOf = (name) => metafile.outputs[`${outdir}/${name}`].bytes
  const partOf = (source, ...others) =>
    filesOf(metafile, nameOf(source, '.js'), outdir).filter((name) => !others.flat().includes(name))
  const largestFirst = (names) => names.toSorted((a, b) => sizeOf(b) - sizeOf(a))
  const [entry, ...rest] = partOf(settings.entryPoints.main)
  // The entry only names the file that the bundler put the shell into.
  const main = named(settings.entryPoints.main, rest) ?? entry
  const shell = main === entry ? [entry, ...rest] : rest
  writeFileSync(
    join(folder, 'entries.json'),
    JSON.stringify({
      main,
      early: nameOf(settings.entryPoints.early, '.js'),
      style: nameOf(settings.entryPoints.app, '.css'),
      // What nearly every screen is set in.
      font: named(
        `assets/site/fonts/inter-latin-wght-normal.woff2`,
        readdirSync(folder).filter((name) => name.endsWith('.woff2')),
      ),
      shell: largestFirst(shell),
      german,
      side: largestFirst(partOf('src/app/spaces/space-side.tsx', shell, entry)),
      editor: largestFirst(partOf('src/app/editor/index.ts', shell, entry)),
    }),
  )
  for (const name of readdirSync(folder)) {
    if (/\.(js|css|svg)$/.test(name)) compress(join(folder, name), worker.files.has(name) ? 5 : 11)
  }
  return metafile
}

const workerSource = 'src/app/editor/highlight/highlight-worker.ts'

/** The worker that highlights code, with a file for each of 300 languages: 8 MB, of which a page loads what it uses. */
async function buildWorker({ target, legalComments, logLevel }, outdir) {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [workerSource],
    entryNames: '[name]-[hash]',
    chunkNames: 'grammar-[name]-[hash]',
    outdir,
    ...{ bundle: true, minify: true, splitting: true, format: 'esm', target, legalComments, logLevel },
    metafile: true,
  })
  const files = Object.keys(metafile.outputs)
  // A file that is loaded later is an entry as well.
  const entry = files.find((file) => metafile.outputs[file].entryPoint === workerSource)
  return { entry: basename(entry), files: new Set(files.map((file) => basename(file))) }
}

const germanSource = 'src/app/texts/de/index.ts'

/** The shell waits for these words: they stand alone, where the bundler would cut what both use into a third file. */
async function buildGerman({ target, logLevel }, outdir) {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [germanSource],
    outdir,
    ...{ entryNames: 'german-[hash]', bundle: true, minify: true, format: 'esm', target, logLevel },
    metafile: true,
  })
  return basename(Object.keys(metafile.outputs)[0])
}

/** Where `source` is imported, the browser loads the file `name`. */
const madeBefore = (source, name) => ({
  name: 'made-before',
  setup(build) {
    build.onResolve({ filter: /^\./ }, ({ path, kind, resolveDir }) =>
      kind === 'dynamic-import' && join(resolveDir, path) === join(root, source)
        ? { path: `./${name}`, external: true }
        : undefined,
    )
  },
})

/** What a browser loads before it can run a part: its entry and all that it imports at once. */
function filesOf({ outputs }, entry, outdir) {
  const found = new Set()
  const visit = (file) => {
    if (found.has(file)) return
    found.add(file)
    for (const { path, kind } of outputs[file].imports) if (kind === 'import-statement') visit(path)
  }
  visit(`${outdir}/${entry}`)
  return [...found].map((file) => basename(file))
}

function compress(file, level) {
  const bytes = readFileSync(file)
  const quality = { [constants.BROTLI_PARAM_QUALITY]: level, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
  writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params: quality }))
  writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }))
}

/**
 * A part that is loaded later imports what is there by then: the shell, the editor that asked for it. It tells the bundler that what those hold need not be cut into a file for each set of parts that share it. A browser
 * spends more time on each file than on a few modules too many.
 */
const laterParts = {
  name: 'later-parts',
  setup(build) {
    const app = `${root}src/app/`
    const shell = [`${app}main.tsx`]
    const editor = [...shell, `${app}editor/index.ts`]
    const parts = new Map([
      // Shared by screens of which none contains the other, and small.
      [
        `${app}main.tsx`,
        [
          ...[`${app}sites/publish.tsx`, `${app}sites/visibility.ts`, `${app}tree/page-icon.tsx`],
          ...[`${root}src/core/diff/equal.ts`, `${root}src/core/document/tree/make.ts`],
        ],
      ],
      [`${app}editor/index.ts`, shell],
    ])
    const beneath = (importer) => (importer.startsWith(`${app}editor/`) ? editor : shell)
    build.onResolve({ filter: /^\./ }, async ({ path, kind, resolveDir, importer, pluginData }) => {
      if (kind !== 'dynamic-import' || pluginData === laterParts) return undefined
      const found = await build.resolve(path, { kind, resolveDir, importer, pluginData: laterParts })
      if (!parts.has(found.path)) parts.set(found.path, beneath(importer))
      return found
    })
    build.onLoad({ filter: /\/src\/.*\.tsx?$/ }, ({ path }) => {
      const imports = parts.get(path)?.map((file) => `import ${JSON.stringify(file)}`)
      if (imports === undefined) return undefined
      return {
        contents: [readFileSync(path, 'utf8'), ...imports].join('\n'),
        loader: path.endsWith('x') ? 'tsx' : 'ts',
      }
    })
  },
}

/**
 * React comes as CommonJS, of which the bundler makes a copy in every file that imports it: a hundred copies before the first
 * screen. Here one module takes it apart for all.
 */
const reactOnce = {
  name: 'react-once',
  setup(build) {
    build.onResolve({ filter: /^react(\/jsx-runtime)?$/ }, ({ path, namespace, kind }) =>
      namespace === 'react-once' || kind === 'require-call' ? undefined : { path, namespace: 'react-once' },
    )
    build.onLoad({ filter: /./, namespace: 'react-once' }, ({ path }) => {
      const names = Object.keys(require(path)).filter((name) => /^[a-zA-Z]/.test(name))
      const contents = `import React from ${JSON.stringify(path)}\nexport default React\nexport const { ${names.join(', ')} } = React`
      return { contents, resolveDir: root }
    })
  },
}

/** `theme.css` is computed: the tokens of a site with Lectern's own colours. */
const themeSheet = {
  name: 'theme-sheet',
  setup(build) {
    build.onLoad({ filter: /\/src\/app\/theme\.css$/ }, async () => {
      const { appStyle } = await importSource(`${root}src/theme/app-style.ts`)
      return { contents: appStyle(`${root}assets/site/fonts/`), loader: 'css', resolveDir: root }
    })
  },
}
