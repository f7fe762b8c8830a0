// Writes docs/openapi.json, the snapshot of the API document, and docs/api.md, the same in words: a change of the API shows
// as a diff.
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
    stdin: {
      contents: "export * from './src/http/openapi/openapi.ts'; export * from './src/http/openapi/api-page.ts'",
      resolveDir: root,
    },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
  })
  const { apiPage, openApiDocument } = await import(pathToFileURL(outfile).href)
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const document = openApiDocument({ url: 'http://localhost:4000', version })
  writeFileSync(join(root, 'docs/openapi.json'), `${JSON.stringify(document, null, 2)}\n`)
  writeFileSync(join(root, 'docs/api.md'), apiPage(document))
  console.log(`docs/openapi.json and docs/api.md: ${Object.keys(document.paths).length} paths.`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
