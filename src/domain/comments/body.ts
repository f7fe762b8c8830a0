/** The body of a comment: Markdown or a document in, both kept, so that reading it costs nothing. */

import { fromMarkdown } from '../../core/document/read/from-markdown.ts'
import { toMarkdown } from '../../core/document/to-markdown.ts'
import { assignKeys } from '../../core/document/tree/keys.ts'
import { heading, makeDocument } from '../../core/document/tree/make.ts'
import { validateDocument } from '../../core/document/tree/validate.ts'
import { invalid, invalidDocument } from '../../core/errors.ts'

/** Markdown is read and printed again: what is stored holds no live HTML and means the same to every reader. */
export function commentBody(body: { markdown: string } | { document: unknown }): {
  markdown: string
  document: string
} {
  if ('markdown' in body) {
    const { document, title } = fromMarkdown(body.markdown)
    // A comment has no title of its own: its first heading is a heading like the others.
    const nodes = title ? [heading('heading-1', title), ...document.nodes] : document.nodes
    const whole = makeDocument(nodes)
    const source = title ? {} : { source: body.markdown }
    const markdown = wordsOf(toMarkdown(whole, source), 'body.markdown')
    return { markdown, document: JSON.stringify(assignKeys(whole)) }
  }
  const checked = validateDocument(body.document, { maxSize: 10_000 })
  if (!checked.ok) throw invalidDocument('body.document', checked.problem)
  const document = assignKeys(checked.document)
  return { markdown: wordsOf(toMarkdown(document), 'body.document'), document: JSON.stringify(document) }
}

function wordsOf(printed: string, field: string): string {
  const markdown = printed.trimEnd()
  if (markdown === '') throw invalid(field, 'has no words')
  return markdown
}
