/** How elements of HTML mark their words. */
import type { Mark } from '../tree/nodes.ts'

export const elementMarks: Readonly<Record<string, Exclude<Mark['type'], 'color'>>> = {
  b: 'bold',
  strong: 'bold',
  i: 'italic',
  em: 'italic',
  s: 'strikethrough',
  del: 'strikethrough',
  strike: 'strikethrough',
  code: 'code',
  tt: 'code',
  samp: 'code',
  kbd: 'keyboard',
  sup: 'superscript',
  sub: 'subscript',
}
