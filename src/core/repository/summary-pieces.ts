/**
 * A long table of contents in pieces that can be read one after the other: read so, it says what it says as a whole. A piece
 * begins with a heading or a rule that stands at the start of a line behind an empty one, which ends every list, so that only
 * what may reach across it (a fence, HTML, definitions of links) has to be looked for.
 *
 * What it buys: a table of 11 KB read as a whole holds the loop for a hundred milliseconds when its code runs first, and a
 * thread for it costs more than reading it. With the thread instead, importing 170 unchanged pages again took 1.28 s of CPU,
 * with pieces 1.12 s (medians of ten by turns; start included), and a first import 6.94 and 6.68 s.
 */
import { cleanText } from '../document/tree/fields.ts'

/** Lines that may mean something to other pieces, or hide the beginning of the next one. */
const reaching = /^[ \t>*+\-\d.)]*(?:<|\[[^\]]*\]:|\$\$|\{%)/m
const beginning = /^(?:#{2,6} \S|\*\*\*$)/
const fence = /^([ \t>*+\-\d.)]*)(`{3,}|~{3,})(.*)$/

export function* piecesOfSummary(markdown: string): Generator<string> {
  const text = cleanText(markdown)
  if (reaching.test(text)) return yield text
  let piece: string[] = []
  let open: { sign: string; isIndented: boolean } | undefined
  let isUnclear = false
  for (const line of text.split('\n')) {
    if (!open && !isUnclear && beginning.test(line) && piece.at(-1)?.trim() === '') {
      yield piece.join('\n')
      piece = []
    }
    piece.push(line)
    const [, before = '', sign, after = ''] = fence.exec(line) ?? []
    if (open) {
      // The item that holds it may have ended before it did.
      isUnclear ||= open.isIndented && /^\S/.test(line)
      if (sign?.startsWith(open.sign) && after.trim() === '') open = undefined
    } else if (sign !== undefined) open = { sign, isIndented: before !== '' }
  }
  yield piece.join('\n')
}
