/**
 * Three-way merge of what a revision holds beside its pages: files and reusable contents by id, variables by name.
 */
import { same } from '../diff/equal.ts'
import type { FileRecord, ReusableRecord, Variables } from '../revision/records.ts'
import type { Side } from './conflicts.ts'
import type { Changed, MergeConflict, MergedReusable, RevisionMerge } from './merged-pages.ts'
import { changesMoreThan, mergeRecord, type Rules } from './records.ts'
import { mergeStored } from './stored-documents.ts'
import { chooseFields, type Three } from './three-way.ts'

export async function mergeFiles(merge: RevisionMerge, conflicts: MergeConflict[]) {
  const puts: FileRecord[] = []
  const deletes: string[] = []
  for (const entry of await changedRecords(merge.files, (side, id) => merge[side].file(id))) {
    const { id: file, base, ours, theirs } = entry
    const kept = survivor(entry, (by) => conflicts.push({ kind: 'file-deleted', file, by }))
    if (kept === undefined && ours !== undefined) deletes.push(file)
    if (kept === undefined) continue
    const merged = ours !== undefined && theirs !== undefined ? mergeFile({ base, ours, theirs }, conflicts) : kept
    if (!same(merged, ours)) puts.push(merged)
  }
  return { puts, deletes }
}

export async function mergeReusables(merge: RevisionMerge, conflicts: MergeConflict[]) {
  const puts: MergedReusable[] = []
  const deletes: string[] = []
  for (const entry of await changedRecords(merge.reusables, (side, id) => merge[side].reusable(id))) {
    const { id: reusable, ours } = entry
    const kept = survivor(entry, (by) => conflicts.push({ kind: 'reusable-deleted', reusable, by }))
    if (kept === undefined && ours !== undefined) deletes.push(reusable)
    if (kept === undefined) continue
    const merged = await mergeReusable(entry, kept, { merge, conflicts })
    if (!same(merged, ours)) puts.push(merged)
  }
  return { puts, deletes }
}

/** The merged variables, or nothing when ours has them already. */
export function mergeVariables(
  versions: Three<Variables> | undefined,
  conflicts: MergeConflict[],
): Variables | undefined {
  if (versions === undefined) return undefined
  const { value, clashes } = chooseFields(versions)
  for (const field of clashes)
    conflicts.push({
      kind: 'variable',
      field,
      base: versions.base[field],
      ours: versions.ours[field],
      theirs: versions.theirs[field],
    })
  const variables: Variables = {}
  for (const [name, text] of Object.entries(value)) if (typeof text === 'string') variables[name] = text
  return same(variables, versions.ours) ? undefined : variables
}

interface Entry<Of> {
  id: string
  base: Of | undefined
  ours: Of | undefined
  theirs: Of | undefined
}

/** The versions of what theirs changed; what ours alone changed is in ours already. */
async function changedRecords<Of>(
  changed: Changed | undefined,
  read: (side: 'base' | Side, id: string) => Promise<Of | undefined>,
): Promise<Entry<Of>[]> {
  const inOurs = new Set(changed?.ours)
  return Promise.all(
    [...new Set(changed?.theirs)].map(async (id) => {
      const base = await read('base', id)
      return { id, base, ours: inOurs.has(id) ? await read('ours', id) : base, theirs: await read('theirs', id) }
    }),
  )
}

/** What is left of a record: deleted by one side, it stays when the other changed it. */
function survivor<Of extends object>({ base, ours, theirs }: Entry<Of>, tell: (by: Side) => void): Of | undefined {
  if (ours !== undefined && theirs !== undefined) return ours
  const left = ours ?? theirs
  if (left === undefined || base === undefined) return left
  if (!changesMoreThan(['git', 'createdAt'], base, left)) return undefined
  tell(ours === undefined ? 'ours' : 'theirs')
  return left
}

const fileRules: Rules = { skips: ['id'], quiet: ['git', 'createdAt'], maps: [], sets: [] }
const ofBytes = ['blob', 'size', 'contentType', 'dimensions']

function mergeFile(
  { base, ours, theirs }: { base: FileRecord | undefined; ours: FileRecord; theirs: FileRecord },
  conflicts: MergeConflict[],
): FileRecord {
  const { record, clashes } = mergeRecord({ base: base ?? {}, ours, theirs }, fileRules)
  const isTorn = clashes.some(({ field }) => field === 'blob')
  for (const clash of clashes)
    if (clash.field === 'blob' || !ofBytes.includes(clash.field))
      conflicts.push({ kind: 'file', file: ours.id, ...clash })
  if (!isTorn) return record
  // The bytes and what describes them come from one side.
  const { blob, size, contentType, dimensions } = ours
  const whole: FileRecord = { ...record, blob, size, contentType }
  if (dimensions === undefined) delete whole.dimensions
  else whole.dimensions = dimensions
  return whole
}

const reusableRules: Rules = { skips: ['id', 'document'], quiet: ['git'], maps: [], sets: [] }

async function mergeReusable(
  { id: reusable, base, ours, theirs }: Entry<ReusableRecord>,
  kept: ReusableRecord,
  { merge, conflicts }: { merge: RevisionMerge; conflicts: MergeConflict[] },
): Promise<MergedReusable> {
  if (ours === undefined || theirs === undefined) return kept
  const { record, clashes } = mergeRecord({ base: base ?? {}, ours, theirs }, reusableRules)
  for (const clash of clashes) conflicts.push({ kind: 'reusable-field', reusable, ...clash })
  const hashes = { base: base?.document, ours: ours.document, theirs: theirs.document }
  const merged = await mergeStored(merge, hashes)
  if (merged.conflicts.length > 0) conflicts.push({ kind: 'reusable-document', reusable, blocks: merged.conflicts })
  const { document: _, ...rest } = record
  return merged.document === undefined ? rest : { ...rest, document: merged.document }
}
