/** A text that was read, as it is stored: its links resolved, the keys of its nodes kept. */
import { assignKeys } from '../document/tree/keys.ts'
import type { JSONDocument } from '../document/tree/nodes.ts'
import { normalise } from '../document/tree/normalise.ts'
import { mapRefs } from '../document/tree/refs.ts'
import { folderOf } from '../repository/paths.ts'
import { type PathIndex, resolveTarget } from '../repository/targets.ts'

export interface Settling {
  /** Where the text lies, from where its links are seen. */
  path: string
  index: PathIndex
  /** What the page said before. */
  previous: JSONDocument | undefined
}

/** The document to store; nothing when it says what it said before, whatever its nodes are called. */
export function settleDocument(document: JSONDocument, { path, index, previous }: Settling): JSONDocument | undefined {
  const folder = folderOf(path)
  const resolved = mapRefs(document, (ref) =>
    ref.kind === 'url' ? (resolveTarget(index, ref.url, folder) ?? ref) : ref,
  )
  if (previous && textOf(previous) === textOf(resolved)) return undefined
  return assignKeys(resolved, previous)
}

const textOf = (document: JSONDocument): string => JSON.stringify(normalise(document).nodes)
