/**
 * Three-way choice between plain values: a side that equals the base has nothing to say; two sides that say different
 * things clash, and then the preferred side's value is taken.
 */
import { same } from '../diff/equal.ts'
import type { Side } from './conflicts.ts'

export interface Three<Of> {
  base: Of
  ours: Of
  theirs: Of
}
export interface Chosen<Of> {
  value: Of
  clash: boolean
}

export function choose<Of>({ base, ours, theirs }: Three<Of>, prefer: Side = 'ours'): Chosen<Of> {
  if (same(ours, theirs) || same(theirs, base)) return { value: ours, clash: false }
  if (same(ours, base)) return { value: theirs, clash: false }
  return { value: prefer === 'ours' ? ours : theirs, clash: true }
}

/** Field by field; a field that one side removed and the other changed keeps the change, and clashes. */
export function chooseFields(
  { base, ours, theirs }: Three<object>,
  prefer?: Side,
): { value: Record<string, unknown>; clashes: string[] } {
  const old = new Map<string, unknown>(Object.entries(base))
  const one = new Map<string, unknown>(Object.entries(ours))
  const other = new Map<string, unknown>(Object.entries(theirs))
  const value: Record<string, unknown> = {}
  const clashes: string[] = []
  // Names in the order of ours, so that a merge that changes nothing gives ours to the letter.
  for (const name of new Set([...one.keys(), ...other.keys()])) {
    const three = { base: old.get(name), ours: one.get(name), theirs: other.get(name) }
    const chosen = choose(three, prefer)
    if (chosen.clash) clashes.push(name)
    const kept = chosen.clash && prefer === undefined ? (chosen.value ?? three.theirs) : chosen.value
    if (kept !== undefined) value[name] = kept
  }
  return { value, clashes }
}
