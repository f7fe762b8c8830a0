/**
 * Parts of pages that take long to render, and what they were rendered as the last time: in memory, and below it where all
 * processes find them. A part lies under the hash of what it is made from and of the renderer.
 */
import { createHash } from 'node:crypto'
import type { Threads } from '../../threads/supervisor.ts'

export interface RenderedParts {
  find(hashes: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>>
  keep(hash: string, bytes: Uint8Array): void
}

/** A part that can be rendered before anybody reads the page. */
export interface Part {
  hash: string
  /** What is stored of it; nothing when it is to be tried again by who reads it. */
  make(threads: Threads): Promise<Uint8Array | undefined>
}

// The build puts in the hash of the sources and libraries that rendering follows from: nothing is taken for the work of
// another renderer. Run from sources, as tests are, it is always the same.
declare const RENDERER_VERSION: string | undefined

export const rendererVersion: string = typeof RENDERER_VERSION === 'undefined' ? 'sources' : RENDERER_VERSION

export const partHash = (...madeFrom: readonly string[]): string =>
  createHash('sha256')
    .update([rendererVersion, ...madeFrom].join('\0'))
    .digest('base64url')
    .slice(0, 27)
