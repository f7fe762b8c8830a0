/** The changes of a batch on their way to be carried out, and what became of each. */
import type { ContentRef, JSONDocument } from '../../../core/document/tree/nodes.ts'
import { type EditConflict, invalid } from '../../../core/errors.ts'
import type { Content } from '../../../core/revision/content.ts'
import type { FileRecord, PageRecord } from '../../../core/revision/records.ts'
import type { ParsedBody } from '../markdown/parsed.ts'
import type { Change } from './page-fields.ts'
import type { Rebased } from './rebase.ts'

/** A change with what could be worked out before: its parsed body, its stored files, the page to revert to. */
export interface ReadyChange {
  change: Change
  body?: ParsedBody | undefined
  /** For an edit that names its base. */
  rebased?: Rebased | undefined
  files?: { ref?: string | undefined; file: FileRecord }[] | undefined
  /** For `revert_page`: the page as it was, with the reader's document. */
  earlier?: { page: PageRecord | undefined; document: JSONDocument | undefined } | undefined
  /** Of what is inserted: the id it will have. */
  id?: string
}

export type Outcome =
  | { kind: 'created'; page: string; ref?: string | undefined }
  | { kind: 'updated'; page: string; merged?: boolean; conflicts?: EditConflict[]; document?: JSONDocument }
  | { kind: 'deleted'; page: string }

export type ReusableOutcome = { kind: Outcome['kind']; id: string; ref?: string | undefined }

export interface Edited {
  content: Content
  outcomes: Outcome[]
  files: { ref?: string | undefined; file: FileRecord }[]
  reusables: ReusableOutcome[]
}

/** The names that links of this batch may use. */
export function namesIn(changes: readonly ReadyChange[]): Map<string, ContentRef> {
  const names = new Map<string, ContentRef>()
  const add = (name: string | undefined, ref: ContentRef, field: string) => {
    if (name === undefined) return
    if (names.has(name)) throw invalid(field, `uses the name ${name} a second time`)
    names.set(name, ref)
  }
  for (const [index, { change, id, files }] of changes.entries()) {
    if (change.operation === 'insert_page' && id !== undefined)
      add(change.ref, { kind: 'page', page: id }, `changes.${index}.ref`)
    if (change.operation === 'insert_reusable_content' && id !== undefined)
      add(change.ref, { kind: 'reusable-content', reusableContent: id }, `changes.${index}.ref`)
    for (const { ref, file } of files ?? []) add(ref, { kind: 'file', file: file.id }, `changes.${index}.files`)
  }
  return names
}
