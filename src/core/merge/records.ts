/**
 * Three-way merge of one record's fields.
 *
 * A field that both sides changed differently keeps ours, and the clash is told with all three values: ours is what
 * readers see today, and a title or a switch has no place for two versions.
 */
import { isRecord, same } from '../diff/equal.ts'
import { type Chosen, choose, chooseFields, type Three } from './three-way.ts'

export interface FieldConflict {
  field: string
  base?: unknown
  ours?: unknown
  theirs?: unknown
}
export interface Rules {
  /** Not merged here. */
  skips: readonly string[]
  /** Ours without a word when both changed: they follow from the content, or say when it changed. */
  quiet: readonly string[]
  /** Merged name by name. */
  maps: readonly string[]
  /** Merged as sets. */
  sets: readonly string[]
}

/** Ours with theirs' changes. A version that does not exist is given as an empty object. */
export function mergeRecord<Of extends object>(
  { base, ours, theirs }: { base: object; ours: Of; theirs: object },
  rules: Rules,
): { record: Of; clashes: FieldConflict[] } {
  const record = { ...ours }
  const clashes: FieldConflict[] = []
  const versions = { base: fieldsOf(base), ours: fieldsOf(ours), theirs: fieldsOf(theirs) }
  for (const field of new Set([...versions.ours.keys(), ...versions.theirs.keys()])) {
    if (rules.skips.includes(field)) continue
    const three = {
      base: versions.base.get(field),
      ours: versions.ours.get(field),
      theirs: versions.theirs.get(field),
    }
    const { value, clash } = mergeField(field, three, rules)
    if (clash && !rules.quiet.includes(field)) clashes.push({ field, ...three })
    if (same(value, three.ours)) continue
    if (value === undefined) Reflect.deleteProperty(record, field)
    else Object.assign(record, { [field]: value })
  }
  return { record, clashes }
}

/** Whether a side changed anything but the fields named. */
export function changesMoreThan(fields: readonly string[], base: object, side: object): boolean {
  const old = fieldsOf(base)
  const now = fieldsOf(side)
  return [...new Set([...old.keys(), ...now.keys()])].some(
    (field) => !fields.includes(field) && !same(old.get(field), now.get(field)),
  )
}

const fieldsOf = (record: object): Map<string, unknown> => new Map(Object.entries(record))

function mergeField(field: string, three: Three<unknown>, { maps, sets }: Rules): Chosen<unknown> {
  const chosen = choose(three)
  if (!chosen.clash) return chosen
  const { base, ours, theirs } = three
  if (sets.includes(field))
    return { value: mergeSets({ base: listOf(base), ours: listOf(ours), theirs: listOf(theirs) }), clash: false }
  if (maps.includes(field) && isRecord(ours) && isRecord(theirs)) {
    const merged = chooseFields({ base: isRecord(base) ? base : {}, ours, theirs })
    return { value: merged.value, clash: merged.clashes.length > 0 }
  }
  // Removed by one side and changed by the other: the change is kept.
  return { value: ours ?? theirs, clash: true }
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

function mergeSets({ base, ours, theirs }: Three<unknown[]>): unknown[] {
  const has = (list: readonly unknown[], item: unknown): boolean => list.some((other) => same(other, item))
  const kept = ours.filter((item) => has(theirs, item) || !has(base, item))
  return [...kept, ...theirs.filter((item) => !has(base, item) && !has(ours, item))]
}
