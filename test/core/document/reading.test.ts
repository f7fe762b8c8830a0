/**
 * What is read off a document: its references, its plain text, its sections and anchors.
 */
import { describe, expect, test } from 'vitest'
import { fromMarkdown } from '../../../src/core/document/read/from-markdown.ts'
import { slugOf } from '../../../src/core/document/text/anchors.ts'
import { sections } from '../../../src/core/document/text/sections.ts'
import { toText } from '../../../src/core/document/text/to-text.ts'
import { toMarkdown } from '../../../src/core/document/to-markdown.ts'
import { assignKeys } from '../../../src/core/document/tree/keys.ts'
import type { ContentRef } from '../../../src/core/document/tree/nodes.ts'
import { collectRefs, mapRefs, parseRef, printRef } from '../../../src/core/document/tree/refs.ts'

describe('references', () => {
  const spelt: Record<string, ContentRef> = {
    '/pages/p': { kind: 'page', page: 'p' },
    '/spaces/s/pages/p': { kind: 'page', page: 'p', space: 's' },
    '/pages/p#a': { kind: 'anchor', anchor: 'a', page: 'p' },
    '#a': { kind: 'anchor', anchor: 'a' },
    '/files/f': { kind: 'file', file: 'f' },
    '/reusable-content/r': { kind: 'reusable-content', reusableContent: 'r' },
    '/users/u': { kind: 'user', user: 'u' },
    '/collections/c': { kind: 'collection', collection: 'c' },
    '/spaces/s': { kind: 'space', space: 's' },
    '/tags/t': { kind: 'tag', tag: 't' },
    '/openapi/o': { kind: 'openapi', spec: 'o' },
    'page.md': { kind: 'url', url: 'page.md' },
    'mailto:a@b.co': { kind: 'url', url: 'mailto:a@b.co' },
    '/pages/p/q': { kind: 'url', url: '/pages/p/q' },
    '': { kind: 'url', url: '' },
  }
  for (const [target, ref] of Object.entries(spelt))
    test(`${target} is ${JSON.stringify(ref)}`, () => {
      expect(parseRef(target)).toEqual(ref)
      expect(printRef(ref)).toBe(target)
    })

  const page =
    '[a](/pages/p1) ![b](/files/f1)\n\n<table><thead><tr><th data-type="files">F</th><th data-type="content-ref">C</th></tr></thead><tbody><tr><td><a href="/files/f2">x</a></td><td><a href="/pages/p2">y</a></td></tr></tbody></table>\n\n{% content-ref url="/pages/p3" %}\n{% endcontent-ref %}'

  test('are found wherever they are, with the key of their node', () => {
    const found = collectRefs(assignKeys(fromMarkdown(page).document))
    expect(found.map(({ ref }) => printRef(ref))).toEqual([
      '/pages/p1',
      '/files/f1',
      '/files/f2',
      '/pages/p2',
      '/pages/p3',
    ])
    expect(found.every(({ nodeKey }) => typeof nodeKey === 'string')).toBe(true)
  })

  test('are replaced wherever they are, and never by a kind that does not belong', () => {
    const moved = mapRefs(fromMarkdown(page).document, (ref) =>
      ref.kind === 'page' ? { ...ref, page: `${ref.page}x` } : { kind: 'space', space: 's' },
    )
    expect(collectRefs(moved).map(({ ref }) => printRef(ref))).toEqual([
      '/pages/p1x',
      '/files/f1',
      '/files/f2',
      '/pages/p2x',
      '/pages/p3x',
    ])
  })

  test('are resolved and printed by the caller', () => {
    const { document } = fromMarkdown('[a](one.md) [gone](none.md) ![i](i.png)', {
      resolveRef: (target, kind) => {
        if (target === 'none.md') return null
        return kind === 'image' ? { kind: 'file', file: target } : { kind: 'page', page: target }
      },
    })
    expect(collectRefs(document).map(({ ref }) => ref)).toEqual([
      { kind: 'page', page: 'one.md' },
      { kind: 'file', file: 'i.png' },
    ])
    const printed = toMarkdown(document, {
      printRef: (ref) => (ref.kind === 'page' ? `../${ref.page}` : printRef(ref)),
    })
    expect(printed).toBe('[a](../one.md) gone ![i](/files/i.png)\n')
  })
})

