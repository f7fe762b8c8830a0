/** The version of this package. */
import { readFileSync } from 'node:fs'
import { packageFile } from './assets.ts'

export const version: string = JSON.parse(readFileSync(packageFile('package.json'), 'utf8')).version
