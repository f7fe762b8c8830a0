/** Plain words as a line of inline content, and back: titles, descriptions and labels are protected like any line. */
import type { InlineContent } from '../document/tree/nodes.ts'

export const lineOf = (text: string): InlineContent[] =>
  text === '' ? [] : [{ object: 'text', leaves: [{ object: 'leaf', text, marks: [] }] }]

export const wordsOf = (nodes: readonly InlineContent[]): string =>
  nodes.map((node) => (node.object === 'text' ? node.leaves.map(({ text }) => text).join('') : '')).join('')

/** How many words an engine is asked for; in scripts without spaces every two signs count as one. */
export function countWords(markup: string): number {
  const text = markup.replace(/<[^>]*>/g, ' ')
  const signs = text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu)?.length ?? 0
  const words =
    text.match(
      /(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}])[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu,
    )?.length ?? 0
  return words + Math.ceil(signs / 2)
}
