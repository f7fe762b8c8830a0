/**
 * Components where Markdown has blocks. What stands between their tags is Markdown whether or not empty lines part it, and
 * however far it is indented: MDX has no code by indentation.
 *
 * 1. A tag looks ahead for its own end (`>`) only, and not far; which tags belong together is decided in `raw-tree.ts`.
 * 2. A component of a sentence is no block, even where it begins a line.
 */
import type { StateBlock, StateInline } from 'markdown-it'
import { lineOf } from './block-lines.ts'
import { blockRoleOf, inlineRoleOf, isComponentName } from './components.ts'
import { scriptedTag } from './html-scan.ts'
import { type JsxTag, longestBlock, readJsxTag } from './jsx.ts'

const mostLines = 60
const startsTag = /^<\/?[A-Z]/

export function componentRule(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  const line = lineOf(state, startLine)
  if (!startsTag.test(line) || (state.sCount[startLine] ?? 0) - state.blkIndent >= 4) return false
  const text =
    readJsxTag(line, 0) === undefined
      ? state.getLines(startLine, reach(state, startLine, endLine), state.sCount[startLine] ?? 0, false)
      : line
  const tag = readJsxTag(text, 0, longestBlock)
  if (tag === undefined || inlineRoleOf(tag.name) !== undefined) return false
  const tagLines = tag.source.split('\n').length
  const tail = (text.slice(tag.source.length).split('\n', 1)[0] ?? '').trim()
  if (blockRoleOf(tag.name) === undefined && (!isComponentName(tag.name) || tail !== '')) return false
  if (silent) return true
  pushTag(state, tag)
  state.line = startLine + tagLines
  if (tail !== '') readTail(state, tail, endLine)
  else if (!tag.closing && !tag.selfClosing) pullLeft(state, state.line, endLine, state.sCount[startLine] ?? 0)
  return true
}

function reach(state: StateBlock, startLine: number, endLine: number): number {
  let end = startLine + 1
  const most = Math.min(endLine, startLine + mostLines)
  while (end < most && (state.isEmpty(end) || (state.sCount[end] ?? 0) >= state.blkIndent)) end += 1
  return end
}

function pushTag(state: StateBlock, tag: JsxTag): void {
  const token = state.push('component', '', 0)
  token.meta = { tag }
  token.content = tag.source
}

/** What follows a tag on its line: words and more tags, up to an empty line when the words go on. */
function readTail(state: StateBlock, tail: string, endLine: number): void {
  let text = tail
  let from = 0
  let words: string[] = []
  const flush = (): void => {
    const joined = words.join('').trim()
    if (joined !== '') state.md.block.parse(joined, state.md, state.env, state.tokens)
    words = []
  }
  for (;;) {
    const found = nextTag(text, from)
    words.push(text.slice(from, found?.at))
    if (found !== undefined) {
      flush()
      pushTag(state, found.tag)
      from = found.at + found.tag.source.length
      continue
    }
    const next = words.some((part) => part.trim() !== '') ? nextWords(state, endLine) : undefined
    if (next === undefined) break
    words.push('\n')
    text = next
    from = 0
    state.line += 1
  }
  flush()
}

