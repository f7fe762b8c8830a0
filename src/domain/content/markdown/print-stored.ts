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

export const printStored = (document: JSONDocument): StoredMarkdown => asStored(printTemplate(document), document)

/** The same of one that was printed elsewhere. */
export const asStored = (printed: Printed, document: JSONDocument): StoredMarkdown => ({
  ...printed,
  isDynamic: isDynamic(document),
  namesReusable: namesReusable(document),
})
