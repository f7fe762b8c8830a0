// `lectern/client`: one file for browsers and Node, and with --types its declarations.
import { spawnSync } from 'node:child_process'
import { build } from 'esbuild'
import { contractRows } from './contract-rows.js'

const root = new URL('..', import.meta.url).pathname

export const buildClient = (outdir) =>
  build({
    absWorkingDir: root,
    entryPoints: { index: 'src/client/index.ts' },
    outdir,
    bundle: true,
    platform: 'neutral',
    format: 'esm',
    target: 'es2022',
    plugins: [contractRows],
    logLevel: 'warning',
  })

/** Declarations of the client and of what its types name: the rows of the contract and the shapes of `core`. */
export function buildClientTypes(outdir) {
  const flags = `--ignoreConfig --declaration --emitDeclarationOnly --rootDir src --outDir ${outdir} --target es2023
    --lib es2023,es2024.string,dom,dom.iterable --module nodenext --moduleResolution nodenext --allowImportingTsExtensions
    --resolveJsonModule --skipLibCheck --strict --types `
  const { status, stdout } = spawnSync(
    process.execPath,
    [`${root}node_modules/typescript/bin/tsc`, 'src/client/index.ts', ...flags.split(/\s+/)],
    { cwd: root, encoding: 'utf8' },
  )
  if (status !== 0) throw new Error(`The types of the client failed:\n${stdout}`)
}
