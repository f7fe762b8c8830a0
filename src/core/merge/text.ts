/**
 * Three-way merge of the words of one text block.
 *
 * Each side's edits are stretches of the base that it replaced. Stretches that only touch are both applied, in the
 * order of the base; two insertions at one point are both kept, ours first, unless one has the other in it. Stretches
 * that overlap and differ clash. Marks are merged apart from the words: bold on one side and another word on the other
 * give another word in bold.
 */

import { same } from '../diff/equal.ts'
import { hasWord, nodesOf, sameTokens, type Token, tokensOf } from '../diff/tokens.ts'
import { type Hunk, hunksBetween } from '../diff/words.ts'
import type { InlineContent, Mark } from '../document/tree/nodes.ts'
import type { Alignment } from './alignment.ts'
import { cutEdges, isThereAlready, sameFaces } from './beside.ts'
import type { Side } from './conflicts.ts'
import { commonMarks, mergeMarks } from './marks.ts'
import { choose, type Three } from './three-way.ts'

export function mergeWords(
  inlines: Three<readonly InlineContent[]>,
  { alignment, prefer }: { alignment: Alignment; prefer: Side | undefined },
): { nodes: InlineContent[]; clash: boolean } {
  const taken = choose(inlines, prefer)
  if (!taken.clash) return { nodes: [...taken.value], clash: false }
  const sides = alignedSides(inlines, alignment)
  const merged = weave(sides, prefer)
  const clash = merged.clash && prefer === undefined
  // A side's own nodes where they say the same: its links keep their keys, its texts their cuts.
  if (sameTokens(merged.tokens, sides.ours.tokens)) return { nodes: [...inlines.ours], clash }
  if (sameTokens(merged.tokens, sides.theirs.tokens)) return { nodes: [...inlines.theirs], clash }
  return { nodes: nodesOf(merged.tokens), clash }
}

interface Edited {
  tokens: Token[]
  partners: Int32Array
  hunks: Hunk[]
}
export interface AlignedWords {
  of: Three<readonly InlineContent[]>
  base: Token[]
  ours: Edited
  theirs: Edited
}
type Sides = AlignedWords

function alignedSides(inlines: Three<readonly InlineContent[]>, { aligned, signatures, budget }: Alignment): Sides {
  const known = aligned.get(inlines.ours)
  if (known?.of.base === inlines.base && known.of.theirs === inlines.theirs) return known
  const base = tokensOf(inlines.base, signatures)
  const ours = tokensOf(inlines.ours, signatures)
  const theirs = tokensOf(inlines.theirs, signatures)
  const sides = {
    of: inlines,
    base,
    ours: { tokens: ours, ...hunksBetween(base, ours, budget) },
    theirs: { tokens: theirs, ...hunksBetween(base, theirs, budget) },
  }
  aligned.set(inlines.ours, sides)
  return sides
}

interface Woven {
  tokens: Token[]
  clash: boolean
}

function weave(sides: Sides, prefer: Side | undefined): Woven {
  const woven: Woven = { tokens: [], clash: false }
  let at = 0
  for (const { from, to, ours, theirs } of clustersOf(sides)) {
    for (; at < from; at += 1) pushKept(woven, sides, at, prefer)
    const versions = {
      ours: textOver(sides, ours, 'ours', from, to),
      theirs: textOver(sides, theirs, 'theirs', from, to),
    }
    pushCluster(woven, { ...versions, base: sides.base.slice(from, to) }, { sides, from, to, ours, theirs, prefer })
    at = to
  }
  for (; at < sides.base.length; at += 1) pushKept(woven, sides, at, prefer)
  return woven
}

interface Cluster {
  from: number
  to: number
  ours: Hunk[]
  theirs: Hunk[]
}

/** Stretches that overlap, together; a stretch that overlaps nothing is alone. */
function clustersOf({ ours, theirs }: Sides): Cluster[] {
  const all = [
    ...ours.hunks.map((hunk) => ({ hunk, side: 'ours' as const })),
    ...theirs.hunks.map((hunk) => ({ hunk, side: 'theirs' as const })),
  ].sort((a, b) => a.hunk.from - b.hunk.from || a.hunk.to - b.hunk.to)
  const clusters: Cluster[] = []
  for (const { hunk, side } of all) {
    const last = clusters.at(-1)
    if (last !== undefined && overlaps(last, hunk)) {
      last[side].push(hunk)
      last.to = Math.max(last.to, hunk.to)
    } else clusters.push({ from: hunk.from, to: hunk.to, ours: [], theirs: [], [side]: [hunk] })
  }
  return clusters
}

/** `hunk` starts at or after the cluster. Touching is not overlapping, except two insertions at one point. */
function overlaps({ from, to }: Cluster, hunk: Hunk): boolean {
  if (from === to && hunk.from === hunk.to) return from === hunk.from
  return hunk.from < to
}

/** What a side has in place of `from..to` of the base. */
function textOver({ base, ...sides }: Sides, hunks: readonly Hunk[], side: Side, from: number, to: number): Token[] {
  const { partners, tokens } = sides[side]
  const text: Token[] = []
  let at = from
  const keepUntil = (end: number): void => {
    for (; at < end; at += 1) {
      const kept = tokens[partners[at] ?? -1] ?? base[at]
      if (kept !== undefined) text.push(kept)
    }
  }
  for (const hunk of hunks) {
    keepUntil(hunk.from)
    text.push(...hunk.items)
    at = hunk.to
  }
  keepUntil(to)
  return text
}

