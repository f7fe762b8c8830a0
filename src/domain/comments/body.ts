/** The body of a comment: Markdown or a document in, both kept, so that reading it costs nothing. */

import { type FromMarkdown, fromMarkdown } from '../../core/document/read/from-markdown.ts'
import { toMarkdown } from '../../core/document/to-markdown.ts'
import { assignKeys } from '../../core/document/tree/keys.ts'
import { heading, makeDocument } from '../../core/document/tree/make.ts'
import type { JSONDocument } from '../../core/document/tree/nodes.ts'
import { validateDocument } from '../../core/document/tree/validate.ts'
import { invalid, invalidDocument } from '../../core/errors.ts'
import { printInSlices } from '../../store/time-slices.ts'
import type { Threads } from '../../threads/supervisor.ts'
import { isHeavyText, printMarkdown, readMarkdown } from '../content/markdown/markdown.ts'

export interface CommentBody {
  markdown: string
  document: string
}

/** Markdown is read and printed again: what is stored holds no live HTML and means the same to every reader. */
export async function commentBody(
  threads: Threads,
  body: { markdown: string } | { document: unknown },
): Promise<CommentBody> {
  if ('markdown' in body)
    return withWords(
      isHeavyText(body.markdown) ? await readHeavy(threads, body.markdown) : read(body.markdown),
      'body.markdown',
    )
  const checked = validateDocument(body.document, { maxSize: 10_000 })
  if (!checked.ok) throw invalidDocument('body.document', checked.problem)
  return withWords(await printed(threads, checked.document), 'body.document')
}

function withWords(body: CommentBody, field: string): CommentBody {
  if (body.markdown === '') throw invalid(field, 'has no words')
  return body
}

function read(markdown: string): CommentBody {
  const found = fromMarkdown(markdown, { isPart: true })
  const whole = wholeOf(found)
  const source = found.title ? {} : { source: markdown }
  return { markdown: toMarkdown(whole, source).trimEnd(), document: JSON.stringify(assignKeys(whole)) }
}

const readHeavy = async (threads: Threads, markdown: string): Promise<CommentBody> =>
  printed(threads, wholeOf(await readMarkdown(threads, markdown, 'body.markdown', { isPart: true })))

/** A comment has no title of its own: its first heading is a heading like the others. */
const wholeOf = ({ document, title }: FromMarkdown): JSONDocument =>
  makeDocument(title ? [heading('heading-1', title), ...document.nodes] : document.nodes)

async function printed(threads: Threads, whole: JSONDocument): Promise<CommentBody> {
  const document = assignKeys(whole)
  return {
    markdown: (await printMarkdown(threads, document, {})).trimEnd(),
    document: await printInSlices(document),
  }
}
