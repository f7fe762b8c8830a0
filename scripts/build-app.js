// The app at /app: one entry, lazy parts beside it, each under a name with its content's hash. Every file has its
// compressed twins, so that nothing is compressed while people wait.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { contractRows } from './contract-rows.js'
import { importSource } from './import-source.js'

const root = new URL('..', import.meta.url).pathname

/** Builds into `outdir` (from the root) and answers what was made: esbuild's metafile. */
export async function buildApp(outdir) {
  const settings = JSON.parse(readFileSync(`${root}src/app/build.json`, 'utf8'))
  const { metafile } = await build({
    ...settings,
    absWorkingDir: root,
    outdir,
    define: { 'process.env.NODE_ENV': '"production"' },
    metafile: true,
    plugins: [contractRows, themeSheet],
  })
  const folder = join(root, outdir)
  const entries = Object.entries(metafile.outputs).filter(([, { entryPoint }]) => entryPoint !== undefined)
  const nameOf = (source, ending) =>
    basename(entries.find(([file, { entryPoint }]) => entryPoint === source && file.endsWith(ending))?.[0] ?? '')
  const shell = filesOf(metafile, nameOf(settings.entryPoints.main, '.js'), outdir)
  const partOf = (source) => filesOf(metafile, nameOf(source, '.js'), outdir).filter((name) => !shell.includes(name))
  writeFileSync(
    join(folder, 'entries.json'),
    JSON.stringify({
      main: nameOf(settings.entryPoints.main, '.js'),
      early: nameOf(settings.entryPoints.early, '.js'),
      style: nameOf(settings.entryPoints.app, '.css'),
      shell,
      space: partOf('src/app/spaces/space-area.tsx'),
      editor: partOf('src/app/editor/index.ts'),
    }),
  )
  for (const name of readdirSync(folder)) if (/\.(js|css|svg)$/.test(name)) compress(join(folder, name))
  return metafile
}

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

function compress(file) {
  const bytes = readFileSync(file)
  const quality = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
  writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params: quality }))
  writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }))
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
