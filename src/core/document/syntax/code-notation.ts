/** Comments in code that mark a line of it for the tool that shows it, and are no part of the code. */

export type CodeNotation = 'next-line' | 'start' | 'end' | 'added' | 'removed' | 'highlighted'

const comment = '(?://|#|--|;|%|<!--|/\\*|\\{/\\*)'
const ownLine = new RegExp(`^\\s*${comment}\\s*highlight-(next-line|start|end)\\s*(?:-->|\\*/\\}?)?\\s*$`)
const behindCode = new RegExp(
  `\\s*${comment}\\s*\\[!code\\s+(\\+\\+|--|highlight|hl|focus)\\]\\s*(?:-->|\\*/\\}?)?\\s*$`,
)

/** The notation that a line is or has behind it, and the code before it. */
export function readCodeNotation(line: string): { notation: CodeNotation; code: string } | undefined {
  if (line.includes('highlight-')) {
    const position = ownLine.exec(line)?.[1]
    if (position === 'next-line' || position === 'start' || position === 'end') return { notation: position, code: '' }
  }
  const found = line.includes('[!code') ? behindCode.exec(line) : null
  if (found === null) return undefined
  const notation = found[1] === '++' ? 'added' : found[1] === '--' ? 'removed' : 'highlighted'
  return { notation, code: line.slice(0, found.index) }
}
