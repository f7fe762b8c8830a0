/**
 * What printing carries along: how references are spelt, the notes that annotations leave for the end of the page, and
 * which target stood for which reference, so that a piece can be read back as it was meant.
 */
import type { Annotation, Block, ContentRef } from '../tree/nodes.ts'
import { printRef as printRefAlone } from '../tree/refs.ts'

export type PrintContext = {
  printRef: (ref: ContentRef) => string
  targets: Map<string, ContentRef>
  notes: { name: string; body: readonly Block[] }[]
  noteNames: Map<Annotation, string>
  /** Reads a piece back, as proof that it says what it should; none where whoever prints proves the whole in another way. */
  readBack: ReadBack | undefined
}

/** What a printed piece is read as, given its targets and how many notes the page has. */
export type ReadBack = (printed: string, known: { targets: ReadonlyMap<string, ContentRef>; notes: number }) => Block[]

export function printContext(
  printRef: (ref: ContentRef) => string = printRefAlone,
  readBack?: ReadBack | undefined,
): PrintContext {
  return { printRef, targets: new Map(), notes: [], noteNames: new Map(), readBack }
}

export function targetOf(ref: ContentRef, context: PrintContext): string {
  const target = context.printRef(ref)
  context.targets.set(target, ref)
  return target
}

/** The name of an annotation's note; asking again gives the same name, since a piece may be printed twice. */
export function noteNameOf(node: Annotation, context: PrintContext): string {
  const known = context.noteNames.get(node)
  if (known !== undefined) return known
  const name = String(context.notes.length + 1)
  context.notes.push({ name, body: node.fragments.flatMap((part) => part.nodes) })
  context.noteNames.set(node, name)
  return name
}

/** The name of a target for readers of the source: the last part of a path, or the whole of an address. */
export function labelOf(target: string): string {
  if (/^[a-z][a-z0-9+.-]*:/i.test(target) || target.startsWith('/') || target.startsWith('#')) return target
  const parts = target.replace(/#.*$/s, '').split('/')
  return parts.findLast((part) => part !== '' && part !== '..' && part !== '.') ?? target
}