describe('text', () => {
  test('is what a reader sees', () => {
    const { document } = fromMarkdown(
      'A **bold** word, :tada:, $$x$$.\n\n* one\n* two\n\n| a | b |\n| - | - |\n| c | d |\n\n<details>\n\n<summary>Title</summary>\n\nBody\n\n</details>',
    )
    expect(toText(document)).toBe('A bold word, 🎉, x.\n\none\ntwo\n\na\tb\nc\td\n\nTitle\nBody')
  })

  test('is cut at the headings', () => {
    const { document } = fromMarkdown(
      'Before.\n\n## One\n\nFirst.\n\n### Two <a href="#given" id="given"></a>\n\n## One\n\nLast\n\nline.',
    )
    expect(sections(document)).toEqual([
      { id: '', title: '', body: 'Before.', level: 0 },
      { id: 'one', title: 'One', body: 'First.', level: 1 },
      { id: 'given', title: 'Two', body: '', level: 2 },
      { id: 'one-1', title: 'One', body: 'Last\nline.', level: 1 },
    ])
  })

  test('slugs keep letters of every script', () => {
    expect(['Über uns!', 'C++ & Co.', '日本語 ガイド', '  ', 'a.b'].map(slugOf)).toEqual([
      'uber-uns',
      'c++-co',
      '日本語-ガイド',
      'section',
      'a.b',
    ])
  })
})

describe('front matter', () => {
  test('keeps what it does not know, and prints it back', () => {
    const markdown = '---\ndescription: A page\nauthor: Someone\n---\n\n# Title\n\nWords\n'
    const read = fromMarkdown(markdown)
    expect(read).toMatchObject({ title: 'Title', frontMatter: { description: 'A page', other: { author: 'Someone' } } })
    expect(toMarkdown(read.document, read)).toBe(markdown)
  })

  test('that is no YAML map is part of the page', () => {
    for (const markdown of ['---\n- a\n---\n\nb', '---\n{{{\n---\n\nb', '---\n\n---\nb'])
      expect(toText(fromMarkdown(markdown).document)).toContain('b')
  })
})

describe('what other writers spell in their own way', () => {
  const spelt: Readonly<Record<string, readonly [written: string, printed: string]>> = {
    'options behind the language of a fence': [
      '```mermaid fullWidth="true" title=\'a b\' lineNumbers=true {4,7}\nx\n```',
      '{% code title="a b" lineNumbers="true" fullWidth="true" %}\n```mermaid\nx\n```\n{% endcode %}\n',
    ],
    'the place of what is in a column': [
      '{% columns %}\n{% column valign="middle" %}\na\n{% endcolumn %}\n{% endcolumns %}\n',
      '{% columns %}\n{% column valign="middle" %}\na\n{% endcolumn %}\n{% endcolumns %}\n',
    ],
    'cards without the titles of their columns': [
      '<table data-column-title-hidden data-view="cards"><thead><tr><th>a</th></tr></thead><tbody></tbody></table>',
      '<table data-view="cards" data-column-title-hidden><thead><tr><th>a</th></tr></thead><tbody></tbody></table>\n',
    ],
    'a table that is not to be searched': [
      '<table data-search="false" data-header-hidden><thead><tr><th>a</th></tr></thead><tbody></tbody></table>',
      '<table data-header-hidden><thead><tr><th>a</th></tr></thead><tbody></tbody></table>\n',
    ],
    'a file whose name is one word': [
      '<table><thead><tr><th data-type="files">F</th></tr></thead><tbody><tr><td><a href="LICENSE">x</a></td></tr></tbody></table>',
      '<table><thead><tr><th data-type="files">F</th></tr></thead><tbody><tr><td><a href="./LICENSE">./LICENSE</a></td></tr></tbody></table>\n',
    ],
    'a film': ['See <video src="a.mp4" controls></video>.', 'See [a.mp4](a.mp4).\n'],
    'marks in the head of a table': ['| **a** |\n| --- |\n| `b` |', '| a   |\n| --- |\n| `b` |\n'],
  }
  for (const [name, [written, printed]] of Object.entries(spelt))
    test(name, () => {
      expect(toMarkdown(fromMarkdown(written).document)).toBe(printed)
      expect(toMarkdown(fromMarkdown(printed).document)).toBe(printed)
    })
})

test('choices of a column that stand as options in its head keep their colours', () => {
  const option = (value: string, label: string, color: string) =>
    `<option value="${value}" label="${label}" color="${color}"></option>`
  const head = `<th data-type="select">State<select>${option('a1', 'Done', 'blue')}${option('b1', 'Open', 'red')}</select></th>`
  const row = '<tr><td><span data-option="b1">Open</span></td></tr>'
  const { document } = fromMarkdown(`<table><thead><tr>${head}</tr></thead><tbody>${row}</tbody></table>\n`)
  const [table] = document.nodes
  if (table?.type !== 'table') throw new Error('It is a table.')
  const [column] = Object.values(table.data.definition)
  expect(column).toMatchObject({
    title: 'State',
    type: 'select',
    options: [
      { value: 'a1', label: 'Done', color: 'blue' },
      { value: 'b1', label: 'Open', color: 'red' },
    ],
  })
})
