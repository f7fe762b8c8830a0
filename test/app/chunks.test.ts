/** How much a browser loads to write: the editor's part beside the shell, and what comes only when it is needed. */
import { fileURLToPath } from 'node:url'
import { brotliCompressSync } from 'node:zlib'
import { build } from 'esbuild'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const most = 160 * 1024

test('the editor is at most 160 KB compressed, without Markdown and formulas', async () => {
  const { contractRows } = await import(new URL('../../scripts/contract-rows.js', import.meta.url).href)
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: ['src/app/editor/index.ts'],
    outdir: 'out',
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    jsx: 'automatic',
    metafile: true,
    write: false,
    logLevel: 'silent',
    plugins: [contractRows],
    // React is in the shell, which is there before.
    external: ['react', 'react/jsx-runtime'],
  })
  const loaded = new Set<string>()
  const visit = (file: string): void => {
    if (loaded.has(file)) return
    loaded.add(file)
    for (const { path, kind } of metafile.outputs[file]?.imports ?? []) if (kind === 'import-statement') visit(path)
  }
  visit('out/index.js')
  const sizes = outputFiles
    .filter(({ path }) => [...loaded].some((file) => path.endsWith(file.slice('out'.length))))
    .map(({ contents }) => brotliCompressSync(contents).length)
  const total = sizes.reduce((sum, size) => sum + size, 0)
  console.log(`editor: ${Math.round(total / 1024)} KB brotli in ${sizes.length} file(s)`)
  expect(total).toBeGreaterThan(20_000)
  expect(total).toBeLessThan(most)
  const inputs = [...loaded].flatMap((file) => Object.keys(metafile.outputs[file]?.inputs ?? {}))
  expect(inputs.filter((input) => /katex|markdown-it|node_modules\/yaml|zod/.test(input))).toEqual([])
})
