/**
 * What changed between two revisions, as the change summary lists it.
 *
 * The caller finds the ids that differ (equal parts of two revisions are skipped unread); here each pair of records
 * becomes the changes it means. A page that was both moved and edited gives both.
 */
import type { FileRecord, PageRecord, ReusableRecord, Variables } from '../revision/records.ts'
import { same } from './equal.ts'

/** Two versions of one record; absent where the revision does not have it. */
export interface Versions<Of> {
  id: string
  before?: Of | undefined
  after?: Of | undefined
}

export interface RevisionDifference {
  pages?: Iterable<Versions<PageRecord>>
  files?: Iterable<Versions<FileRecord>>
  reusables?: Iterable<Versions<ReusableRecord>>
  variables?: { before: Variables; after: Variables }
}

export type RevisionChange =
  | { type: 'page_created' | 'page_edited' | 'page_deleted' | 'page_moved'; page: Versions<PageRecord> }
  | { type: 'file_created' | 'file_edited' | 'file_deleted'; file: Versions<FileRecord> }
  | { type: 'variables_edited'; names: string[] }
  | {
      type: 'reusable_content_created' | 'reusable_content_edited' | 'reusable_content_deleted'
      reusable: Versions<ReusableRecord>
    }

/** Pages first, in the order given; then files, reusable contents and variables, each in the order of the ids. */
export function diffRevisions({ pages, files, reusables, variables }: RevisionDifference): RevisionChange[] {
  const changes: RevisionChange[] = []
  for (const page of pages ?? []) for (const type of pageChanges(page)) changes.push({ type, page })
  for (const file of byId(files)) {
    const what = changeOf(file, fileNoise)
    if (what !== undefined) changes.push({ type: `file_${what}`, file })
  }
  for (const reusable of byId(reusables)) {
    const what = changeOf(reusable, recordNoise)
    if (what !== undefined) changes.push({ type: `reusable_content_${what}`, reusable })
  }
  const names = variables === undefined ? [] : changedNames(variables.before, variables.after)
  if (names.length > 0) changes.push({ type: 'variables_edited', names: names.sort() })
  return changes
}

function byId<Of>(versions: Iterable<Versions<Of>> | undefined): Versions<Of>[] {
  return [...(versions ?? [])].sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0))
}

// When a record was written, and from which file, is no change of what it says.
const recordNoise = ['git', 'createdAt', 'updatedAt', 'computedSeed']
const fileNoise = ['git', 'createdAt']
const placing = ['parent', 'rank']

type PageChange = 'page_created' | 'page_edited' | 'page_deleted' | 'page_moved'

function pageChanges({ before, after }: Versions<PageRecord>): PageChange[] {
  if (before === undefined) return after === undefined ? [] : ['page_created']
  if (after === undefined) return ['page_deleted']
  const names = changedNames(before, after)
  const isMoved = names.some((name) => placing.includes(name))
  const isEdited = names.some((name) => !placing.includes(name) && !recordNoise.includes(name))
  return [...(isMoved ? (['page_moved'] as const) : []), ...(isEdited ? (['page_edited'] as const) : [])]
}

function changeOf<Of extends object>(
  { before, after }: Versions<Of>,
  noise: readonly string[],
): 'created' | 'edited' | 'deleted' | undefined {
  if (before === undefined) return after === undefined ? undefined : 'created'
  if (after === undefined) return 'deleted'
  return changedNames(before, after).some((name) => !noise.includes(name)) ? 'edited' : undefined
}

function changedNames(before: object, after: object): string[] {
  const old = new Map<string, unknown>(Object.entries(before))
  const now = new Map<string, unknown>(Object.entries(after))
  return [...new Set([...old.keys(), ...now.keys()])].filter((name) => !same(old.get(name), now.get(name)))
}
