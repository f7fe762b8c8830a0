/**
 * What a document prints as, whatever its references are called where it is read: Markdown with slots in their places.
 * It follows from the document alone, so that it is printed and proved once and filled at each reading.
 *
 * A slot is filled with targets that are printed as they are wherever they stand. Where one is not, whoever reads prints
 * the document itself.
 */

import { printPage } from './print/document.ts'
import { escapeText, printDestination } from './syntax/escape.ts'
import { type ToMarkdownOptions, toMarkdown } from './to-markdown.ts'
import { labelOf } from './tree/labels.ts'
import type { ContentRef, JSONDocument } from './tree/nodes.ts'

export interface Printed {
  body: string
  /** The word that begins each slot, which the document says nowhere: `word/word12x`, and `word12x` for its label. */
  slot: string
  /** What stands in the slots, by number. */
  refs: ContentRef[]
  /** Addresses that stand in the body as they are and name nothing by themselves: `../assets/plan.png`. */
  relative: string[]
}

export function printTemplate(document: JSONDocument): Printed {
  const slot = freeWord(JSON.stringify(document))
  const numbers = new Map<string, number>()
  const refs: ContentRef[] = []
  const relative = new Set<string>()
  const printRef = (ref: ContentRef): string => {
    if (ref.kind === 'url') {
      if (!hasScheme.test(ref.url)) relative.add(ref.url)
      return ref.url
    }
    const key = JSON.stringify(ref)
    let number = numbers.get(key)
    if (number === undefined) {
      number = refs.push(ref) - 1
      numbers.set(key, number)
    }
    return `${slot}/${slot}${number}x`
  }
  const body = toMarkdown(document, { printRef }).replace(/\n$/, '')
  return { body, slot, refs, relative: [...relative] }
}

/** The page; nothing where a target cannot stand in a slot. */
export function fillTemplate(
  { body, slot, refs }: Printed,
  { printRef, ...options }: ToMarkdownOptions & { printRef: (ref: ContentRef) => string },
): string | undefined {
  if (refs.length === 0) return printPage([body], options)
  const targets = refs.map(printRef)
  if (!targets.every((target) => isPlain.test(target) || isSpaced.test(target))) return undefined
  let isWhole = true
  // Begins with a word, so that it is looked for as a word is, and not at every character.
  const slots = new RegExp(`${slot}(/${slot})?(\\d+)x`, 'g')
  const fill = (text: string): string =>
    text.replace(slots, (_, whole: string | undefined, number: string, at: number) => {
      const target = targets[Number(number)] ?? ''
      if (whole !== undefined && isPlain.test(target)) return target
      // Of the others it is known how they are written as the target of a link and as an attribute.
      const before = text.slice(Math.max(0, at - 2), at)
      if (whole !== undefined && before === '](') return printDestination(target)
      if (whole !== undefined && before === '="') return target
      const label = labelOf(target)
      isWhole &&= whole === undefined && escapeText(label, true) === label
      return label
    })
  const filled = standsInPipes(body, slot) ? fillTables(body, slot, fill) : body
  const page = printPage([fill(filled)], options)
  return isWhole ? page : undefined
}

/** Whether a slot has a pipe before it in its line. */
function standsInPipes(body: string, slot: string): boolean {
  for (let at = body.indexOf(slot); at >= 0; at = body.indexOf(slot, at + slot.length)) {
    if (body.slice(body.lastIndexOf('\n', at) + 1, at).includes('|')) return true
  }
  return false
}

const pipes = /^([^|\n]*)\| .* \|$/

/** Slots in tables of pipes are as wide as what comes into them, and so are their columns. */
function fillTables(body: string, slot: string, fill: (text: string) => string): string {
  const lines = body.split('\n')
  for (let at = 0; at < lines.length; at++) {
    const prefix = pipes.exec(lines[at] ?? '')?.[1]
    if (prefix === undefined) continue
    let end = at + 1
    while (isRowOf(lines[end])) end += 1
    const table = lines.slice(at, end)
    if (table.some((line) => line.includes(slot))) lines.splice(at, end - at, ...layOutAgain(table, fill))
    at = end - 1
  }
  return lines.join('\n')
}

const isRowOf = (line: string | undefined): boolean => line !== undefined && pipes.test(line)

function layOutAgain(table: readonly string[], fill: (text: string) => string): string[] {
  const rows = table.map((line) => {
    const start = line.indexOf('| ')
    const cells = line.slice(start + 2, -2).split(' | ')
    return { prefix: line.slice(0, start), cells: cells.map((cell) => fill(cell.trimEnd())) }
  })
  const columns = rows[0]?.cells.length ?? 0
  const widths = Array.from({ length: columns }, (_, column) =>
    rows.reduce((most, { cells }, row) => (row === 1 ? most : Math.max(most, cells[column]?.length ?? 0)), 3),
  )
  const sized = (cell: string, width: number, row: number): string =>
    row === 1 ? cell.replace(/-+/, '-'.repeat(width - cell.replaceAll('-', '').length)) : cell.padEnd(width)
  return rows.map(
    ({ prefix, cells }, row) =>
      `${prefix}| ${cells.map((cell, column) => sized(cell, widths[column] ?? 3, row)).join(' | ')} |`,
  )
}

const hasScheme = /^[a-z][a-z0-9+.-]*:/i

/** What no syntax that a target can stand in changes or reads as something else. */
const isPlain = /^[\p{L}\p{N}\-._~/#%]+$/u
/** The same with spaces and parentheses between, as the names of pictures have them; some systems write narrow spaces into them. */
const isSpaced = /^[\p{L}\p{N}\-._~/#%]+(?:[ \u00a0\u202f]?[\p{L}\p{N}\-._~/#%()])+$/u

function freeWord(text: string): string {
  let word = 'lslot'
  while (text.includes(word)) word += 'q'
  return word
}
