/** A whole document as Markdown; how its pieces are proved is the caller's choice. */

import { escapeText, keepEdges } from '../syntax/escape.ts'
import { type FrontMatter, printFrontMatter } from '../syntax/front-matter.ts'
import type { ContentRef, JSONDocument } from '../tree/nodes.ts'
import { normalise } from '../tree/normalise.ts'
import { walk } from '../tree/walk.ts'
import { prefixLines, printBlocks } from './blocks.ts'
import { printContext, type ReadBack, signOf } from './context.ts'

export type ToMarkdownOptions = {
  /** How a reference is spelt; as `printRef` of `refs.ts` unless told. */
  printRef?: (ref: ContentRef) => string
  frontMatter?: FrontMatter
  title?: string
  /** The Markdown that this very document was read from, where it is at hand. */
  source?: string
}

export function printDocument(document: JSONDocument, options: ToMarkdownOptions, readBack?: ReadBack): string {
  const normal = normalise(document)
  const context = printContext(options.printRef, readBack, signsIn(normal))
  const body = printBlocks(normal.nodes, context, false)
  const notes: string[] = []
  // A note may hold annotations, whose notes come after it.
  for (let at = 0; at < context.notes.length; at += 1) {
    const note = context.notes[at]
    if (note === undefined) break
    notes.push(prefixLines(printBlocks(note.body, context), `[^${note.name}]: `, '    '))
  }
  return printPage([body, ...notes], options)
}

/** What stands above a page's body, and the body. */
export function printPage(body: readonly string[], options: ToMarkdownOptions): string {
  const text = body.filter((part) => part !== '').join('\n\n')
  const head = printHead(options)
  if (text !== '') return `${head}${text}\n`
  return options.title === undefined ? head : head.slice(0, -1)
}

/** What stands above a body that is not empty. */
export const printHead = ({ title, frontMatter }: ToMarkdownOptions): string =>
  `${printFrontMatter(frontMatter)}${title === undefined ? '' : `${`# ${printTitleWords(title)}`.trimEnd()}\n\n`}`

function signsIn(document: JSONDocument): Set<string> {
  const signs = new Set<string>()
  walk(document, (node) => {
    const sign = node.object === 'inline' && node.type === 'annotation' ? signOf(node) : undefined
    if (sign !== undefined) signs.add(sign)
  })
  return signs
}

function printTitleWords(title: string): string {
  const words = title.replace(/\s*\n\s*/g, ' ')
  return keepEdges(escapeText(words, false)).replace(/#$/, '\\#')
}
