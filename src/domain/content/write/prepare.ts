/** Makes a batch of changes ready before any transaction is open: bodies parsed, files fetched and stored. */
import { heading, makeDocument } from '../../../core/document/tree/make.ts'
import { fail, invalid } from '../../../core/errors.ts'
import { pageById, pathOf } from '../../../core/revision/content.ts'
import { readContent } from '../../../store/content/content.ts'
import { findRevision, type RevisionRow } from '../../../store/content/revisions.ts'
import { TimeSlices } from '../../../store/time-slices.ts'
import type { Base } from '../../handler.ts'
import type { Things } from '../../things.ts'
import { refPrinter, refsIn } from '../links/refs.ts'
import { parseBody, requireCondition } from '../markdown/parsed.ts'
import type { ReadyChange } from './changes.ts'
import { storeFile } from './files.ts'
import type { Change } from './page-fields.ts'
import { rebaseAgain, rebaseEdit } from './rebase.ts'
import { requireSpecsSeen } from './specs-seen.ts'

/** What a batch is read against. */
interface Against {
  head: RevisionRow
  revertTo: string | undefined
  /** The same batch, ready for a head that is not the head any more. */
  stale?: readonly ReadyChange[] | undefined
}

export async function prepareChanges(
  base: Base,
  space: Things['space'],
  changes: readonly Change[],
  { head, revertTo, stale }: Against,
): Promise<ReadyChange[]> {
  const ready: ReadyChange[] = []
  const slices = new TimeSlices(2)
  for (const [index, change] of changes.entries()) {
    await slices.next()
    const known = stale?.[index]
    if (known) {
      ready.push(await prepareAgain({ base, space, head, field: `changes.${index}` }, known))
      continue
    }
    const prepared = await prepareChange(base, space, change, { field: `changes.${index}`, head, revertTo })
    await requireSpecsSeen(base, space, head, prepared)
    ready.push(prepared)
  }
  return ready
}

/** Only what was brought together with a page as it was depends on the head. */
async function prepareAgain(target: Parameters<typeof rebaseAgain>[0], known: ReadyChange): Promise<ReadyChange> {
  const { change, rebased } = known
  if (change.operation !== 'update_page' || !rebased) return known
  return { ...known, rebased: await rebaseAgain(target, change.page, rebased) }
}

async function prepareChange(
  base: Base,
  space: Things['space'],
  change: Change,
  { field, head, revertTo }: { field: string; head: RevisionRow; revertTo: string | undefined },
): Promise<ReadyChange> {
  if (change.operation === 'insert_page' || change.operation === 'update_page') {
    if (change.condition) requireCondition(change.condition, `${field}.condition`)
    if (change.operation === 'update_page' && change.base !== undefined)
      return { change, ...(await rebaseEdit({ base, space, head, field }, { ...change, base: change.base })) }
    if (change.document && 'put' in change.document)
      throw invalid(`${field}.base`, 'is needed: the revision whose blocks are changed')
    const replaced = change.operation === 'update_page' ? change.page : undefined
    const previous = () => replacedDocument(base, space, head, replaced)
    const body = change.document && (await parseBody(base.db.threads, change.document, `${field}.document`, previous))
    return { change, body, ...(change.operation === 'insert_page' ? { id: base.env.newId() } : {}) }
  }
  if (change.operation === 'insert_reusable_content' || change.operation === 'update_reusable_content') {
    const previous = async () => undefined
    const read = change.document && (await parseBody(base.db.threads, change.document, `${field}.document`, previous))
    // A reusable content is called by its `title`: a heading at its top is part of what it says.
    const nodes = [
      ...(read?.title === undefined ? [] : [heading('heading-1', read.title)]),
      ...(read?.document?.nodes ?? []),
    ]
    const body = read && { fields: {}, ...(nodes.length === 0 ? {} : { document: makeDocument(nodes) }) }
    return { change, body, ...(change.operation === 'insert_reusable_content' ? { id: base.env.newId() } : {}) }
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

/** The document of a page as it is now, and how its references are spelt in Markdown. */
async function replacedDocument(base: Base, space: Things['space'], head: RevisionRow, id: string | undefined) {
  const at = { reader: readContent(base.db), content: head.content, revision: head, space }
  const page = id === undefined ? undefined : await pageById(at.reader, at.content, id)
  if (page?.document === undefined) return undefined
  const document = await at.reader.document(page.document)
  const path = await pathOf(at.reader, at.content, page)
  return {
    document,
    printRef: await refPrinter(at, refsIn(document), { path, style: 'relative', caches: base.db.caches }),
  }
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
