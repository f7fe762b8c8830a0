import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fromMarkdown } from '../../../src/core/document/read/from-markdown.ts'
import { textOf } from '../../../src/core/document/text/to-text.ts'
import { toMarkdown } from '../../../src/core/document/to-markdown.ts'
import { hashText } from '../../../src/core/document/tree/hash.ts'
import { assignKeys } from '../../../src/core/document/tree/keys.ts'
import { makeDocument, paragraph } from '../../../src/core/document/tree/make.ts'
import type { Block, JSONDocument, Leaf, Mark, Node } from '../../../src/core/document/tree/nodes.ts'
import { walk } from '../../../src/core/document/tree/walk.ts'
import { document } from './arbitrary-blocks.ts'

const read = (markdown: string, previous?: JSONDocument): JSONDocument =>
  assignKeys(fromMarkdown(markdown).document, previous)
const keysOf = (tree: JSONDocument): string[] => {
  const keys: string[] = []
  walk(tree, (node) => {
    if (node.object !== 'text') keys.push(node.key ?? 'none')
  })
  return keys
}
const keyOf = (tree: JSONDocument, words: string): string | undefined => {
  const found: Node | undefined = tree.nodes.find((node) => textOf(node).includes(words))
  return found?.key
}

describe('keys', () => {
  // Processes of two builds that run beside each other name what both insert by the same key.
  for (const [text, hash] of [
    ['', '5lxlhqyd'],
    ['paragraph', 'nrof69zz'],
    ['Grüße an alle', '49ssge7n'],
    ['a'.repeat(500), '3j6fzje5'],
    ['n4', '09fzi98q'],
    ['n24', '0afee7ro'],
  ] as const)
    test(`are made as they were: ${JSON.stringify(text.slice(0, 20))}`, () => {
      expect(hashText(text)).toBe(hash)
    })

  test('are there, are unique, and depend on the document alone', () => {
    fc.assert(
      fc.property(document(1), (tree) => {
        const keyed = assignKeys(tree)
        const keys = keysOf(keyed)
        expect(keys).not.toContain('none')
        expect(new Set(keys).size).toBe(keys.length)
        expect(keysOf(assignKeys(tree))).toEqual(keys)
        expect(keysOf(assignKeys(keyed))).toEqual(keys)
      }),
      { numRuns: 300 },
    )
  })

  test('survive the way through Markdown', () => {
    fc.assert(
      fc.property(document(1), (tree) => {
        const keyed = assignKeys(fromMarkdown(toMarkdown(tree)).document)
        expect(keysOf(read(toMarkdown(keyed), keyed))).toEqual(keysOf(keyed))
      }),
      { numRuns: 300 },
    )
  })

  test('a key that two nodes have stays with the first', () => {
    const [first, second] = assignKeys({
      object: 'document',
      data: {},
      nodes: ['a', 'b'].map((words) => ({
        object: 'block',
        type: 'paragraph',
        key: 'same',
        isVoid: false,
        data: {},
        nodes: [{ object: 'text', leaves: [{ object: 'leaf', text: words, marks: [] }] }],
      })),
    }).nodes
    expect(first?.key).toBe('same')
    expect(second?.key).not.toBe('same')
  })

  test('what a text says, where a leaf ends and how it is marked are part of a key', () => {
    const leaf = (text: string, marks: Mark[] = []): Leaf => ({ object: 'leaf', text, marks })
    const bold: Mark = { object: 'mark', type: 'bold' }
    const ways = [
      [leaf('ab')],
      [leaf('ab', [bold])],
      [leaf('a'), leaf('b')],
      [leaf('a', [bold]), leaf('b')],
      [leaf('a'), leaf('b', [bold])],
      [leaf('a'), leaf(JSON.stringify([bold])), leaf('b')],
    ]
    const nodes = ways.map((leaves): Block => ({ ...paragraph(), nodes: [{ object: 'text', leaves }] }))
    const keys = keysOf(assignKeys(makeDocument(nodes)))
    expect(new Set(keys.map((key) => key.slice(0, 8))).size).toBe(ways.length)
  })

  test('equal nodes have different keys', () => {
    const keys = keysOf(read('again\n\nagain\n\nagain'))
    expect(new Set(keys).size).toBe(3)
  })
})

describe('after an edit', () => {
  const before = read('First paragraph here.\n\nThe second one, of some length.\n\n* item one\n* item two\n\nThe last.')

  test('a block that did not change keeps its key wherever it went', () => {
    const after = read('New at the top.\n\nThe last.\n\nFirst paragraph here.', before)
    expect(keyOf(after, 'First')).toBe(keyOf(before, 'First'))
    expect(keyOf(after, 'last')).toBe(keyOf(before, 'last'))
  })

  test('a block whose words changed a little keeps its key', () => {
    const after = read(
      'First paragraph here.\n\nAn addition.\n\nThe second one, of a greater length.\n\nThe last.',
      before,
    )
    expect(keyOf(after, 'second')).toBe(keyOf(before, 'second'))
    expect(keyOf(after, 'addition')).not.toBe(keyOf(before, 'second'))
  })

  test('a heading whose level changed keeps its key', () => {
    const old = read('## A title\n\nwords')
    expect(keyOf(read('### A title\n\nwords', old), 'A title')).toBe(keyOf(old, 'A title'))
  })

  test('rows and columns of a table keep their names', () => {
    const table = '| Name | Count |\n| --- | --- |\n| a | 1 |\n| b | 2 |\n'
    const [old] = read(table).nodes
    if (old?.type !== 'table') throw new Error('The first block is the table.')
    const { view, definition } = old.data
    const named: JSONDocument = {
      ...read(''),
      nodes: [
        {
          ...old,
          data: {
            view: { ...view, columns: ['name', 'count'] },
            definition: {
              name: { id: 'name', title: 'Name', type: 'text', textAlignment: 'left' },
              count: { id: 'count', title: 'Count', type: 'text', textAlignment: 'left' },
            },
            records: {
              ra: { orderIndex: '1', values: { name: 'row-1/column-1', count: 'row-1/column-2' } },
              rb: { orderIndex: '2', values: { name: 'row-2/column-1', count: 'row-2/column-2' } },
            },
          },
        },
      ],
    }
    expect(Object.keys(definition)).toEqual(['column-1', 'column-2'])
    const [after] = read('| Name | Count |\n| --- | --- |\n| new | 0 |\n| b | 2 |\n| a | 1 |\n', named).nodes
    if (after?.type !== 'table') throw new Error('The first block is the table.')
    expect(Object.keys(after.data.definition)).toEqual(['name', 'count'])
    expect(Object.keys(after.data.records)).toEqual(['row-1', 'rb', 'ra'])
  })
})
