/** What the Markdown of other writers becomes in a book. */
import { expect, test } from 'vitest'
import { atOnce, bookBlocks } from '../../../src/core/book/from-document.ts'
import type { BookRefs } from '../../../src/core/book/inlines.ts'
import { fromMarkdown } from '../../../src/core/document/read/from-markdown.ts'

const refs: BookRefs = {
  targetOf: (ref) => (ref.kind === 'url' ? { url: ref.url } : undefined),
  nameOf: () => 'its name',
  imageOf: () => undefined,
  labelOf: () => undefined,
}
const bookOf = (markdown: string) => atOnce(bookBlocks(fromMarkdown(markdown).document, { refs, level: 1 }))

test('a footnote is set by the book, once', () => {
  const [paragraph] = bookOf('Words[^1].\n\n[^1]: A note.')
  expect(paragraph).toMatchObject({
    content: [{ text: 'Words' }, { kind: 'note', content: [], words: [{ text: 'A note.' }, {}] }, { text: '.' }],
  })
})

test('diagrams are their source, and outside pages have the names that writers gave them', () => {
  const blocks = bookOf(
    '```mermaid\ngraph LR\n```\n\n{% @mermaid/diagram content="graph TD" %}\n\n{% embed url="https://example.com" %}\nA film\n{% endembed %}\n\n{% content-ref url="https://example.com/a" %}\n[A page](https://example.com/a)\n{% endcontent-ref %}\n\n<!-- hidden -->',
  )
  expect(blocks).toMatchObject([
    { kind: 'code', text: 'graph LR' },
    { kind: 'code', text: 'graph TD' },
    { kind: 'reference', title: 'A film' },
    { kind: 'reference', title: 'A page' },
  ])
})

test('an icon leaves no space behind', () => {
  expect(bookOf('<i class="fa-rocket">:rocket:</i> **Install** it')).toMatchObject([
    { kind: 'paragraph', content: [{ text: 'Install', bold: true }, { text: ' it' }] },
  ])
})
