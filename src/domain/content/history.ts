/** The history of a space or of a change request: its revisions, newest first, without their content. */
import type { z } from 'zod'
import type { RevisionSummary } from '../../contract/content/pages.ts'
import type { ListOf } from '../../contract/shapes.ts'
import { same } from '../../core/diff/equal.ts'
import { invalidCursor } from '../../core/errors.ts'
import { pageById } from '../../core/revision/content.ts'
import type { PageRecord } from '../../core/revision/records.ts'
import { type ContentReader, readContent } from '../../store/content/content.ts'
import { countLine, findRevision, listLine, type RevisionRow } from '../../store/content/revisions.ts'
import { findUsers } from '../../store/people/users.ts'
import type { Base } from '../handler.ts'
import { presentUser } from '../present.ts'
import type { ContentCall } from './at.ts'

interface HistoryQuery {
  page?: string | undefined
  limit: number
  targetPage?: string | undefined
}

/** How many revisions one request looks through for those that changed a page; the next request goes on from there. */
const mostSearched = 500

export async function listHistory(
  call: ContentCall,
  query: HistoryQuery,
): Promise<ListOf<z.output<typeof RevisionSummary>>> {
  const { slow, env, space, changeRequest } = call
  const { targetPage, limit } = query
  const line = { from: changeRequest?.revisionId ?? space.revisionId, until: changeRequest?.revisionInitial }
  const purpose = `list:revisions:${changeRequest?.id ?? space.id}:${targetPage ?? ''}`
  const from = query.page === undefined ? line.from : env.signer.open(purpose, query.page)
  if (from === undefined) throw invalidCursor()
  const walked = targetPage === undefined ? limit : mostSearched
  const rows = await listLine(slow, { from, until: line.until, limit: walked + 1 })
  const seen = rows.slice(0, walked)
  const { found, next } =
    targetPage === undefined
      ? { found: seen, next: rows[walked]?.id }
      : await changedIn(call, seen, { pageId: targetPage, limit, following: rows[walked]?.id })
  const count = targetPage === undefined ? await countLine(slow, line) : found.length
  return {
    ...(next === undefined ? {} : { next: { page: env.signer.seal(purpose, next) } }),
    count,
    items: await presentSummaries(call, found),
  }
}

/** Of these revisions, those in which a page is not what it was in the one before. */
async function changedIn(
  call: ContentCall,
  rows: readonly RevisionRow[],
  { pageId, limit, following }: { pageId: string; limit: number; following: string | undefined },
): Promise<{ found: RevisionRow[]; next: string | undefined }> {
  const reader = readContent(call.slow)
  const found: RevisionRow[] = []
  for (const [index, row] of rows.entries()) {
    if (found.length === limit) return { found, next: row.id }
    const [parent] = row.parents
    const before =
      rows[index + 1] ??
      (parent === undefined ? undefined : await findRevision(call.slow, { id: parent, spaceId: call.space.id }))
    if (!same(await pageIn(reader, row, pageId), await pageIn(reader, before, pageId))) found.push(row)
  }
  return { found, next: following }
}

async function pageIn(
  reader: ContentReader,
  row: RevisionRow | undefined,
  id: string,
): Promise<PageRecord | undefined> {
  return row && pageById(reader, row.content, id)
}

async function presentSummaries(base: Base & ContentCall, rows: readonly RevisionRow[]) {
  const users = await findUsers(base.db, [...new Set(rows.map((row) => row.createdBy))])
  const people = new Map(users.map((user) => [user.id, presentUser(user, base.env.urls)]))
  return rows.map((row): z.output<typeof RevisionSummary> => {
    const createdBy = people.get(row.createdBy)
    return {
      object: 'revision',
      id: row.id,
      parents: row.parents,
      type: row.type,
      createdAt: row.createdAt,
      ...(createdBy ? { createdBy } : {}),
      ...(row.git === null ? {} : { git: JSON.parse(row.git) }),
      ...(row.mergedFrom === null ? {} : { mergedFrom: { object: 'change-request', id: row.mergedFrom } }),
      urls: { app: base.env.urls.revision(base.space.id, row.id) },
    }
  })
}
