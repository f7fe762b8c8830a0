/** What a comment is about: the content as a whole, a page, or a block of a page. */

import { textOf } from '../../core/document/text/to-text.ts'
import type { AnyBlock, JSONDocument, Node } from '../../core/document/tree/nodes.ts'
import { isBlock, walk } from '../../core/document/tree/walk.ts'
import { fail, invalid } from '../../core/errors.ts'
import { pageById } from '../../core/revision/content.ts'
import type { PageRecord } from '../../core/revision/records.ts'
import { cutTo } from '../../core/text.ts'
import type { CommentRow } from '../../store/content/comments.ts'
import { contentHash } from '../../store/content/content-hash.ts'
import type { ContentAt } from '../content/at.ts'

type Target = Pick<CommentRow, 'pageId' | 'nodeId' | 'nodePreview' | 'tableCell' | 'nodeMark' | 'revisionId'>

export async function targetOf(
  at: ContentAt,
  body: { page?: string | undefined; node?: string | undefined; tableCell?: Cell | undefined },
): Promise<Target> {
  const none = {
    pageId: null,
    nodeId: null,
    nodePreview: null,
    tableCell: null,
    nodeMark: null,
    revisionId: at.revision.id,
  }
  if (body.tableCell && body.node === undefined)
    throw invalid('tableCell', 'needs `node`: the table that it is a cell of')
  if (body.page === undefined) {
    if (body.node !== undefined) throw invalid('node', 'needs `page`: a block is found in its page')
    return none
  }
  const page = await pageById(at.reader, at.content, body.page)
  if (!page) throw fail('not_found', `There is no page ${body.page} in this content.`)
  if (body.node === undefined) return { ...none, pageId: page.id, nodeMark: page.document ?? '' }
  const block = await blockIn(at, page, body.node)
  if (!block) throw invalid('node', `names no block of the page ${page.id}`)
  return {
    ...none,
    pageId: page.id,
    nodeId: body.node,
    nodePreview: preview(block),
    tableCell: body.tableCell === undefined ? null : cellIn(block, body.tableCell),
    nodeMark: hashOf(block),
  }
}

type Cell = { record: string; definition: string }

/** The cell as it is stored. */
function cellIn(block: AnyBlock, { record, definition }: Cell): string {
  if (block.type !== 'table') throw invalid('tableCell', 'needs a `node` that is a table')
  if (!Object.hasOwn(block.data.records, record)) throw invalid('tableCell.record', 'names no row of the table')
  if (!Object.hasOwn(block.data.definition, definition))
    throw invalid('tableCell.definition', 'names no column of the table')
  return JSON.stringify({ record, definition })
}

/** What became of the page or the block since the comment was written. */
export async function changeSince(
  at: ContentAt,
  comment: CommentRow,
  page: PageRecord | undefined,
): Promise<'none' | 'changed' | 'deleted'> {
  if (!page) return 'deleted'
  if (comment.nodeId === null) return (page.document ?? '') === comment.nodeMark ? 'none' : 'changed'
  const block = await blockIn(at, page, comment.nodeId)
  if (!block) return 'deleted'
  return hashOf(block) === comment.nodeMark ? 'none' : 'changed'
}

async function blockIn({ reader }: ContentAt, page: PageRecord, key: string): Promise<AnyBlock | undefined> {
  if (page.document === undefined) return undefined
  return blocksOf(await reader.document(page.document)).get(key)
}

// A document never changes, so where its blocks are is worked out once while it is in memory.
const known = new WeakMap<JSONDocument, Map<string, AnyBlock>>()

function blocksOf(document: JSONDocument): Map<string, AnyBlock> {
  let blocks = known.get(document)
  if (!blocks) {
    const found = new Map<string, AnyBlock>()
    walk(document, (node: Node) => {
      if (isBlock(node) && node.key !== undefined) found.set(node.key, node)
    })
    blocks = found
    known.set(document, blocks)
  }
  return blocks
}

const preview = (block: AnyBlock): string => cutTo(textOf(block).replace(/\s+/g, ' ').trim(), 140)

const hashOf = (block: AnyBlock): string => contentHash(JSON.stringify(block))
