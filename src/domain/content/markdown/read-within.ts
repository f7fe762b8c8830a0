/** Markdown as a document, unless it would hold more than one may. */
import { type FromMarkdown, type FromMarkdownOptions, fromMarkdown } from '../../../core/document/read/from-markdown.ts'
import { maxSize, TooLarge } from '../../../core/document/tree/size.ts'

export function readWithin(
  markdown: string,
  options: Pick<FromMarkdownOptions, 'isPart'> = {},
): FromMarkdown | undefined {
  try {
    return fromMarkdown(markdown, { ...options, maxSize })
  } catch (error) {
    if (error instanceof TooLarge) return undefined
    throw error
  }
}
