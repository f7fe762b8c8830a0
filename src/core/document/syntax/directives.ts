/**
 * Containers without tags: `:::note[Title]` … `:::`, and the indented kinds `!!! note "Title"`, `??? note` and
 * `=== "Tab"`. Each becomes the component that shows the same.
 *
 * 1. An end belongs to the innermost container with as many colons; outer ones are written with more.
 * 2. A name that nobody knows is a box: its title and its content stay.
 */
import type { StateBlock } from 'markdown-it'
import { isIndented, lineOf } from './block-lines.ts'
import type { JsxTag } from './jsx.ts'

const openAt = /^(:{3,8})\s*([A-Za-z][\w-]*)\s*(?:\[((?:[^\][]|\[[^\]]*\])*)\])?\s*(?:\{([^}]*)\})?\s*(.*)$/
const closeAt = /^(:{3,8})\s*$/
const others: Readonly<Record<string, string>> = {
  'code-group': 'CodeGroup',
  cards: 'CardGroup',
  card: 'Card',
  details: 'Accordion',
  steps: 'Steps',
  tabs: 'Tabs',
  tab: 'Tab',
  'tab-item': 'Tab',
}

export function directiveRule(state: StateBlock, startLine: number, _endLine: number, silent: boolean): boolean {
  const line = lineOf(state, startLine)
  if (!line.startsWith(':::') || isIndented(state, startLine)) return false
  const tag = readDirective(line.trimEnd())
  if (tag === undefined) return false
  if (silent) return true
  push(state, tag)
  state.line = startLine + 1
  return true
}

/** Whether a line that begins so is read as a container. */
export const startsDirective = (line: string): boolean =>
  line.startsWith(':::') && readDirective(line.trimEnd()) !== undefined

type Directive = JsxTag & { pairing?: string }

function readDirective(line: string): Directive | undefined {
  const close = closeAt.exec(line)
  if (close !== null) return { ...empty, closing: true, pairing: close[1] ?? '', source: line }
  const [, colons, name = '', label, braces, words = ''] = openAt.exec(line) ?? []
  // A row of words after three colons is a title; a sentence that begins so has no name.
  if (colons === undefined) return undefined
  const attributes = new Map<string, string>()
  for (const [, key = '', double, single, bare] of (braces ?? '').matchAll(/([\w-]+)=(?:"([^"]*)"|'([^']*)'|(\S+))/g))
    attributes.set(key.toLowerCase(), double ?? single ?? bare ?? '')
  const title = label ?? (words || attributes.get('title'))
  return { ...componentOf(name, title, attributes), pairing: colons, source: line }
}

const empty: JsxTag = { name: '', closing: false, selfClosing: false, attributes: new Map(), source: '' }

function componentOf(name: string, title: string | undefined, given: ReadonlyMap<string, string> = new Map()): JsxTag {
  const other = Object.hasOwn(others, name) ? others[name] : undefined
  const attributes = new Map(given)
  if (title !== undefined && title !== '') attributes.set('title', title)
  if (other === undefined) attributes.set('type', name)
  return { ...empty, name: other ?? 'Admonition', attributes }
}

function push(state: StateBlock, tag: Directive): void {
  const token = state.push('component', '', 0)
  token.meta = { tag }
  token.content = tag.source
}

const indentedAt =
  /^(!!!|\?\?\?\+?|={3}[!+]?)[ \t]+(?:([A-Za-z][\w-]*(?:[ \t]+[a-z][\w-]*)*))?[ \t]*(?:"((?:[^"\\]|\\.)*)")?$/

/** The body is what is indented below; its end needs no mark. */
export function indentedDirectiveRule(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  const line = lineOf(state, startLine)
  if (!/^(?:!!!|\?\?\?|===)/.test(line) || isIndented(state, startLine)) return false
  const tag = readIndented(line.trimEnd())
  const bodyEnd = endOfBody(state, startLine, endLine)
  if (tag === undefined || (tag.name !== 'Admonition' && bodyEnd === startLine + 1)) return false
  if (silent) return true
  push(state, tag)
  const indent = state.blkIndent
  const level = state.level
  state.blkIndent = (state.sCount[startLine] ?? 0) + 4
  state.level += 1
  state.md.block.tokenize(state, startLine + 1, bodyEnd)
  state.blkIndent = indent
  state.level = level
  push(state, { ...empty, name: tag.name, closing: true })
  state.line = bodyEnd
  return true
}

/** Whether a line that begins so is read as an indented container. */
export const startsIndented = (line: string): boolean => readIndented(line.trimEnd()) !== undefined

function readIndented(line: string): JsxTag | undefined {
  const [, sign, names, quoted] = indentedAt.exec(line) ?? []
  const title = quoted?.replace(/\\(["\\])/g, '$1')
  if (sign === undefined || (names === undefined && title === undefined)) return undefined
  if (sign.startsWith('=')) {
    if (title === undefined || names !== undefined) return undefined
    return { ...empty, name: 'Tab', attributes: new Map([['title', title]]), source: line }
  }
  const kind = names?.split(/\s/)[0] ?? 'note'
  const attributes = new Map([['type', kind]])
  if (title !== undefined && title !== '') attributes.set('title', title)
  if (sign.startsWith('?')) attributes.set('fold', sign.endsWith('+') ? 'open' : 'closed')
  return { ...empty, name: 'Admonition', attributes, source: line }
}

function endOfBody(state: StateBlock, startLine: number, endLine: number): number {
  const edge = (state.sCount[startLine] ?? 0) + 4
  let last = startLine
  for (let line = startLine + 1; line < endLine; line += 1) {
    if (state.isEmpty(line)) continue
    if ((state.sCount[line] ?? 0) < edge) break
    last = line
  }
  return last + 1
}
