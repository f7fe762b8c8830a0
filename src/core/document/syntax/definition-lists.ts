/**
 * Definition lists: a line with the term, and below it lines that begin with a colon. They become lists whose items begin
 * with the term.
 */
import type { StateBlock } from 'markdown-it'
import { isIndented, leavesParent, lineOf } from './block-lines.ts'

const definitionAt = /^:[ \t]+(?=\S)/
const deepest = 8

export function definitionListRule(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  if (silent || !isTerm(state, startLine, endLine) || depthOf(state) >= deepest) return false
  state.push('definition_list_open', 'dl', 1)
  let line = startLine
  while (line < endLine && isTerm(state, line, endLine)) {
    state.push('definition_open', 'dt', 1)
    state.push('paragraph_open', 'p', 1)
    const inline = state.push('inline', '', 0)
    inline.content = lineOf(state, line).trim()
    inline.children = []
    inline.map = [line, line + 1]
    state.push('paragraph_close', 'p', -1)
    line = readDefinitions(state, line + 1, endLine)
    state.push('definition_close', 'dt', -1)
    let next = line
    while (next < endLine && state.isEmpty(next)) next += 1
    if (!isTerm(state, next, endLine)) break
    line = next
  }
  state.push('definition_list_close', 'dl', -1)
  state.line = line
  return true
}

function isTerm(state: StateBlock, line: number, endLine: number): boolean {
  if (line >= endLine || state.isEmpty(line) || isIndented(state, line) || leavesParent(state, line)) return false
  if (definitionAt.test(lineOf(state, line))) return false
  const below = definitionBelow(state, line + 1, endLine)
  return below !== undefined
}

/** The line of the next definition: right below, or after one empty line. */
function definitionBelow(state: StateBlock, from: number, endLine: number): number | undefined {
  const line = from < endLine && state.isEmpty(from) ? from + 1 : from
  if (line >= endLine || leavesParent(state, line) || isIndented(state, line)) return undefined
  return definitionAt.test(lineOf(state, line)) ? line : undefined
}

function readDefinitions(state: StateBlock, from: number, endLine: number): number {
  let line = from
  for (let at = definitionBelow(state, line, endLine); at !== undefined; at = definitionBelow(state, line, endLine)) {
    const lines = [lineOf(state, at).replace(definitionAt, '')]
    const edge = (state.sCount[at] ?? 0) + 2
    line = at + 1
    let isOver = false
    while (line < endLine && !isOver) {
      if (state.isEmpty(line)) {
        const next = line + 1
        isOver = next >= endLine || state.isEmpty(next) || (state.sCount[next] ?? 0) < edge
      } else
        isOver =
          (state.sCount[line] ?? 0) < edge &&
          (definitionAt.test(lineOf(state, line)) || leavesParent(state, line) || isTerm(state, line, endLine))
      if (isOver) break
      const own = state.sCount[line] ?? 0
      lines.push(state.getLines(line, line + 1, Math.min(own, edge + 2), false))
      line += 1
    }
    const depth = depthOf(state)
    state.env.definitionDepth = depth + 1
    state.md.block.parse(lines.join('\n'), state.md, state.env, state.tokens)
    state.env.definitionDepth = depth
  }
  return line
}

const depthOf = (state: StateBlock): number => Number(state.env.definitionDepth ?? 0)
