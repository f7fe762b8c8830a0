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

export interface SettledDocument {
  /** To be stored. */
  document: JSONDocument
  /** The same as it was read, without keys: it takes less to print. */
  keyless: JSONDocument
}

/** Nothing when the document says what it said before, whatever its nodes are called. */
export function settleDocument(read: JSONDocument, { path, index, previous }: Settling): SettledDocument | undefined {
  const folder = folderOf(path)
  const keyless = mapRefs(read, (ref) => (ref.kind === 'url' ? (resolveTarget(index, ref.url, folder) ?? ref) : ref))
  if (previous && textOf(previous) === textOf(keyless)) return undefined
  return { document: assignKeys(keyless, previous), keyless }
}

const textOf = (document: JSONDocument): string => JSON.stringify(normalise(document).nodes)
