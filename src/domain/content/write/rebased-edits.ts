/**
 * The edits of a batch that named their base: what each was merged into (rebase.ts), and what its answer says about it.
 */
import { identical } from '../../../core/diff/equal.ts'
import type { JSONDocument } from '../../../core/document/tree/nodes.ts'
import { ApiError, type EditConflict } from '../../../core/errors.ts'
import type { PageRecord } from '../../../core/revision/records.ts'
import { StalePreparation } from '../../handler.ts'
import type { Outcome } from './changes.ts'
import type { Update } from './page-fields.ts'
import type { Rebased } from './rebase.ts'

type Updated = Extract<Outcome, { kind: 'updated' }>

interface RebasedEdit {
  change: Update
  /** The page as it stands in the batch. */
  page: PageRecord
  rebased: Rebased
  /** Of the fields of the page. */
  conflicts: readonly EditConflict[]
  outcome: Updated
  field: string
}

export class RebasedEdits {
  readonly #edits = new Map<string, { outcome: Updated; rebased: Rebased }>()

  has(page: string): boolean {
    return this.#edits.has(page)
  }

  /** Notes an edit with what it conflicted with; throws where it was merged with another document than the page has now. */
  add({ change, page, rebased, outcome, field, ...edit }: RebasedEdit): void {
    const conflicts = [...edit.conflicts, ...rebased.conflicts]
    if (rebased.hasBody) {
      if (page.document !== rebased.head) throw new StalePreparation()
      this.#edits.set(page.id, { outcome, rebased })
    }
    if (conflicts.length > 0 && change.onConflict === 'refuse') throw refusedEdit(conflicts, field)
    if (rebased.merged) outcome.merged = true
    if (conflicts.length > 0) outcome.conflicts = conflicts
  }

  /** Puts the document into the answer where it is not what was sent, and where what was sent lacked keys. */
  addDocument(page: string, document: JSONDocument | undefined): void {
    const edit = this.#edits.get(page)
    if (!edit || !document) return
    const { sent, sentKeyed } = edit.rebased
    if (!sentKeyed || !identical(document, sent)) edit.outcome.document = document
  }
}

/** Both versions of everything that the two edits want differently. */
const refusedEdit = (conflicts: readonly EditConflict[], field: string): ApiError =>
  new ApiError('edit_conflict', {
    details: conflicts.slice(0, 100).map((conflict) => ({
      field: `${field}.${conflict.field ?? 'document'}`,
      message: conflict.field === undefined ? 'was changed by both edits' : 'was set by both edits',
      conflict,
    })),
  })
