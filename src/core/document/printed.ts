/**
 * What a document prints as, whatever its references are called where it is read: Markdown with slots in their places.
 * It follows from the document alone, so that it is printed and proved once and filled at each reading.
 *
 * It is cut at its slots when it is printed, and its text is escaped as it stands in JSON, in which nearly all of it is sent:
 * filling it is joining. Whoever needs the text itself reads that JSON.
 *
 * A slot is filled with targets that are printed as they are wherever they stand. Where one is not, whoever reads prints
 * the document itself.
 */

import { printHead, printPage } from './print/document.ts'
import { escapeText, printDestination } from './syntax/escape.ts'
import { type ToMarkdownOptions, toMarkdown } from './to-markdown.ts'
import { labelOf } from './tree/labels.ts'
import type { ContentRef, JSONDocument } from './tree/nodes.ts'

export interface Printed {
  /**
   * Texts, escaped as in a JSON string, so that none has a control character; between each two of them a slot, by the form of what
   * comes there and its number: a target as the destination of a link (`d12`), as the value of an attribute (`a12`) or elsewhere
   * (`e12`), the label of one (`l12`), or a table (`t0`).
   */
  parts: string[]
  /** What stands in the slots, by number. */
  refs: ContentRef[]
  /** Tables of pipes in which slots are, by number: their columns are as wide as what comes into them. */
  tables: string[]
  /** The word that begins each slot in a table, which the document says nowhere: `word/word12x`, and `word12x` for its label. */
  word: string
  /** Addresses that stand in the text as they are and name nothing by themselves: `../assets/plan.png`. */
  relative: string[]
}

/** `json` is that of the document. */
export function printTemplate(document: JSONDocument, json = JSON.stringify(document)): Printed {
  const word = freeWord(json)
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
    return `${word}/${word}${number}x`
  }
  const body = toMarkdown(document, { printRef }).replace(/\n$/, '')
  return { ...cutAtSlots(body, word), refs, word, relative: [...relative] }
}

function cutAtSlots(body: string, word: string): Pick<Printed, 'parts' | 'tables'> {
  const tables: string[] = []
  const text = standsInPipes(body, word) ? takeTables(body, word, tables) : body
  const parts: string[] = []
  let from = 0
  for (const found of text.matchAll(slotsOf(word))) {
    parts.push(escapeJson(text.slice(from, found.index)), `${formOf(text, found.index, found[1])}${found[2]}`)
    from = found.index + found[0].length
  }
  parts.push(escapeJson(text.slice(from)))
  return { parts, tables }
}

/** Begins with a word, so that it is looked for as a word is, and not at every character. */
const slotsOf = (word: string): RegExp => new RegExp(`${word}(/${word}|t)?(\\d+)x`, 'g')

/** How a slot that was found in a text is filled. */
function formOf(text: string, index: number, kind: string | undefined): string {
  if (kind === undefined) return 'l'
  if (kind === 't') return 't'
  const before = text.slice(Math.max(0, index - 2), index)
  return before === '](' ? 'd' : before === '="' ? 'a' : 'e'
}

/** The inside of the JSON of a text. */
const escapeJson = (text: string): string => JSON.stringify(text).slice(1, -1)

type Filling = ToMarkdownOptions & { printRef: (ref: ContentRef) => string }

/** The page; nothing where a target cannot stand in a slot. */
export function fillTemplate(printed: Printed, filling: Filling): string | undefined {
  const json = fillTemplateAsJson(printed, filling)
  return json === undefined ? undefined : JSON.parse(json)
}

/** The same as JSON. */
export function fillTemplateAsJson(printed: Printed, { printRef, ...options }: Filling): string | undefined {
  const { parts, refs, tables } = printed
  if (parts.length === 1 && parts[0] === '') return JSON.stringify(printPage([], options))
  const targets = refs.map(printRef)
  const filled = [`"${escapeJson(printHead(options))}`, ...parts, '\\n"']
  for (let at = 2; at < filled.length - 1; at += 2) {
    const slot = filled[at] ?? ''
    const form = slot.charAt(0)
    const number = Number(slot.slice(1))
    const text =
      form === 't' ? fillTable(tables[number] ?? '', printed.word, targets) : fillSlot(form, targets[number] ?? '')
    if (text === undefined) return undefined
    filled[at] = isPlain.test(text) ? text : escapeJson(text)
  }
  return filled.join('')
}

/** What comes into a slot; nothing where it cannot stand there as it is. */
function fillSlot(form: string, target: string): string | undefined {
  const isWhole = form !== 'l'
  if (isPlain.test(target)) {
    if (isWhole) return target
  } else if (!isSpaced.test(target)) return undefined
  // Of those with spaces it is known how they are written as the target of a link and as an attribute.
  if (form === 'd') return printDestination(target)
  if (form === 'a') return target
  const label = labelOf(target)
  return !isWhole && escapeText(label, true) === label ? label : undefined
}

/** Whether a slot has a pipe before it in its line. */
function standsInPipes(body: string, word: string): boolean {
  for (let at = body.indexOf(word); at >= 0; at = body.indexOf(word, at + word.length)) {
    if (body.slice(body.lastIndexOf('\n', at) + 1, at).includes('|')) return true
  }
  return false
}

/** A line may hold what other ends of lines are made of, such as U+2028. */
const pipes = /^([^|\n]*)\| .* \|$/s

/** The text with a slot in the place of each table that has slots. */
function takeTables(body: string, word: string, tables: string[]): string {
  const lines = body.split('\n')
  for (let at = 0; at < lines.length; at++) {
    const prefix = pipes.exec(lines[at] ?? '')?.[1]
    if (prefix === undefined) continue
    let end = at + 1
    while (isRowOf(lines[end])) end += 1
    const table = lines.slice(at, end)
    if (table.some((line) => line.includes(word)))
      lines.splice(at, end - at, `${word}t${tables.push(table.join('\n')) - 1}x`)
    else at = end - 1
  }
  return lines.join('\n')
}

const isRowOf = (line: string | undefined): boolean => line !== undefined && pipes.test(line)

function fillTable(table: string, word: string, targets: readonly string[]): string | undefined {
  let isWhole = true
  const fill = (text: string): string =>
    text.replace(slotsOf(word), (_, kind: string | undefined, number: string, index: number) => {
      const filled = fillSlot(formOf(text, index, kind), targets[Number(number)] ?? '')
      isWhole &&= filled !== undefined
      return filled ?? ''
    })
  const lines = layOutAgain(table.split('\n'), fill)
  return isWhole ? lines.join('\n') : undefined
}

function layOutAgain(table: readonly string[], fill: (text: string) => string): string[] {
  const rows = table.map((line) => {
    const start = line.indexOf('| ')
    const cells = line.slice(start + 2, -2).split(' | ')
    return { prefix: fill(line.slice(0, start)), cells: cells.map((cell) => fill(cell.trimEnd())) }
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
