/** Tags and containers that nobody ended: what they hold keeps its place, and nothing of them is shown as text. */
import { expect, test } from 'vitest'
import { fromMarkdown } from '../../../src/core/document/read/from-markdown.ts'
import { toText } from '../../../src/core/document/text/to-text.ts'
import { toMarkdown } from '../../../src/core/document/to-markdown.ts'

const kinds = (markdown: string): string[] =>
  fromMarkdown(markdown).document.nodes.map((node) =>
    'nodes' in node
      ? `${node.type}(${node.nodes.map((inner) => ('type' in inner ? inner.type : 'text')).join(' ')})`
      : node.type,
  )

test.each([
  [
    'a hint ends before the next heading',
    'A.\n\n{% hint style="info" %}\nB.\n\n## C\n\nD.',
    ['hint(paragraph)', 'A.\n\nB.\n\nC\n\nD.'],
  ],
  [
    'so does a container of colons',
    'A.\n\n:::note Title\n\nB.\n\n## C\n\nD.',
    ['hint(paragraph paragraph)', 'A.\n\nTitle\n\nB.\n\nC\n\nD.'],
  ],
  [
    'a set of tabs ends with the page',
    '{% tabs %}\n{% tab title="T" %}\nA.\n\n## B\n\nC.',
    ['tabs(tabs-item)', 'T\n\nA.\n\nB\n\nC.'],
  ],
  [
    'a condition holds for the rest',
    '{% if visitor.claims.beta %}\nA.\n\n## B\n\nC.',
    ['if(paragraph heading-1 paragraph)', ''],
  ],
  [
    'in a list it ends with its item',
    '- A\n\n  :::tip\n  B.\n\n- C\n\nD.',
    ['list-unordered(list-item list-item)', 'A\n\nB.\n\nC\n\nD.'],
  ],
  ['an end alone shows nothing', 'A.\n\n{% endhint %}\n\nB.\n\n:::\n\nC.', ['paragraph(text)', 'A.\n\nB.\n\nC.']],
])('%s', (_name, markdown, [kind = '', words = '']) => {
  const { document } = fromMarkdown(markdown)
  expect(kinds(markdown)).toContain(kind)
  if (words !== '') expect(toText(document).replace(/\s+/g, ' ')).toBe(words.replace(/\s+/g, ' '))
  expect(JSON.stringify(document)).not.toMatch(/:::|\{%/)
  expect(fromMarkdown(toMarkdown(document)).document).toEqual(document)
})
