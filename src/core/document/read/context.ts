/**
 * What reading a document carries along: how targets are resolved, which notes are defined, how deep we are.
 */

import type { Env } from '../syntax/markdown-parser.ts'
import { isFileRef } from '../tree/make.ts'
import type { ContentRef, FileRef } from '../tree/nodes.ts'
import { isSafeUrl, parseRef } from '../tree/refs.ts'
import type { Budget } from '../tree/size.ts'

export type RefKind = 'link' | 'image' | 'file' | 'content-ref' | 'include' | 'mention' | 'button' | 'openapi'

/** `undefined`: read the target as it is spelt. `null`, for a link alone: keep its words and drop the link. */
export type ResolveRef = (target: string, kind: RefKind) => ContentRef | null | undefined

export type ReadContext = {
  resolve: ResolveRef
  env: Env
  budget?: Budget | undefined
  /** The notes nobody has referred to yet, by name. Each is read once, so that notes within notes come to an end. */
  notes: Map<string, string>
  /** Those that may be referred to again, and an entry for each time that one was. */
  taken?: Map<string, string>
  depth: number
}

export function deeper(context: ReadContext, by = 1): ReadContext {
  return { ...context, depth: context.depth + by }
}

/** The reference of a target; `null` when there is to be no reference. */
export function resolveTarget(context: ReadContext, target: string, kind: RefKind): ContentRef | null {
  const found = context.resolve(target, kind)
  if (found !== undefined) return found
  return isSafeUrl(target) && target.length <= 2048 ? parseRef(target) : null
}

/** For images and files: nothing but a file or a URL will do. */
export function resolveFile(context: ReadContext, target: string, kind: RefKind): FileRef | null {
  const found = resolveTarget(context, target, kind)
  if (found !== null && isFileRef(found)) return found
  return isSafeUrl(target) && target.length <= 2048 ? { kind: 'url', url: target } : null
}
