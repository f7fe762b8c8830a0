/**
 * The document tree to Markdown. Reading the answer with `fromMarkdown` gives `normalise` of the document: every piece that
 * could be read as something else is read back while it is printed.
 */
import { printDocument, type ToMarkdownOptions } from './print/document.ts'
import { readBack } from './read/read-back.ts'
import type { JSONDocument } from './tree/nodes.ts'

export type { ToMarkdownOptions }

export function toMarkdown(document: JSONDocument, options: ToMarkdownOptions = {}): string {
  const { source } = options
  if (source !== undefined) {
    // Most people write Markdown as we print it: then what they wrote is the proof, and nothing needs to be read back.
    const printed = printDocument(document, options)
    if (printed.trimEnd() === source.trimEnd()) return printed
  }
  return printDocument(document, options, readBack)
}
