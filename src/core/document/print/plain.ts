/**
 * Words that are read as they were printed, so that nothing need be read back: letters and the commonest punctuation, and among
 * them bold, italics, code and links where what stands beside them leaves no doubt. That is most of what people write; for the
 * rest there is no answer here, and it is printed with proof (words.ts).
 *
 * Why there is no doubt: of the words no sign begins a block, a formula, a tag, HTML, an emoji or an address. Bold and italics
 * begin before a letter and behind a space, and end behind a letter and before a space or punctuation, so that each of their
 * signs can only do what it was written for. Code holds no backtick, a label no bracket, a target no space and no parenthesis.
 */
import type { InlineContent, Leaf, Link } from '../tree/nodes.ts'
import { sameNodes } from '../tree/same.ts'
import { type PrintContext, targetOf } from './context.ts'

/** The words of a paragraph; nothing where they have to be proved. */
export function printPlain(nodes: readonly InlineContent[], context: PrintContext): string | undefined {
  const printed = printPlainLine(nodes, context)
  return printed !== undefined && beginning.test(printed) && !statement.test(printed) ? printed : undefined
}

/** The same behind the sign of a heading or a cell, where nothing begins a block. */
export function printPlainLine(nodes: readonly InlineContent[], context: PrintContext): string | undefined {
  // Pieces are joined once: looking at the end of a text that is still growing costs its whole length each time.
  const pieces: string[] = []
  for (const [at, node] of nodes.entries()) {
    const isLast = at === nodes.length - 1
    const isAll =
      node.object === 'text'
        ? addLeaves(pieces, node.leaves, isLast)
        : node.type === 'link' && add(pieces, printLink(node, context))
    if (!isAll) return undefined
  }
  const printed = pieces.join('')
  return /^ | $|www\./i.test(printed) ? undefined : printed
}

export const isPlainText = (text: string): boolean =>
  /^\p{L}[\p{L}\p{N} ,.;'"?()’“”–—-]*$/u.test(text) && !/ $|www\.|^(?:im|ex)port /i.test(text)

/** A letter, or the sign of a mark or link before one: no number of a list, nor any other sign of a block. */
const beginning = /^[\p{L}*_`[]/u
/** A line that readers of MDX take for code. */
const statement = /^(?:im|ex)port /i

const words = /^[\p{L}\p{N} ,.;'"?()’“”–—/:!&-]+$/u
/** Signs that mean nothing before a space, and may mean something before anything else. */
const joined = /[:!&][^ ]/
const codeWords = /^[^\s`\\<{$\p{C}](?:[^`\\<{$\p{C}]*[^\s`\\<{$\p{C}])?$/u
const target = /^(?:https?:\/\/)?[\w.~/#?=+%,-]+$/
const nameInCode = /^[\w./-]+$/

function add(pieces: string[], piece: string | undefined): boolean {
  if (piece !== undefined) pieces.push(piece)
  return piece !== undefined
}

function addLeaves(pieces: string[], leaves: readonly Leaf[], isLast: boolean): boolean {
  return leaves.every((leaf, at) => {
    const next = leaves[at + 1]
    const behind = next === undefined ? (isLast ? '' : undefined) : next.marks.length === 0 ? next.text : undefined
    if (leaf.marks.length === 0) return add(pieces, printWords(leaf.text, behind === ''))
    return add(pieces, printMarked(leaf, { before: pieces.at(-1)?.at(-1) ?? '', behind: behind?.charAt(0) }))
  })
}

/** Such a sign right before a link or a mark could be part of it. */
const printWords = (text: string, isEnd: boolean): string | undefined =>
  isWords(text) && (isEnd || !/[:!&]$/.test(text)) ? text : undefined

const isWords = (text: string): boolean => words.test(text) && !joined.test(text)

const isSpaceless = (text: string): boolean => !text.startsWith(' ') && !text.endsWith(' ')

/** The characters on both sides, empty where there is none; `behind` is absent where it is not known. */
interface Sides {
  before: string
  behind: string | undefined
}

function printMarked({ text, marks }: Leaf, sides: Sides): string | undefined {
  const [mark] = marks
  if (mark === undefined || marks.length > 1) return undefined
  if (mark.type === 'code') return codeWords.test(text) ? `\`${text}\`` : undefined
  const sign = mark.type === 'bold' ? '**' : mark.type === 'italic' ? '_' : undefined
  return sign !== undefined && isWords(text) && standsFree(text, sides) ? `${sign}${text}${sign}` : undefined
}

/** Whether signs around the text can only begin before it and end behind it. */
function standsFree(text: string, { before, behind }: Sides): boolean {
  if (!/^[\p{L}\p{N}]/u.test(text) || !['', ' ', '('].includes(before)) return false
  // Behind punctuation, before more of it, a sign could begin something as well.
  if (behind === '' || behind === ' ') return !text.endsWith(' ')
  return behind !== undefined && /[\p{L}\p{N}]$/u.test(text) && /[,.;:?!)]/.test(behind)
}

function printLink({ data, nodes }: Link, context: PrintContext): string | undefined {
  const [only] = nodes
  if (nodes.length !== 1 || only?.object !== 'text' || only.leaves.length !== 1) return undefined
  const label = only.leaves[0] && printLabel(only.leaves[0])
  const printed = context.printRef(data.ref)
  if (label === undefined || !target.test(printed) || printed.includes('user-content')) return undefined
  // Should another reference be spelt the same, whoever reads it back takes it for the one that was spelt last.
  const other = context.targets.get(printed)
  if (other !== undefined && !sameNodes(other, data.ref)) return undefined
  return `[${label}](${targetOf(data.ref, context)})`
}

function printLabel({ text, marks }: Leaf): string | undefined {
  if (marks.length === 0) return isWords(text) && isSpaceless(text) ? text : undefined
  const isName = marks.length === 1 && marks[0]?.type === 'code' && nameInCode.test(text)
  return isName ? `\`${text}\`` : undefined
}
