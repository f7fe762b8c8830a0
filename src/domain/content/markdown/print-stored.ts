/** The form in which the Markdown of a document is stored: all of it follows from the document alone. */
import { type Printed, printTemplate } from '../../../core/document/printed.ts'
import type { JSONDocument } from '../../../core/document/tree/nodes.ts'
import { isDynamic, namesReusable } from './evaluate.ts'

export interface StoredMarkdown extends Printed {
  /** It depends on the reader or on variables. */
  isDynamic: boolean
  /** Reusable contents stand in it. */
  namesReusable: boolean
}

/** No part has a control character. */
const between = '\u0001'

/** `json` is that of the document, where it is at hand. */
export const printStored = (document: JSONDocument, json?: string): string =>
  asStored(printTemplate(document, json), document)

/** The same of one that was printed elsewhere. */
export function asStored({ parts, ...others }: Printed, document: JSONDocument): string {
  const facts = { ...others, isDynamic: isDynamic(document), namesReusable: namesReusable(document) }
  return `${JSON.stringify(facts)}\n${parts.join(between)}`
}

/** Only the facts are JSON: the parts, nearly all of it, are cut and not read. */
export function readStored(text: string): StoredMarkdown {
  const end = text.indexOf('\n')
  const stored: StoredMarkdown = JSON.parse(text.slice(0, end))
  stored.parts = text.slice(end + 1).split(between)
  return stored
}