type Around = Cluster & { sides: Sides; prefer: Side | undefined }

function pushCluster(woven: Woven, { base, ours, theirs }: Three<Token[]>, around: Around): void {
  const { prefer, from, to } = around
  if (sameTokens(ours, theirs)) woven.tokens.push(...ours)
  else if (around.theirs.length === 0) pushAlone(woven, { items: ours, from, to }, 'ours', around)
  else if (around.ours.length === 0) pushAlone(woven, { items: theirs, from, to }, 'theirs', around)
  else if (sameFaces(ours, theirs)) {
    // The same words with different marks: one merge of marks a word, against no marks where the base has other words.
    ours.forEach((token, index) => {
      const old = sameFaces(base, ours) ? (base[index]?.marks ?? []) : commonMarks(token, theirs[index])
      const marks = mergeMarks({ base: old, ours: token.marks, theirs: theirs[index]?.marks ?? [] }, prefer)
      woven.clash ||= marks.clash
      woven.tokens.push({ ...token, marks: marks.value })
    })
  } else if (from === to) woven.tokens.push(...bothInserted(ours, theirs))
  else if (includes(ours, around.theirs, around.sides.base)) woven.tokens.push(...ours)
  else if (includes(theirs, around.ours, around.sides.base)) woven.tokens.push(...theirs)
  else {
    woven.clash = true
    woven.tokens.push(...(prefer === 'theirs' ? theirs : ours))
  }
}

/**
 * Whether a side's text has all that the other did there: the words the other wrote are in it, in order, and the words
 * the other took away are not. A merge done twice meets its own result this way.
 */
function includes(text: readonly Token[], hunks: readonly Hunk[], base: readonly Token[]): boolean {
  const written = hunks.flatMap(({ items }) => items.filter(hasWord))
  const rest: string[] = []
  let index = 0
  for (const token of text.filter(hasWord))
    if (token.face === written[index]?.face) index += 1
    else rest.push(token.face)
  const kept = new Set(rest)
  const removed = hunks.flatMap(({ from, to }) => base.slice(from, to).filter(hasWord))
  return index === written.length && !removed.some(({ face }) => kept.has(face))
}

/** A stretch that one side alone replaced; what the other did to the marks there is done to the new words too. */
function pushAlone(woven: Woven, hunk: Hunk, side: Side, { sides, prefer }: Around): void {
  const { items, from, to } = hunk
  const other = sides[side === 'ours' ? 'theirs' : 'ours']
  const around = { base: sides.base, hunks: other.hunks }
  if (from === to && isThereAlready(hunk, around)) return
  const changes = new Map<string, { base: Mark[]; now: Mark[] }>()
  for (let at = from; at < to; at += 1) {
    const old = sides.base[at]?.marks ?? []
    const now = other.tokens[other.partners[at] ?? -1]?.marks ?? old
    changes.set(same(old, now) ? '' : JSON.stringify([old, now]), { base: old, now })
  }
  const [change] = changes.values()
  if (change === undefined || (changes.has('') && changes.size === 1)) {
    woven.tokens.push(...items)
    return
  }
  const { before, inside, after } = cutEdges(hunk, around)
  woven.tokens.push(...before)
  if (!inside.some(hasWord)) woven.tokens.push(...inside)
  else if (changes.size > 1) {
    woven.clash = true
    const kept = prefer === undefined || prefer === side ? inside : other.tokens.slice(...spanOf(other, from, to))
    woven.tokens.push(...kept)
  } else
    for (const item of inside) {
      const marks = mergeMarks(
        { base: change.base, ours: item.marks, theirs: change.now },
        side === 'ours' ? prefer : flip(prefer),
      )
      woven.clash ||= marks.clash
      woven.tokens.push({ ...item, marks: marks.value })
    }
  woven.tokens.push(...after)
}

const flip = (prefer: Side | undefined): Side | undefined =>
  prefer === undefined ? undefined : prefer === 'ours' ? 'theirs' : 'ours'

/** The places of the side that stand for `from..to` of the base, none of which the side replaced. */
function spanOf({ partners }: Edited, from: number, to: number): [number, number] {
  return [partners[from] ?? 0, (partners[to - 1] ?? -1) + 1]
}

function bothInserted(ours: readonly Token[], theirs: readonly Token[]): readonly Token[] {
  if (contains(ours, theirs)) return ours
  return contains(theirs, ours) ? theirs : [...ours, ...theirs]
}

const longestSearched = 2_000

function contains(long: readonly Token[], short: readonly Token[]): boolean {
  if (long.length > longestSearched) return false
  return long.some((_, index) => sameFaces(long.slice(index, index + short.length), short))
}

function pushKept(woven: Woven, { base, ours, theirs }: Sides, at: number, prefer: Side | undefined): void {
  const old = base[at]
  const one = ours.tokens[ours.partners[at] ?? -1] ?? old
  const other = theirs.tokens[theirs.partners[at] ?? -1] ?? old
  if (old === undefined || one === undefined || other === undefined) return
  const marks = mergeMarks({ base: old.marks, ours: one.marks, theirs: other.marks }, prefer)
  woven.clash ||= marks.clash
  woven.tokens.push(marks.value === one.marks ? one : { ...one, marks: marks.value })
}
