/** Markdown both ways: a chunk of its own, loaded with the first paste or source view that needs it. */

import { fromMarkdown } from '../../core/document/read/from-markdown.ts'
import { toMarkdown } from '../../core/document/to-markdown.ts'
import { heading, text } from '../../core/document/tree/make.ts'
import type { JSONDocument } from '../../core/document/tree/nodes.ts'

/** What is pasted or written here is content: a first line that would be the title of a page is a heading. */
export function readMarkdown(markdown: string): JSONDocument {
  const { document, title } = fromMarkdown(markdown)
  return title === undefined
    ? document
    : { ...document, nodes: [heading('heading-1', [text(title)]), ...document.nodes] }
}

export const printMarkdown = (document: JSONDocument): string => toMarkdown(document)
