/** Bodies as people send them (Markdown, a document tree, or nothing), made ready before any transaction is open. */

import type { Block, JSONDocument } from '../../../core/document/tree/nodes.ts'
import { validateDocument } from '../../../core/document/tree/validate.ts'
import { ApiError, invalid, invalidDocument } from '../../../core/errors.ts'
import { checkCondition } from '../../../core/expressions/conditions.ts'
import { fits } from '../../../core/json-pieces.ts'
import type { Threads } from '../../../threads/supervisor.ts'
import { fieldsOf, type PageFields } from './front-matter.ts'
import { checkDocument, type ReadOptions, readMarkdown } from './markdown.ts'

/** The largest page, in bytes of Markdown. */
export const maxPageBytes = 1024 * 1024

/** A document of more values than this is checked in a thread. */
const mostValues = 4000

export interface ParsedBody {
  /** Absent for an empty page. */
  document?: JSONDocument
  /** Its nodes have their keys already. */
  keyed?: boolean
  /** The leading `#` heading. */
  title?: string
  fields: PageFields
}

type Previous = NonNullable<ReadOptions['previous']>
type Body = { markdown: string } | { document: unknown } | Record<never, never>

/** `previous` is the document that this one replaces, for the keys of its nodes. */
export async function parseBody(threads: Threads, body: Body, field: string, previous: Previous): Promise<ParsedBody> {
  if ('markdown' in body) return parseMarkdown(threads, body.markdown, field, previous)
  if (!('document' in body)) return { fields: {} }
  const { document: given } = body
  if (typeof given === 'object' && given !== null && !fits(given, mostValues))
    return { document: await checkDocument(threads, given, `${field}.document`, { previous }), keyed: true, fields: {} }
  const checked = validateDocument(given)
  if (!checked.ok) throw invalidDocument(`${field}.document`, checked.problem)
  return { document: checked.document, fields: {} }
}

/** Top-level blocks that were sent by themselves. One without a key is new. */
export function readBlocks(blocks: readonly object[], field: string): Block[] {
  const checked = validateDocument({ object: 'document', data: {}, nodes: blocks })
  if (!checked.ok) {
    // The blocks stand in a document of ours, which the sender knows nothing of.
    const [path, message] = [checked.problem.path, checked.problem.message].map((text) => text.replace(/^nodes\b/, ''))
    throw invalidDocument(field, { path: path ?? '', message: message?.trim() ?? '' })
  }
  return checked.document.nodes
}

async function parseMarkdown(
  threads: Threads,
  markdown: string,
  field: string,
  previous: Previous,
): Promise<ParsedBody> {
  if (Buffer.byteLength(markdown) > maxPageBytes) throw invalid(`${field}.markdown`, 'is larger than 1 MiB')
  const read = await readMarkdown(threads, markdown, `${field}.markdown`, { previous })
  const { document, frontMatter, title, keyed } = read
  const fields = fieldsOf(frontMatter)
  if (fields.condition !== undefined) requireCondition(fields.condition, `${field}.markdown`)
  return {
    ...(document.nodes.length === 0 ? {} : { document, keyed }),
    ...(title === undefined || title === '' ? {} : { title }),
    fields,
  }
}

/** Refuses a condition that could never be evaluated. */
export function requireCondition(condition: string, field: string): void {
  const checked = checkCondition(condition)
  if (checked.ok) return
  const { message, at } = checked.problem
  throw new ApiError('invalid_condition', {
    message: `\`${field}\` is not a condition: ${message} (at character ${at + 1}).`,
    details: [{ field, message }],
  })
}
