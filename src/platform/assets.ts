/** Files that ship with the package, found from the bundle in dist/ and from the sources alike. */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root =
  ['..', '../..']
    .map((up) => fileURLToPath(new URL(`${up}/`, import.meta.url)))
    .find((folder) => existsSync(`${folder}package.json`)) ?? './'

export const packageFile = (path: string): string => `${root}${path}`
export const assetFile = (path: string): string => packageFile(`assets/${path}`)
