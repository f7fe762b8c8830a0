// Writes docs/openapi.json, the snapshot of the API document: a change of the API shows as a diff.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))
// Inside the package, so that the bundle finds its dependencies.
const folder = mkdtempSync(join(root, 'node_modules', '.openapi-'))
try {
  const outfile = join(folder, 'openapi.js')
  await build({
    entryPoints: [join(root, 'src/http/openapi.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
  })
  const { openApiDocument } = await import(pathToFileURL(outfile).href)
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const document = openApiDocument({ url: 'http://localhost:4000', version })
  writeFileSync(join(root, 'docs/openapi.json'), `${JSON.stringify(document, null, 2)}\n`)
  console.log(`docs/openapi.json: ${Object.keys(document.paths).length} paths.`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
