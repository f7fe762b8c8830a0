/** A few words around the best place of a text, with the ranges of what was matched. */

export interface Snippet {
  text: string
  /** Ranges of the text, in UTF-16 units, in order and apart from each other. */
  highlights: [start: number, end: number][]
}

/** A matched range of the original text, and which term matched. */
export interface Found {
  start: number
  end: number
  term: number
}

const snippetLength = 200
/** How much of it comes before the first match. */
const leadLength = 40
/** How far an edge moves to fall between words. */
const slack = 24
const more = '…'
const otherSpaces = /[^\S ]/g

export function snippetOf(body: string, found: readonly Found[]): Snippet {
  const sorted = found.toSorted((a, b) => a.start - b.start || b.end - a.end)
  const first = bestStart(sorted)
  const from = startEdge(body, first === undefined ? 0 : first.start - leadLength)
  const to = endEdge(body, Math.max(from + snippetLength, Math.min(first?.end ?? 0, from + 2 * snippetLength)))
  const head = from > 0 ? more : ''
  // Lines become one line; the length stays.
  const text = head + body.slice(from, to).replace(otherSpaces, ' ') + (to < body.length ? more : '')
  const shift = head.length - from
  const ranges = sorted
    .filter((found) => found.end > from && found.start < to)
    .map((found): [number, number] => [Math.max(found.start, from) + shift, Math.min(found.end, to) + shift])
  return { text, highlights: joined(ranges) }
}

/** The match from which a snippet shows the most terms, then the most matches; the first such. */
function bestStart(sorted: readonly Found[]): Found | undefined {
  let best: Found | undefined
  let bestValue = -1
  for (let i = 0; i < sorted.length; i++) {
    const found = sorted[i] as Found
    const value = valueFrom(sorted, i, found.start + snippetLength - leadLength)
    if (value > bestValue) {
      best = found
      bestValue = value
    }
  }
  return best
}

/** How much of what was found stands between a place and an end. */
function valueFrom(sorted: readonly Found[], from: number, end: number): number {
  // A bit for each term: there are few.
  let terms = 0
  let value = 0
  for (let i = from; i < sorted.length && i < from + 32; i++) {
    const { end: itsEnd, term } = sorted[i] as Found
    if (itsEnd > end) break
    const bit = 1 << term
    if ((terms & bit) === 0) value += 100
    terms |= bit
    value++
  }
  return value
}

function startEdge(body: string, wanted: number): number {
  if (wanted <= 0) return 0
  const space = body.slice(wanted, wanted + slack).search(/\s\S/)
  return whole(body, space < 0 ? wanted : wanted + space + 1)
}

function endEdge(body: string, wanted: number): number {
  if (wanted >= body.length) return body.length
  const space = body.slice(wanted - slack, wanted).search(/\s\S*$/)
  return whole(body, space < 0 ? wanted : wanted - slack + space)
}

/** Before it, no character is a mark or half of another. */
const firstCombiningMark = 0x300

/** Moved back to the beginning of the character it would cut. */
function whole(body: string, position: number): number {
  if (body.charCodeAt(position) < firstCombiningMark) return position
  let at = position
  while (at > 0 && position - at < slack && /^[\udc00-\udfff]|^\p{M}/u.test(body.slice(at, at + 2))) at--
  return at
}

function joined(ranges: readonly [number, number][]): [number, number][] {
  const result: [number, number][] = []
  for (const [start, end] of ranges) {
    const last = result.at(-1)
    if (last && start <= last[1]) last[1] = Math.max(last[1], end)
    else result.push([start, end])
  }
  return result
}
