import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { validateDocument } from '../../../src/core/document/tree/validate.ts'
import { document } from './arbitrary-blocks.ts'

const block = (type: string, fields: object = {}): object => ({ object: 'block', type, data: {}, ...fields })
const inDocument = (...nodes: unknown[]): object => ({ object: 'document', data: { schemaVersion: 8 }, nodes })
const words = (content: unknown): object => ({ object: 'text', leaves: [{ object: 'leaf', text: content, marks: [] }] })

describe('a document is refused with the place and the reason', () => {
  const refused: Record<string, [value: unknown, message: string]> = {
    'no object': [null, 'The document must be an object.'],
    'another object': [{ object: 'page' }, 'object must be document.'],
    'no nodes': [{ object: 'document', data: {} }, 'nodes must be a list of nodes.'],
    'an unknown type': [inDocument(block('marquee')), 'nodes[0].type is not a type of block: marquee.'],
    'a type that every object has': [
      inDocument(block('constructor')),
      'nodes[0].type is not a type of block: constructor.',
    ],
    'a part at the top': [inDocument(block('list-item')), 'nodes[0] cannot be a list-item'],
    'an enumeration': [
      inDocument(block('paragraph'), block('hint', { data: { style: 'loud' }, nodes: [] })),
      'nodes[1].data.style must be one of info, warning, danger, success.',
    ],
    'a missing field': [inDocument(block('embed')), 'nodes[0].data.url is missing.'],
    'text that is none': [
      inDocument(block('paragraph', { nodes: [words(1)] })),
      'nodes[0].nodes[0].leaves[0].text must be a string.',
    ],
    'a mark that is none': [
      inDocument(
        block('paragraph', {
          nodes: [{ object: 'text', leaves: [{ object: 'leaf', text: '', marks: [{ type: 'blink' }] }] }],
        }),
      ),
      'nodes[0].nodes[0].leaves[0].marks[0].type must be one of bold',
    ],
    'a script': [
      inDocument(block('embed', { data: { url: ' javascript:alert(1)' } })),
      'nodes[0].data.url must be a URL without control characters and scripts.',
    ],
    'a reference of the wrong kind': [
      inDocument(block('images', { nodes: [block('image', { data: { ref: { kind: 'page', page: 'p' } } })] })),
      'nodes[0].nodes[0].data.ref.kind must be one of file, url.',
    ],
    'a button without a target': [
      inDocument(
        block('paragraph', { nodes: [{ object: 'inline', type: 'button', data: { label: 'a', kind: 'primary' } }] }),
      ),
      'nodes[0].nodes[0].data must have either a ref or an action.',
    ],
    'a prompt without code': [
      inDocument(block('prompt', { data: { description: '' }, nodes: [] })),
      'nodes[0].nodes must hold exactly one node.',
    ],
    'a view of no column': [
      inDocument(
        block('table', {
          data: { view: { type: 'grid', columns: ['x'], hideHeader: false }, records: {}, definition: {} },
        }),
      ),
      'nodes[0].data.view names the column x, which is not defined.',
    ],
    'a name that changes prototypes': [
      JSON.parse(
        '{"object":"document","data":{},"nodes":[{"object":"block","type":"integration","data":{"integration":"a","block":"b","props":{"__proto__":{"x":1}}}}]}',
      ),
      'nodes[0].data.props must not have the name __proto__.',
    ],
  }
  for (const [name, [value, message]] of Object.entries(refused))
    test(name, () => {
      const answer = validateDocument(value)
      expect(answer.ok ? 'accepted' : answer.problem.message).toContain(message)
    })

  test('too many nodes', () => {
    const answer = validateDocument(inDocument(block('divider'), block('divider')), { maxSize: 1 })
    expect(answer).toEqual({
      ok: false,
      problem: { path: 'nodes[1]', message: 'nodes[1] is one node too many for a document.' },
    })
  })

  test('nesting beyond the published schema, when asked', () => {
    const hint = inDocument(block('hint', { data: { style: 'info' }, nodes: [block('code', { nodes: [] })] }))
    expect(validateDocument(hint).ok).toBe(true)
    expect(validateDocument(hint, { nesting: 'listed' }).ok).toBe(false)
  })
})

describe('what is accepted', () => {
  test('is copied, completed and free of fields nobody named', () => {
    const given = inDocument({
      ...block('paragraph', { nodes: [words('a')] }),
      extra: 1,
      data: { align: 'center', color: 'red' },
    })
    const answer = validateDocument(given)
    expect(answer).toEqual({
      ok: true,
      document: {
        object: 'document',
        data: { schemaVersion: 8 },
        nodes: [
          {
            object: 'block',
            type: 'paragraph',
            isVoid: false,
            data: { align: 'center' },
            nodes: [words('a')],
          },
        ],
      },
    })
  })

  test('is accepted again, and is the same', () => {
    fc.assert(
      fc.property(document(2), (tree) => {
        const once = validateDocument(tree)
        if (!once.ok) throw new Error(once.problem.message)
        expect(validateDocument(once.document)).toEqual(once)
      }),
      { numRuns: 300 },
    )
  })

  test('no value makes it throw', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.object(), (json, other) => {
        for (const value of [json, other, inDocument(json), inDocument(block('table', { data: json }))])
          expect(typeof validateDocument(value).ok).toBe('boolean')
      }),
      { numRuns: 500 },
    )
  })
})
