/**
 * Inline content as a row of words: what a diff compares and a merge moves inside a text block.
 *
 * A word, a run of blanks, a sign and a line break are one token each; scripts written without blanks count every
 * character. A link, an image or any other inline is one token whole.
 */

import { textOf } from '../document/text/to-text.ts'
import type { Inline, InlineContent, Leaf, Mark, Text } from '../document/tree/nodes.ts'
import { type Signatures, signatureOf } from '../document/tree/signature.ts'
import { same } from './equal.ts'

export interface Token {
  text: string
  marks: Mark[]
  inline?: Inline
  /** Equal for tokens that say the same, whatever their marks. */
  face: string
  /** Whether it is more than blanks and signs. */
  isWord: boolean
}

const unspaced = '\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}'
const word = new RegExp(
  `[${unspaced}]\\p{M}*|(?:(?![${unspaced}])[\\p{L}\\p{N}\\p{M}_])+|\\n|[^\\S\\n]+|\\p{Extended_Pictographic}[\\u200d\\ufe0f\\p{Extended_Pictographic}\\p{EMod}]*|[^]`,
  'gu',
)

export function tokensOf(nodes: readonly InlineContent[], signatures: Signatures): Token[] {
  const tokens: Token[] = []
  for (const node of nodes) {
    if (node.object !== 'text') {
      tokens.push({
        text: textOf(node),
        marks: [],
        inline: node,
        face: `\u0000${signatureOf(node, signatures)}`,
        isWord: true,
      })
      continue
    }
    for (const { text, marks } of node.leaves)
      for (const part of text.match(word) ?? []) tokens.push({ text: part, marks, face: part, isWord: isWordly(part) })
  }
  return tokens
}

/** The tokens as nodes again, in the one form: no empty text, no two texts or equal leaves in a row. */
export function nodesOf(tokens: readonly Token[]): InlineContent[] {
  const nodes: InlineContent[] = []
  let leaves: Leaf[] = []
  const close = (): void => {
    if (leaves.length > 0) nodes.push({ object: 'text', leaves } satisfies Text)
    leaves = []
  }
  for (const { text, marks, inline } of tokens) {
    if (inline !== undefined) {
      close()
      nodes.push(inline)
      continue
    }
    const last = leaves.at(-1)
    if (last !== undefined && same(last.marks, marks)) last.text += text
    else leaves.push({ object: 'leaf', text, marks })
  }
  close()
  return nodes
}

export function sameTokens(a: readonly Token[], b: readonly Token[]): boolean {
  return a.length === b.length && a.every((token, at) => sameToken(token, b[at]))
}

export function sameToken(a: Token, b: Token | undefined): boolean {
  return b !== undefined && a.face === b.face && same(a.marks, b.marks)
}

export const hasWord = ({ isWord }: Token): boolean => isWord

function isWordly(part: string): boolean {
  const code = part.charCodeAt(0)
  // Plain letters and digits are most of what there is, and asking for their class costs more than all the rest.
  if (code < 128) return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57)
  return /[\p{L}\p{N}]/u.test(part)
}
