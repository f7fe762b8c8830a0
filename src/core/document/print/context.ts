/**
 * What printing carries along: how references are spelt, the notes that annotations leave for the end of the page, and
 * which target stood for which reference, so that a piece can be read back as it was meant.
 */
import type { Annotation, Block, ContentRef } from '../tree/nodes.ts'
import { printRef as printRefAlone } from '../tree/refs.ts'
import { sameNodes } from '../tree/same.ts'

export type PrintContext = {
  printRef: (ref: ContentRef) => string
  targets: Map<string, ContentRef>
  notes: { name: string; body: readonly Block[] }[]
  noteNames: Map<Annotation, string>
  /** The names of notes that signs above the line are spelt with; no other note may have one of them. */
  reserved: ReadonlySet<string>
  byName: Map<string, readonly Block[]>
  repeated: number
  /** Reads a piece back, as proof that it says what it should; none where whoever prints proves the whole in another way. */
  readBack: ReadBack | undefined
}

/** What a printed piece is read as, not normalised yet, given its targets and which notes the page has. */
export type ReadBack = (
  printed: string,
  known: { targets: ReadonlyMap<string, ContentRef>; isNote: (name: string) => boolean },
) => Block[]

export function printContext(
  printRef: (ref: ContentRef) => string = printRefAlone,
  readBack?: ReadBack | undefined,
  reserved: ReadonlySet<string> = new Set(),
): PrintContext {
  const empty = { notes: [], noteNames: new Map(), byName: new Map(), repeated: 0 }
  return { printRef, targets: new Map(), readBack, reserved, ...empty }
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
  const body = node.fragments.flatMap((part) => part.nodes)
  const sign = signOf(node)
  const name = sign === undefined || !mayHave(sign, body, context) ? nextName(context) : sign
  if (!context.byName.has(name)) {
    context.notes.push({ name, body })
    context.byName.set(name, body)
  }
  context.noteNames.set(node, name)
  return name
}

/** `[^name]` stands for a sign above the line that is nothing but the name of its note. */
export function signOf(node: Annotation): string | undefined {
  const [only, ...others] = node.nodes
  const [leaf, ...leaves] = only?.leaves ?? []
  if (leaf === undefined || others.length + leaves.length > 0) return undefined
  const [mark, ...marks] = leaf.marks
  return marks.length === 0 && mark?.type === 'superscript' && /^[\p{L}\p{N}_.-]{1,100}$/u.test(leaf.text)
    ? leaf.text
    : undefined
}

/** Whether the name is free, or the name of the same short note. */
function mayHave(name: string, body: readonly Block[], context: PrintContext): boolean {
  const other = context.byName.get(name)
  if (other === undefined) return true
  const [only, ...rest] = body
  const isShort =
    only?.type === 'paragraph' &&
    rest.length === 0 &&
    only.nodes.every((node) => node.object === 'text' && node.leaves.every((leaf) => leaf.text.length <= 200)) &&
    only.nodes.length === 1
  if (!isShort || context.repeated >= 500 || !sameNodes(other, body)) return false
  context.repeated += 1
  return true
}

function nextName(context: PrintContext): string {
  let count = context.notes.length + 1
  while (context.byName.has(String(count)) || context.reserved.has(String(count))) count += 1
  return String(count)
}
