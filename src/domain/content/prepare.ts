/** Makes a batch of changes ready before any transaction is open: bodies parsed, files fetched and stored. */
import { fail, invalid } from '../../core/errors.ts'
import { pageById } from '../../core/revision/content.ts'
import { readContent } from '../../store/content.ts'
import { findRevision } from '../../store/revisions.ts'
import { Turns } from '../../store/turns.ts'
import type { Base } from '../scope.ts'
import type { Things } from '../things.ts'
import type { Change, ReadyChange } from './edit.ts'
import { storeFile } from './files.ts'
import { parseBody, requireCondition } from './parsed.ts'

export async function prepareChanges(
  base: Base,
  space: Things['space'],
  changes: readonly Change[],
  { revertTo }: { revertTo: string | undefined },
): Promise<ReadyChange[]> {
  const ready: ReadyChange[] = []
  const turns = new Turns(2)
  for (const [index, change] of changes.entries()) {
    await turns.next()
    ready.push(await prepareChange(base, space, change, { field: `changes.${index}`, revertTo }))
  }
  return ready
}

async function prepareChange(
  base: Base,
  space: Things['space'],
  change: Change,
  { field, revertTo }: { field: string; revertTo: string | undefined },
): Promise<ReadyChange> {
  if (change.operation === 'insert_page' || change.operation === 'update_page') {
    if (change.condition) requireCondition(change.condition, `${field}.condition`)
    const body = change.document === undefined ? undefined : await parseBody(change.document, `${field}.document`)
    return { change, body, ...(change.operation === 'insert_page' ? { id: base.env.newId() } : {}) }
  }
  if (change.operation === 'revert_page') {
    return {
      change,
      earlier: await earlierPage(base, space, change.page, change.revision ?? revertTo, `${field}.revision`),
    }
  }
  if (change.operation === 'insert_files') {
    const files = []
    for (const [index, file] of change.files.entries())
      files.push(await storeFile(base, file, `${field}.files.${index}`))
    return { change, files }
  }
  return { change }
}

async function earlierPage(
  base: Base,
  space: Things['space'],
  pageId: string,
  revisionId: string | undefined,
  field: string,
) {
  if (revisionId === undefined) throw invalid(field, 'is needed: there is no earlier revision')
  const revision = await findRevision(base.db, { id: revisionId, spaceId: space.id })
  if (!revision) throw fail('not_found', `There is no revision ${revisionId} in this space.`)
  const reader = readContent(base.db)
  const page = await pageById(reader, revision.content, pageId)
  return { page, document: page?.document === undefined ? undefined : await reader.document(page.document) }
}
