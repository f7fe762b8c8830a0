/** The inline rules of the dialect: formulas, notes, tags as text, and elements whose content is no Markdown. */
import type { Env, StateInline } from 'markdown-it'
import { endOfMath } from './math-spans.ts'
import { readTag } from './tags.ts'

/** The names of the notes of a document, so that `[^name]` is text where no note has that name. */
export function noteNames(env: Env): Set<string> {
  const names = env.noteNames
  if (names instanceof Set) return names
  const made = new Set<string>()
  env.noteNames = made
  return made
}

/** `$$formula$$` within a sentence; nothing inside it is Markdown. */
export function inlineMathRule(state: StateInline, silent: boolean): boolean {
  const { pos, src } = state
  if (src.charCodeAt(pos) !== 36) return false
  if (src.charCodeAt(pos + 1) !== 36) return singleMath(state, silent)
  const end = src.indexOf('$$', pos + 2)
  if (end <= pos + 2 || end + 2 > state.posMax) return false
  if (!silent) state.push('math', '', 0).content = src.slice(pos + 2, end)
  state.pos = end + 2
  return true
}

/** `$formula$`, where it is one. */
function singleMath(state: StateInline, silent: boolean): boolean {
  const { pos, src } = state
  const end = endOfMath(src, pos)
  if (end === undefined || end + 1 > state.posMax) return false
  if (!silent) state.push('math', '', 0).content = src.slice(pos + 1, end)
  state.pos = end + 1
  return true
}

/** A tag within a sentence, or one that nobody knows, is text as it is: nothing inside it is Markdown. */
export function literalTagRule(state: StateInline, silent: boolean): boolean {
  const { pos, src } = state
  if (src.charCodeAt(pos) !== 123 || src.charCodeAt(pos + 1) !== 37) return false
  const tag = readTag(src.slice(pos, Math.min(state.posMax, pos + 2000)))
  if (tag === undefined) return false
  if (!silent) state.push('literal', '', 0).content = tag.source
  state.pos += tag.source.length
  return true
}

const noteAt = /\[\^([^\]\s^]{1,100})\]/y

export function noteRule(state: StateInline, silent: boolean): boolean {
  const { pos, src } = state
  if (src.charCodeAt(pos) !== 91 || src.charCodeAt(pos + 1) !== 94) return false
  noteAt.lastIndex = pos
  const match = noteAt.exec(src)
  if (match === null || pos + match[0].length > state.posMax || !noteNames(state.env).has(match[1] ?? '')) return false
  if (!silent) {
    const token = state.push('note', '', 0)
    token.info = match[1] ?? ''
    token.content = match[0]
  }
  state.pos += match[0].length
  return true
}

const atomAt = /<(code|i|button|a|span|mark)((?:\s+[a-z-]+(?:="[^"]*")?)*)\s*>([^<]*)<\/\1>/y
const isAtom = /class="(?:expression|fa-|button )|\sdata-(?:formula|emoji|action|mention)/

/** Elements whose content is not Markdown: an expression, an icon, a button. */
export function atomRule(state: StateInline, silent: boolean): boolean {
  const { pos, src } = state
  if (src.charCodeAt(pos) !== 60) return false
  atomAt.lastIndex = pos
  const match = atomAt.exec(src)
  if (match === null || pos + match[0].length > state.posMax || !isAtom.test(match[2] ?? '')) return false
  if (!silent) state.push('atom', '', 0).content = match[0]
  state.pos += match[0].length
  return true
}
