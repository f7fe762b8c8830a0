/** Words of a document as words of a book. */
import { signOf } from '../document/print/context.ts'
import { charactersOf } from '../document/syntax/emoji.ts'
import { textOf } from '../document/text/to-text.ts'
import type { Block, ContentRef, FileRef, InlineContent, Leaf, TextColor } from '../document/tree/nodes.ts'
import type { BookInline, Target, TextRun } from './book.ts'

/** What a document's references become in the book. Whoever gathers the book knows what its reader may see. */
export interface BookRefs {
  targetOf(ref: ContentRef): Target | undefined
  /** What a reference is called where nobody gave it a name. */
  nameOf(ref: ContentRef): string
  /** The name of an image's bytes. */
  imageOf(ref: FileRef): string | undefined
  /** The label of a heading, where the book has one for it. */
  labelOf(anchor: string): string | undefined
}

export function bookInlines(nodes: readonly InlineContent[], refs: BookRefs): BookInline[] {
  return nodes.flatMap((node, index) => {
    const before = nodes[index - 1]
    const made = bookInline(node, refs)
    return before?.object === 'inline' && before.type === 'icon' ? withoutFirstSpace(made) : made
  })
}

/** Paper shows no icons: the space behind one would stand at the beginning of the line. */
function withoutFirstSpace([first, ...rest]: BookInline[]): BookInline[] {
  if (first?.kind !== 'text') return first === undefined ? [] : [first, ...rest]
  const text = first.text.trimStart()
  return text === '' ? rest : [{ ...first, text }, ...rest]
}

function bookInline(node: InlineContent, refs: BookRefs): BookInline[] {
  if (node.object === 'text') return node.leaves.filter((leaf) => leaf.text !== '').map(run)
  switch (node.type) {
    case 'link':
      return linkTo(refs.targetOf(node.data.ref), bookInlines(node.nodes, refs))
    case 'emoji':
      return plain(charactersOf(node.data.code))
    case 'icon':
      return []
    case 'expression':
      return [{ kind: 'text', text: node.data.expression, code: true }]
    case 'inline-math':
      return [{ kind: 'math', formula: node.data.formula }]
    case 'annotation': {
      // A sign above the line is what the book sets itself.
      const content = signOf(node) === undefined ? bookInlines(node.nodes, refs) : []
      const words = node.fragments.flatMap((fragment) => fragment.nodes.flatMap((block) => noteWords(block, refs)))
      return words.length === 0 ? content : [{ kind: 'note', content, words }]
    }
    case 'mention':
      return linkTo(refs.targetOf(node.data.ref), plain(node.data.label ?? refs.nameOf(node.data.ref)))
    case 'inline-image': {
      const image = refs.imageOf(node.data.ref)
      const alt = node.data.alt ?? node.data.caption ?? ''
      return image === undefined ? plain(alt) : [{ kind: 'image', image, alt }]
    }
    case 'button':
      return linkTo(node.data.ref === undefined ? undefined : refs.targetOf(node.data.ref), [
        { kind: 'text', text: node.data.label, bold: true },
      ])
  }
}

/** A note stands at the foot of the page: its paragraphs follow each other, anything else is told by its words. */
const noteWords = (block: Block, refs: BookRefs): BookInline[] =>
  block.type === 'paragraph' ? [...bookInlines(block.nodes, refs), ...plain(' ')] : plain(`${textOf(block)} `)

export const plain = (text: string): BookInline[] => (text === '' ? [] : [{ kind: 'text', text }])

const linkTo = (to: Target | undefined, content: BookInline[]): BookInline[] =>
  to === undefined || content.length === 0 ? content : [{ kind: 'link', to, content }]

function run(leaf: Leaf): TextRun {
  const made: TextRun = { kind: 'text', text: leaf.text }
  for (const mark of leaf.marks) {
    switch (mark.type) {
      case 'bold':
      case 'italic':
      case 'code':
      case 'keyboard':
        made[mark.type] = true
        break
      case 'strikethrough':
        made.strike = true
        break
      case 'superscript':
        made.raised = true
        break
      case 'subscript':
        made.lowered = true
        break
      case 'color': {
        const color = inks[mark.data.text]
        if (color !== undefined) made.color = color
      }
    }
  }
  return made
}

/** Colours of text that are dark enough on paper. */
const inks: Partial<Record<TextColor, string>> = {
  green: '#15803d',
  blue: '#1d4ed8',
  red: '#b91c1c',
  orange: '#c2410c',
  yellow: '#a16207',
  purple: '#7e22ce',
  pink: '#be185d',
  violet: '#6d28d9',
  cyan: '#0e7490',
  $info: '#1d4ed8',
  $success: '#15803d',
  $warning: '#c2410c',
  $danger: '#b91c1c',
}
