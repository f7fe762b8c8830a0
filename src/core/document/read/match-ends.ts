/**
 * Where what was begun ends: opening `{% tags %}` and HTML elements find their ends among their siblings, and those that have
 * none are given the end that their writer must have meant.
 *
 * 1. Pairing is one pass with a stack; the time is linear whatever is unclosed.
 * 2. A beginning without an end ends with what it stands in, a part (a tab, a step, an item) where the next one begins.
 *    What stands in nothing but the page ends with that, or, where it is one box (a hint, code), before the next heading.
 *    A component that nothing ends shows its title alone, and an end without a beginning nothing.
 */
import { calloutStyles } from '../syntax/callout-kinds.ts'
import { isKnownComponent, isPartName } from '../syntax/components.ts'
import { knownTags } from '../syntax/tags.ts'
import type { Element, Item, Raw } from './raw.ts'

/** For every opening item the place of its end, and the reverse; nothing where no item opens or closes. */
export function matchEnds(items: readonly Item[], depth: number): Matches | undefined {
  if (!items.some(isHalf)) return undefined
  const matches: Matches = { ends: new Map(), implied: new Set() }
  const stack: { name: string; at: number }[] = []
  const waiting = new Map<string, number>()
  const count = (name: string, by: number): void => void waiting.set(name, (waiting.get(name) ?? 0) + by)
  const imply = (open: { name: string; at: number }, at: number): void => {
    if (!canBeImplied(items[open.at])) return
    matches.ends.set(open.at, at)
    matches.implied.add(open.at)
  }
  items.forEach((item, at) => {
    const name = nameOf(item)
    if (name === undefined) return
    if (item.kind === 'open-tag' || item.kind === 'open-element') {
      const last = stack.at(-1)
      if (last?.name === name && isPart(name)) {
        stack.pop()
        count(name, -1)
        imply(last, at)
      }
      stack.push({ name, at })
      count(name, 1)
      return
    }
    // Without this question an end that has no beginning would search the whole stack, every time.
    const known = waitingName(name, waiting)
    if (known === undefined) return
    for (let open = stack.pop(); open !== undefined; open = stack.pop()) {
      count(open.name, -1)
      if (open.name !== known) {
        imply(open, at)
        continue
      }
      matches.ends.set(open.at, at).set(at, open.at)
      return
    }
  })
  if (depth <= deepestAlone) endAlone(items, stack, matches)
  return matches
}

/** Deeper in quotes and lists than anybody writes, what nothing ended is left out: it would make the tree too deep. */
const deepestAlone = 4

/** Gives those that nothing ended the end that their writer must have meant; outer ones come first. */
function endAlone(items: readonly Item[], open: readonly { at: number }[], { ends, implied }: Matches): void {
  let around: { to: number } | undefined
  for (const { at } of open) {
    const item = items[at]
    if (item === undefined || !canEndAlone(item)) continue
    const limit: number = around !== undefined && at < around.to ? around.to : items.length
    const to: number = isOneBox(item) ? headingAfter(items, at, limit, ends) : limit
    ends.set(at, to)
    implied.add(at)
    around = { to }
  }
}

/** The next heading that stands beside an item; the limit when there is none. */
function headingAfter(items: readonly Item[], from: number, limit: number, ends: Matches['ends']): number {
  for (let at = from + 1; at < limit; at = Math.max(ends.get(at) ?? 0, at + 1)) {
    const item = items[at]
    if (item?.kind === 'leaf' && item.token.type === 'heading_open') return at
  }
  return limit
}

/** A container of a kind that nobody knows may be no container: without an end its line stays text. */
const isKnownContainer = (item: Item): boolean =>
  item.kind === 'open-element' &&
  isContainer(item.element) &&
  (item.element.name !== 'Admonition' || calloutStyles.has(item.element.attributes.get('type')?.toLowerCase() ?? ''))

export const isContainer = ({ pairing }: Element): boolean => pairing?.startsWith(':') === true

/** Parts of API methods as they used to be written say nothing without the rest. */
const canEndAlone = (item: Item): boolean =>
  item.kind === 'open-tag'
    ? knownTags[item.tag.name] === 'pair' && !/^(?:swagger|api-method)/.test(item.tag.name)
    : isKnownContainer(item)

const isOneBox = (item: Item): boolean =>
  item.kind === 'open-tag' ? /^(?:hint|code|prompt)$/.test(item.tag.name) : isKnownContainer(item)

/** `implied`: those whose end is the place where something else begins or ends. */
type Matches = { ends: Map<number, number>; implied: Set<number> }

/** An end of colons also ends a container that was begun with fewer. */
function waitingName(name: string, waiting: ReadonlyMap<string, number>): string | undefined {
  const colons = name.startsWith(':') ? name.length : 0
  for (let length = colons; length > 3; length -= 1)
    if ((waiting.get(':'.repeat(length)) ?? 0) > 0) return ':'.repeat(length)
  const last = colons > 3 ? ':::' : name
  return (waiting.get(last) ?? 0) > 0 ? last : undefined
}

const isPart = (name: string): boolean => /^(?:%(?:tab|step|column|update)|li|dt|dd)$/.test(name) || isPartName(name)

/** An element of HTML without an end shows nothing, and needs none. */
function canBeImplied(item: Item | undefined): boolean {
  if (item?.kind === 'open-tag') return knownTags[item.tag.name] === 'pair'
  if (item?.kind !== 'open-element') return false
  return isKnownComponent(item.element.name) || isPart(item.element.name)
}

export type Half = Exclude<Item, Raw>

export const isHalf = (item: Item): item is Half =>
  item.kind === 'open-tag' || item.kind === 'close-tag' || item.kind === 'open-element' || item.kind === 'close-element'

export function nameOf(item: Item): string | undefined {
  if (item.kind === 'open-tag' || item.kind === 'close-tag') return `%${item.tag.name}`
  if (item.kind === 'open-element') return item.element.pairing ?? item.element.name
  return item.kind === 'close-element' ? item.name : undefined
}
