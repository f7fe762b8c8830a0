/**
 * Parts of pages that take long to render, and what they were rendered as the last time: in memory, and below it where all
 * processes find them. A part lies under the hash of what it is made from and of the renderer.
 */
import { createHash } from 'node:crypto'

export interface RenderedParts {
  find(hashes: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>>
  keep(hash: string, bytes: Uint8Array): void
}

// The build puts in the hash of the sources and libraries that rendering follows from: nothing is taken for the work of
// another renderer. Run from sources, as tests are, it is always the same.
declare const RENDERER_VERSION: string | undefined

const rendererVersion: string = typeof RENDERER_VERSION === 'undefined' ? 'sources' : RENDERER_VERSION

export const partHash = (...madeFrom: readonly string[]): string =>
  createHash('sha256')
    .update([rendererVersion, ...madeFrom].join('\0'))
    .digest('base64url')
    .slice(0, 27)