/** The line below, where the words of a paragraph go on in it. */
function nextWords(state: StateBlock, endLine: number): string | undefined {
  const { line } = state
  if (line >= endLine || state.isEmpty(line) || (state.sCount[line] ?? 0) < state.blkIndent) return undefined
  const words = lineOf(state, line)
  return /^(?:<\/?[A-Z]|```|~~~|\{%|:::|[-*+] |#)/.test(words) ? undefined : words
}

const tagOrCode = /(`+)[^`]+\1(?!`)|<\/?[A-Z]/g

/** The next tag of a block among these words, outside of code. */
function nextTag(text: string, from: number): { at: number; tag: JsxTag } | undefined {
  tagOrCode.lastIndex = from
  for (let match = tagOrCode.exec(text); match !== null; match = tagOrCode.exec(text)) {
    if (match[0].startsWith('`')) continue
    const tag = readJsxTag(text, match.index)
    if (tag !== undefined && blockRoleOf(tag.name) !== undefined) return { at: match.index, tag }
  }
  return undefined
}

/** Lines that stand deeper than the tag before them only because they are inside it move to its left edge. */
function pullLeft(state: StateBlock, from: number, endLine: number, edge: number): void {
  let first = from
  while (first < endLine && state.isEmpty(first)) first += 1
  const by = (state.sCount[first] ?? 0) - edge
  if (first >= endLine || by <= 0) return
  for (let line = first; line < endLine; line += 1) {
    if (state.isEmpty(line)) continue
    const own = (state.sCount[line] ?? 0) - edge
    if (own <= 0) return
    shift(state, line, Math.min(by, own))
  }
}

/** Only spaces and tabs stand before the words of a line, and a tab is never cut. */
function shift(state: StateBlock, line: number, by: number): void {
  const begin = state.bMarks[line] ?? 0
  let at = begin
  let left = by
  while (left > 0 && at < begin + (state.tShift[line] ?? 0)) {
    left -= state.src[at] === '\t' ? 4 : 1
    at += 1
  }
  state.bMarks[line] = at
  state.tShift[line] = (state.tShift[line] ?? 0) - (at - begin)
  state.sCount[line] = (state.sCount[line] ?? 0) - by
}

/** A component within a sentence. */
export function inlineComponentRule(state: StateInline, silent: boolean): boolean {
  const { pos, src } = state
  if (src.charCodeAt(pos) !== 60) return false
  const tag = readJsxTag(src, pos)
  if (tag === undefined || pos + tag.source.length > state.posMax) return false
  // Elements of HTML have rules of their own, which do not know braces.
  if (!isComponentName(tag.name) && scriptedTag(src, pos)?.source !== tag.source) return false
  if (!silent) {
    const token = state.push('component', '', 0)
    token.meta = { tag }
    token.content = tag.source
  }
  state.pos += tag.source.length
  return true
}

const longestComment = 1000
const commentAt = /^\{\/\*([\s\S]*?)\*\/\}[ \t]*(?:\n|$)/

/** `{/* … *\/}`: a comment of MDX, over any number of lines. */
export function mdxCommentRule(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  if (!lineOf(state, startLine).startsWith('{/*') || (state.sCount[startLine] ?? 0) - state.blkIndent >= 4) return false
  const from = state.bMarks[startLine] ?? 0
  if (!state.src.slice(from, from + longestComment).includes('*/}')) return false
  const source = state.getLines(startLine, Math.min(endLine, startLine + mostLines), state.sCount[startLine] ?? 0, true)
  const match = commentAt.exec(source)
  if (match === null) return false
  if (silent) return true
  state.push('comment', '', 0).content = match[1] ?? ''
  state.line = startLine + match[0].trimEnd().split('\n').length
  return true
}

/** The same within a sentence, where nothing is left of it. */
export function inlineMdxCommentRule(state: StateInline, silent: boolean): boolean {
  const { pos, src } = state
  if (!src.startsWith('{/*', pos)) return false
  const length = src.slice(pos + 3, pos + longestComment).indexOf('*/}')
  const end = pos + 3 + length
  if (length === -1 || end + 3 > state.posMax) return false
  if (!silent) state.push('html_inline', '', 0).content = `<!--${src.slice(pos + 3, end)}-->`
  state.pos = end + 3
  return true
}

const isStatement = [
  /^import\s+(?:[\w*{}\s,$]+\s+from\s+)?["'][^"'\n]+["'];?\s*$/,
  /^import\s*(?:[\w$]+\s*,\s*)?\{[\w\s,$]*$/,
  /^export\s+(?:const|let)\s+[\w$]+\s*[=:]/,
  /^export\s+(?:default\s+)?(?:function|class)\s/,
  /^export\s+default\s+(?:[({]|[\w$]+;?\s*$)/,
]

/** Whether a paragraph that begins so would be a statement of MDX. */
const startsModule = (line: string): boolean => isStatement.some((pattern) => pattern.test(line))

/** Whether a line goes on with the statement of the one before it: it is set in, or an operator stands between them. */
const goesOn = (state: StateBlock, line: number): boolean =>
  (state.sCount[line] ?? 0) > 0 ||
  /^[.+\-*/?:|&=,;)\]}]/.test(lineOf(state, line)) ||
  /[=>+\-*/?:|&,(]\s*$/.test(lineOf(state, line - 1))

/** `import` and `export` of MDX, up to the end of the statement: they show nothing. What follows it is read as ever. */
export function moduleRule(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  if (silent || state.level > 0 || state.blkIndent > 0 || (state.sCount[startLine] ?? 0) > 0) return false
  if (!startsModule(lineOf(state, startLine))) return false
  let depth = 0
  let firstEmpty: number | undefined
  let line = startLine
  // Braces that never close are looked for once.
  const most = state.env.openModule === true ? 1 : 400
  for (; line < Math.min(endLine, startLine + most); line += 1) {
    if (state.isEmpty(line)) {
      firstEmpty ??= line
      if (depth <= 0) break
    } else if (line > startLine && depth <= 0 && !goesOn(state, line)) break
    for (const character of lineOf(state, line)) {
      if ('{(['.includes(character)) depth += 1
      else if ('})]'.includes(character)) depth -= 1
    }
  }
  if (depth > 0) state.env.openModule = true
  state.line = depth > 0 ? (firstEmpty ?? line) : line
  return true
}
