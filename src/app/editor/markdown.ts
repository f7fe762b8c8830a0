/** Markdown both ways: a chunk of its own, loaded with the first paste or source view that needs it. */

import { fromMarkdown } from '../../core/document/read/from-markdown.ts'
import { toMarkdown } from '../../core/document/to-markdown.ts'
import type { JSONDocument } from '../../core/document/tree/nodes.ts'

export const readMarkdown = (text: string): JSONDocument => fromMarkdown(text).document
export const printMarkdown = (document: JSONDocument): string => toMarkdown(document)
