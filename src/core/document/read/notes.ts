/**
 * Annotations are written as footnotes: the annotated words as a link to the note, and the note at the end of the
 * page. A footnote mark without such a link annotates its own name, which stands above the line.
 */

import { noteTarget } from '../syntax/attributes.ts'
import { parseTokens, type Token } from '../syntax/markdown-parser.ts'
import { annotation, paragraph, text } from '../tree/make.ts'
import type { Block, Mark, Text } from '../tree/nodes.ts'
import { joinTexts } from '../tree/normalise-inline.ts'
import { readBlocks } from './blocks.ts'
import { deeper, type ReadContext } from './context.ts'
import type { InlineBuilder } from './inline-builder.ts'
import { buildRaw, maxRawDepth } from './raw-tree.ts'

/** `[^name]`, after the link that holds the annotated words; alone it is a sign above the line. */
export function readNote(token: Token, builder: InlineBuilder, context: ReadContext): void {
  const name = token.info
  const words = builder.takeLastLink((ref) => ref.kind === 'anchor' && `#${ref.anchor}` === noteTarget(name))
  annotate(noteTarget(name), words ?? [text(name, [superscript])], builder, context)
}

const superscript: Mark = { object: 'mark', type: 'superscript' }

/** The words with the note their target names; without a note they are words alone. */
export function annotate(target: string, words: Text[], builder: InlineBuilder, context: ReadContext): void {
  const body = target.startsWith(noteTarget('')) ? takeNote(target.slice(noteTarget('').length), context) : undefined
  if (body !== undefined) {
    builder.inline(annotation(joinTexts<never>(words), body))
    return
  }
  for (const leaf of words.flatMap((part) => part.leaves)) {
    for (const mark of leaf.marks) builder.startMark(mark)
    builder.text(leaf.text)
    for (const mark of leaf.marks) builder.endMark(mark.type)
  }
}

/** What a note may hold to be shown behind several signs, and how often on a page. */
const longestRepeated = 4000
const mostRepeated = 1000

/** A note can be taken once; a short one without notes of its own can be taken again. */
export function takeNote(name: string, context: ReadContext): Block[] | undefined {
  const { taken } = context
  const fresh = context.notes.get(name)
  const source = fresh ?? (taken !== undefined && taken.size <= mostRepeated ? taken.get(name) : undefined)
  if (source === undefined || context.depth + 4 > maxRawDepth) return undefined
  if (fresh === undefined) taken?.set(`${name}\n${taken.size}`, '')
  else if (source.length <= longestRepeated && !source.includes('[^') && !source.includes('user-content-fn-'))
    taken?.set(name, source)
  context.notes.delete(name)
  const body = readNoteSource(source, deeper(context, 4))
  return body.length === 0 ? [paragraph()] : body
}

function readNoteSource(source: string, context: ReadContext): Block[] {
  const tokens = parseTokens(source, context.env)
  collectNotes(tokens, context)
  return readBlocks(buildRaw(tokens, context.depth), context)
}

/** The notes a list of tokens defines; the first of a name counts. */
export function collectNotes(tokens: readonly Token[], context: ReadContext): void {
  for (const token of tokens)
    if (token.type === 'footnote' && !context.notes.has(token.info)) context.notes.set(token.info, token.content)
}

/** What no mark refers to: the notes as paragraphs, so that their words are kept. */
export function leftNotes(context: ReadContext): Block[] {
  const blocks: Block[] = []
  while (context.notes.size > 0) {
    const [name] = context.notes.keys()
    if (name === undefined) break
    const source = context.notes.get(name) ?? ''
    context.notes.delete(name)
    const [first, ...rest] = readNoteSource(source, context)
    if (first?.type === 'paragraph') blocks.push({ ...first, nodes: [text(`[^${name}]: `), ...first.nodes] }, ...rest)
    else blocks.push(paragraph(`[^${name}]: `), ...(first === undefined ? [] : [first]), ...rest)
  }
  return blocks
}
