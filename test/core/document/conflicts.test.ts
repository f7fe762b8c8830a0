import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fromMarkdown } from '../../../src/core/document/read/from-markdown.ts'
import { toMarkdown } from '../../../src/core/document/to-markdown.ts'
import type { JSONDocument } from '../../../src/core/document/tree/nodes.ts'
import { validateDocument } from '../../../src/core/document/tree/validate.ts'
import { conflictsIn } from '../../../src/core/merge/conflicts.ts'
import { mergeDocuments } from '../../../src/core/merge/documents.ts'
import { makeTriple, recipes } from '../merge/generate.ts'

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

const parts = `* One

* {% conflict id="i1" side="ours" of="item" %}
  Two, as ours has it.

  With more.
  {% endconflict %}

* {% conflict id="i1" side="theirs" of="item" %}
  {% endconflict %}

1. {% conflict id="i2" side="theirs" %}
   A marked paragraph in an item.
   {% endconflict %}

* [x]

  {% conflict id="i3" side="ours" of="item" %}
  A task.
  {% endconflict %}

{% tabs %}
{% tab title="A" conflict="t1" side="ours" %}
First.
{% endtab %}

{% tab title="B" conflict="t1" side="theirs" %}
Second.
{% endtab %}
{% endtabs %}

{% stepper %}
{% step conflict="s1" side="theirs" %}
Do it.
{% endstep %}
{% endstepper %}

{% columns %}
{% column width="50%" conflict="c1" side="ours" %}
Left.
{% endcolumn %}
{% endcolumns %}

{% updates format="full" %}
{% update date="2026-01-02" conflict="u1" side="ours" %}
News.
{% endupdate %}
{% endupdates %}
`

test('marks on items, tabs, steps, columns and updates print and are read', () => {
  const { document } = fromMarkdown(parts)
  const found = conflictsIn(document).map(({ id, ours, theirs }) => [
    id,
    ours.map(({ type }) => type),
    theirs.map(({ type }) => type),
  ])
  expect(found).toEqual([
    ['i1', ['list-item'], ['list-item']],
    ['i2', [], ['paragraph']],
    ['i3', ['list-item'], []],
    ['t1', ['tabs-item'], ['tabs-item']],
    ['s1', [], ['stepper-step']],
    ['c1', ['column'], []],
    ['u1', ['update'], []],
  ])
  expect(toMarkdown(document)).toBe(parts)
  expect(fromMarkdown(toMarkdown(document)).document).toEqual(document)
})

test('whatever a merge marks survives Markdown', () => {
  fc.assert(
    fc.property(recipes, (recipe) => {
      const { document, conflicts } = mergeDocuments(makeTriple({ ...recipe, hasKeys: true }))
      const read = fromMarkdown(toMarkdown(document)).document
      const marksIn = (whole: JSONDocument) => conflictsIn(whole).map(({ id, kind }) => `${id} ${kind}`)
      expect(marksIn(read)).toEqual(marksIn(document))
      expect(conflicts.length).toBe(marksIn(read).length)
    }),
    { numRuns: 1500 },
  )
}, 120_000)
