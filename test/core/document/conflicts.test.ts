import { expect, test } from 'vitest'
import { fromMarkdown } from '../../../src/core/document/from-markdown.ts'
import { toMarkdown } from '../../../src/core/document/to-markdown.ts'
import { validateDocument } from '../../../src/core/document/validate.ts'
import { conflictsIn } from '../../../src/core/merge/conflicts.ts'

const markdown = `Before.

{% conflict id="c1" side="ours" %}
The colour is blue.
{% endconflict %}

{% conflict id="c1" side="theirs" %}
* The colour
* is red
{% endconflict %}

After.
`

test('marks of a merge print, are read, and pass validation', () => {
  const { document } = fromMarkdown(markdown)
  expect(conflictsIn(document)).toMatchObject([
    { id: 'c1', kind: 'edit', ours: [{ type: 'paragraph' }], theirs: [{ type: 'list-unordered' }] },
  ])
  expect(toMarkdown(document)).toBe(markdown)
  const checked = validateDocument(JSON.parse(JSON.stringify(document)))
  expect(checked.ok && conflictsIn(checked.document)).toHaveLength(1)
})

test('what is no mark is text, or dropped', () => {
  expect(conflictsIn(fromMarkdown('{% conflict side="mine" %}\nx\n{% endconflict %}').document)).toEqual([])
  const node = { object: 'block', type: 'divider', data: { conflict: { id: '"><', side: 'ours' } } }
  const checked = validateDocument({ object: 'document', data: {}, nodes: [node] })
  expect(checked.ok && checked.document.nodes[0]?.data).toEqual({})
})
