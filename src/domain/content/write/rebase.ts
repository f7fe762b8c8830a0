/**
 * An edit that says which revision it was made from. Where the page has changed since, the edit and what happened meanwhile
 * are brought together as a change request and main are: block by block, word by word.
 *
 * It is worked out before the transaction, for the document that the page has then (`head`); inside, it counts only while
 * the page still has that one, and is otherwise worked out again. See docs/decisions/0032-saving.md.
 */
import { same } from '../../../core/diff/equal.ts'
import { withoutMarker } from '../../../core/document/tree/conflict-marker.ts'
import { assignKeys } from '../../../core/document/tree/keys.ts'
import { emptyDocument } from '../../../core/document/tree/make.ts'
import type { JSONDocument } from '../../../core/document/tree/nodes.ts'
import { type BlockChanges, patchDocument } from '../../../core/document/tree/patch.ts'
import { maxSize, sizeOf } from '../../../core/document/tree/size.ts'
import { type EditConflict, fail, invalid } from '../../../core/errors.ts'
import { conflictsIn } from '../../../core/merge/conflicts.ts'
import { pageById, pathOf } from '../../../core/revision/content.ts'
import type { PageRecord } from '../../../core/revision/records.ts'
import { type ContentReader, readContent } from '../../../store/content/content.ts'
import { findRevision, type RevisionRow } from '../../../store/content/revisions.ts'
import type { Base } from '../../handler.ts'
import type { Things } from '../../things.ts'
import { refPrinter, refsIn, resolveRefs } from '../links/refs.ts'
import { type ParsedBody, parseBody, readBlocks } from '../markdown/parsed.ts'
import { mergeAside } from '../merge/merge-aside.ts'
import type { Update } from './page-fields.ts'

export interface Rebased {
  /** The page as it was at the base; absent when it was not there. */
  page: PageRecord | undefined
  /** The document at the base; an empty one where there was none. */
  before: JSONDocument
  hasBody: boolean
  /** What the edit makes of the document at the base. */
  sent: JSONDocument | undefined
  /** Whether the sender knows the keys of all blocks. */
  sentKeyed: boolean
  /** The document of the page that `document` was worked out for. */
  head: string | undefined
  /** What the page becomes. */
  document: JSONDocument | undefined
  merged: boolean
  conflicts: EditConflict[]
}

type Given = Record<never, never> | { markdown: string } | { document: unknown } | Sent
type Sent = { put: readonly object[] } & Omit<BlockChanges, 'put'>

type RebaseTarget = { base: Base; space: Things['space']; head: RevisionRow; field: string }

/** Reads an edit against its base, and brings it together with what the page has now. */
export async function rebaseEdit(
  target: RebaseTarget,
  change: Update & { base: string },
): Promise<{ body: ParsedBody | undefined; rebased: Rebased }> {
  const { base, space, field } = target
  const revision = await findRevision(base.db, { id: change.base, spaceId: space.id })
  if (!revision) throw fail('base_gone')
  const at = { reader: readContent(base.db), content: revision.content, revision, space }
  const page = await pageById(at.reader, at.content, change.page)
  const stored = await documentOf(at.reader, page)
  const before = stored ?? emptyDocument
  const path = page ? await pathOf(at.reader, at.content, page) : ''
  // Absent, an empty page, Markdown, a document, or the blocks that changed.
  const given: Given | undefined = change.document
  let body: ParsedBody | undefined
  let sent: JSONDocument | undefined
  if (given && 'put' in given) sent = await patched(before, given, `${field}.document`)
  else if (given) {
    const previous = async () =>
      stored && {
        document: stored,
        printRef: await refPrinter(at, refsIn(stored), { path, style: 'relative', caches: base.db.caches }),
      }
    body = await parseBody(base.db.threads, given, `${field}.document`, previous)
    const read = body.document && (await resolveRefs(base.db, at, body.document, { path, names: new Map() }))
    sent = read && (body.keyed ? read : assignKeys(read, before))
  }
  const sentKeyed = given === undefined || 'markdown' in given || hasAllKeys('put' in given ? given.put : given)
  const rebased = { page, before, hasBody: given !== undefined, sent, sentKeyed }
  return { body, rebased: await bringTogether(target, change.page, rebased) }
}

/** The same edit on what the page has now. */
export async function rebaseAgain(target: RebaseTarget, pageId: string, known: Rebased): Promise<Rebased> {
  return bringTogether(target, pageId, known)
}

type Edit = Pick<Rebased, 'page' | 'before' | 'hasBody' | 'sent' | 'sentKeyed'>

async function bringTogether({ base, head }: RebaseTarget, pageId: string, edit: Edit): Promise<Rebased> {
  const { page, before, hasBody, sent, sentKeyed } = edit
  const given = { page, before, hasBody, sent, sentKeyed }
  const reader = readContent(base.db)
  const now = await pageById(reader, head.content, pageId)
  const plain = { ...given, head: now?.document, document: sent, merged: false, conflicts: [] }
  if (!hasBody || now?.document === page?.document) return plain
  const ours = (await documentOf(reader, now)) ?? emptyDocument
  const theirs = sent ?? emptyDocument
  if (same(ours, theirs)) return { ...plain, document: (await documentOf(reader, now)) && ours, merged: true }
  const { document } = await mergeAside(base.db.threads, { base: before, ours, theirs })
  const merged = document.nodes.length === 0 ? undefined : document
  return { ...plain, document: merged, merged: true, conflicts: freshConflicts(pageId, { ours, theirs, merged }) }
}

/** The conflicts of this merge; those that an earlier one left are on one of the sides already. */
function freshConflicts(
  page: string,
  { ours, theirs, merged }: { ours: JSONDocument; theirs: JSONDocument; merged: JSONDocument | undefined },
): EditConflict[] {
  if (!merged) return []
  const known = new Set([...conflictsIn(ours), ...conflictsIn(theirs)].map(({ id }) => id))
  return conflictsIn(merged)
    .filter(({ id }) => !known.has(id))
    .map((conflict) => ({
      page,
      block: conflict.id,
      ours: conflict.ours.map(withoutMarker),
      theirs: conflict.theirs.map(withoutMarker),
    }))
}

async function documentOf(reader: ContentReader, page: PageRecord | undefined): Promise<JSONDocument | undefined> {
  return page?.document === undefined ? undefined : reader.document(page.document)
}

async function patched(base: JSONDocument, { put, ...rest }: Sent, field: string): Promise<JSONDocument | undefined> {
  const result = patchDocument(base, { put: readBlocks(put, `${field}.put`), ...rest })
  if (!result.ok) throw invalid(`${field}.${result.field}`, result.message)
  if (sizeOf(result.document) > maxSize)
    throw invalid(field, `would make a page of more than ${maxSize} blocks, cells, texts and marks`)
  return result.document.nodes.length === 0 ? undefined : result.document
}

/** Whether each block, however deep, came with a key. */
function hasAllKeys(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(hasAllKeys)
  if (typeof value !== 'object' || value === null) return true
  const node = new Map<string, unknown>(Object.entries(value))
  if (node.get('object') === 'block' && typeof node.get('key') !== 'string') return false
  return ['document', 'nodes', 'fragments'].every((name) => hasAllKeys(node.get(name)))
}
