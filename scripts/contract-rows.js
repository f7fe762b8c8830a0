// Browsers need the name, method and path of each operation; the contract itself would bring the whole validator with it.
// This plugin swaps `contract/index.ts` for those rows; the types stay those of the contract.
import { importSource } from './import-source.js'

export const contractRows = {
  name: 'contract-rows',
  setup(build) {
    build.onLoad({ filter: /\/src\/contract\/index\.ts$/ }, async ({ path }) => {
      const { operations } = await importSource(path)
      const rows = operations.map(([name, { method, path: address }]) => [name, { method, path: address }])
      return { contents: `export const operations = ${JSON.stringify(rows)}`, loader: 'js' }
    })
  },
}
