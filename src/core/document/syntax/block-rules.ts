/**
 * The block rules of the dialect that are neither tags nor CommonMark: stretches of HTML, `$$` formulas, the notes
 * behind annotations, and the floor below which nothing nests.
 *
 * Markdown is not read inside a stretch of HTML; an empty line ends it, and what follows is Markdown again, even
 * when it stands inside the element that the stretch opened.
 */
import type { StateBlock } from 'markdown-it'
import { isIndented, leavesParent, lineOf } from './block-lines.ts'
import { readHtmlTag } from './html-scan.ts'
import { isKnownTag, readTagLine } from './tags.ts'

/** Nesting of quotes and lists in Markdown; what is nested deeper is the text it is spelt with. */
const maxMarkdownNesting = 90

/** Below the floor every stretch of lines is a paragraph of text. */
export function floorRule(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  if (state.level < maxMarkdownNesting) return false
  if (silent) return false
  let next = startLine
  while (next < endLine && !state.isEmpty(next)) next += 1
  const lines: string[] = []
  for (let line = startLine; line < next; line += 1) lines.push(lineOf(state, line).trim())
  state.push('paragraph_open', 'p', 1)
  const inline = state.push('inline', '', 0)
  inline.content = lines.join('\n')
  inline.children = []
  state.push('paragraph_close', 'p', -1)
  state.line = next
  return true
}

const blockElement =
  /^<\/?(?:address|article|aside|blockquote|body|center|col|colgroup|dd|details|div|dl|dt|fieldset|figcaption|figure|footer|form|h[1-6]|head|header|hr|html|iframe|legend|li|main|menu|nav|ol|p|script|section|style|summary|table|tbody|td|tfoot|th|thead|tr|ul)(?=[\s/>]|$)/i

/** A stretch of HTML up to the next empty line; `<pre>` and comments reach to their end instead. */
export function htmlRule(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  const line = lineOf(state, startLine)
  if (line.charCodeAt(0) !== 60 || isIndented(state, startLine)) return false
  const until = /^<pre[\s>]/i.test(line) ? '</pre>' : line.startsWith('<!--') ? '-->' : endOfHidden(line)
  if (until === '' && !blockElement.test(line) && !isLoneDrawing(line)) return false
  const end = until === '' ? blankAfter(state, startLine, endLine) : lineWith(state, startLine, endLine, until)
  if (end === -1) return false
  if (silent) return true
  const token = state.push('html', '', 0)
  token.content = state.getLines(startLine, end, state.sCount[startLine] ?? 0, false)
  state.line = end
  return true
}

/** Scripts and styles reach to their ends, whatever stands in them. */
function endOfHidden(line: string): string {
  const name = /^<(script|style)[\s>]/i.exec(line)?.[1]
  return name === undefined ? '' : `</${name.toLowerCase()}>`
}

/** A drawing is an image that is always a block. */
function isLoneDrawing(line: string): boolean {
  if (!/^<img\s/i.test(line) || !line.includes('gitbook-drawing')) return false
  return readHtmlTag(line.trimEnd()) !== undefined
}

function blankAfter(state: StateBlock, startLine: number, endLine: number): number {
  let next = startLine + 1
  while (next < endLine && !state.isEmpty(next) && !leavesParent(state, next) && !isTags(lineOf(state, next))) next += 1
  return next
}

/** Writers put the end of a tag right below a figure. */
function isTags(line: string): boolean {
  return line.startsWith('{%') && readTagLine(line.trimEnd())?.some((tag) => isKnownTag(tag.name)) === true
}

/** The line after the one that holds `needle`; -1 when there is none, remembered so that asking again is free. */
function lineWith(state: StateBlock, startLine: number, endLine: number, needle: string): number {
  const from = state.bMarks[startLine] ?? 0
  if (Number(state.env[`no ${needle}`] ?? Number.POSITIVE_INFINITY) <= from) return -1
  const found = state.src.indexOf(needle, from)
  if (found === -1) {
    state.env[`no ${needle}`] = from
    return -1
  }
  let next = startLine
  while (next < endLine && (state.eMarks[next] ?? 0) < found) {
    next += 1
    if (next < endLine && leavesParent(state, next)) return -1
  }
  return next < endLine ? next + 1 : -1
}

/** `$$` on a line of its own up to the next such line, or a formula that fills one line. */
export function mathRule(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  const line = lineOf(state, startLine).trimEnd()
  if (!line.startsWith('$$') || isIndented(state, startLine)) return false
  if (line.length > 4 && line.indexOf('$$', 2) === line.length - 2 && !line.endsWith('\\$$')) {
    // In the middle of a paragraph such a line is a formula within the sentence.
    if (silent || (startLine + 1 < endLine && !state.isEmpty(startLine + 1))) return false
    state.push('math', '', 0).content = line.slice(2, -2).trim()
    state.line = startLine + 1
    return true
  }
  if (line !== '$$') return false
  const end = closingDollars(state, startLine, endLine)
  if (end === -1) return false
  if (silent) return true
  state.push('math', '', 0).content = state.getLines(startLine + 1, end, state.sCount[startLine] ?? 0, false)
  state.line = end + 1
  return true
}

function closingDollars(state: StateBlock, startLine: number, endLine: number): number {
  for (let line = startLine + 1; line < endLine; line += 1) {
    if (leavesParent(state, line)) return -1
    if (!isIndented(state, line) && lineOf(state, line).trimEnd() === '$$') return line
  }
  return -1
}

const footnoteAt = /^\[\^([^\]\s^]{1,100})\]:[ \t]*/

/** `[^name]: text`, with the indented lines below it. The note is read when an annotation asks for it. */
export function footnoteRule(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  const line = lineOf(state, startLine)
  if (line.charCodeAt(0) !== 91 || line.charCodeAt(1) !== 94 || isIndented(state, startLine)) return false
  const match = footnoteAt.exec(line)
  if (match === null) return false
  if (silent) return true
  let next = startLine + 1
  let last = startLine
  while (next < endLine && (state.isEmpty(next) || isIndented(state, next))) {
    if (!state.isEmpty(next)) last = next
    next += 1
  }
  const body = last > startLine ? state.getLines(startLine + 1, last + 1, state.blkIndent + 4, false) : ''
  const token = state.push('footnote', '', 0)
  token.info = match[1] ?? ''
  token.content = `${line.slice(match[0].length)}\n${body}`
  state.line = last + 1
  return true
}
