/** One style sheet serves readers and writers: what the editor draws has the elements and class names of the published page. */
import { describe, expect, test } from 'vitest'
import { blockDOM, markDOM } from '../../src/app/editor/document/dom.ts'
import { fromBlock } from '../../src/app/editor/document/from-document.ts'
import { schema } from '../../src/app/editor/document/schema.ts'
import { fromMarkdown } from '../../src/core/document/read/from-markdown.ts'
import { heading, list, listItem, paragraph, parentBlock, text, voidBlock } from '../../src/core/document/tree/make.ts'
import type { Block, Mark } from '../../src/core/document/tree/nodes.ts'

/** The outermost element of the editor's drawing, as a tag with its classes. */
function drawn(block: Block): string {
  const node = fromBlock(block)
  const spec = blockDOM(node.type.name, node)
  if (!Array.isArray(spec)) return ''
  const attributes = typeof spec[1] === 'object' && !Array.isArray(spec[1]) ? spec[1] : {}
  return `${spec[0]}${attributes.class ? `.${String(attributes.class).split(' ').join('.')}` : ''}`
}

const line = (words: string) => paragraph([text(words)])
const cases: readonly [Block, string][] = [
  [line('x'), 'p'],
  [paragraph([text('x')], { align: 'center' }), 'p.align-center'],
  [heading('heading-1', [text('x')]), 'div.heading.h2'],
  [heading('heading-3', [text('x')]), 'div.heading.h4'],
  [list('list-unordered', [listItem([line('x')])]), 'ul'],
  [list('list-ordered', [listItem([line('x')])]), 'ol'],
  [list('list-tasks', [listItem([line('x')], { checked: true })]), 'ul.tasks'],
  [voidBlock('divider', {}), 'hr'],
  [parentBlock('blockquote', {}, [line('x')]), 'blockquote'],
  [parentBlock('hint', { style: 'warning' as const }, [line('x')]), 'div.hint.warning'],
  [parentBlock('stepper', {}, [parentBlock('stepper-step', {}, [line('x')])]), 'ol.stepper'],
  [parentBlock('columns', { fullWidth: true }, [parentBlock('column', {}, [line('x')])]), 'div.columns.full'],
]

describe('what the editor draws', () => {
  for (const [block, outer] of cases) test(`${block.type} is ${outer}`, () => expect(drawn(block)).toBe(outer))

  test('marks have the elements of the page', () => {
    const tag = (type: Mark['type']): unknown => {
      const mark = schema.marks[`m_${type}`]?.create(
        type === 'color' ? { data: { text: 'red', background: '$primary' } } : null,
      )
      const spec = mark && markDOM(type, mark)
      return Array.isArray(spec) ? (type === 'color' ? spec[1] : spec[0]) : undefined
    }
    expect(
      ['bold', 'italic', 'code', 'keyboard', 'strikethrough', 'superscript', 'subscript'].map((type) =>
        tag(type as Mark['type']),
      ),
    ).toEqual(['strong', 'em', 'code', 'kbd', 's', 'sup', 'sub'])
    expect(tag('color')).toEqual({ class: 't-red b-primary' })
  })

  test('every block of a page can be drawn', () => {
    const { document } = fromMarkdown('# A\n\n{% hint style="info" %}\nB\n{% endhint %}\n\n| a |\n| - |\n| b |\n')
    for (const block of document.nodes) expect(drawn(block)).not.toBe('')
  })
})
