/** The JSON Schema of documents, as `/v1/openapi.json` publishes it, says what the rows say. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { documentSchemas } from '../../../src/core/document/json-schema.ts'
import { normalise } from '../../../src/core/document/tree/normalise.ts'
import { blockRows, inlineRows } from '../../../src/core/document/tree/schema.ts'
import { validateDocument } from '../../../src/core/document/tree/validate.ts'
import { document } from './arbitrary-blocks.ts'

const components = documentSchemas()
const ajv = new Ajv2020({ strict: false })
ajv.addSchema({ $id: 'root', components: { schemas: components } })
const isDocument = ajv.compile({ $ref: 'root#/components/schemas/JSONDocument' })

const block = (type: string, fields: object = {}): object => ({ object: 'block', type, data: {}, ...fields })
const inDocument = (...nodes: unknown[]): object => ({ object: 'document', data: { schemaVersion: 8 }, nodes })

describe('the published schema of documents', () => {
  test('has a component for every type of node', () => {
    const types = Object.values(components).flatMap(
      (schema) => JSON.stringify(schema).match(/"const":"([\w-]+)"/g) ?? [],
    )
    const named = new Set(types.map((found) => found.slice(9, -1)))
    const missing = [...Object.keys(blockRows), ...Object.keys(inlineRows)].filter((type) => !named.has(type))
    expect(missing).toEqual([])
  })

  test('takes every document that is stored: 400 of them', { timeout: 60_000 }, () => {
    fc.assert(
      fc.property(document(2), (tree) => {
        const stored: unknown = JSON.parse(JSON.stringify(normalise(tree)))
        if (!isDocument(stored)) throw new Error(ajv.errorsText(isDocument.errors).slice(0, 600))
      }),
      { numRuns: 400 },
    )
  })

  const refused: Readonly<Record<string, object>> = {
    'an unknown type': inDocument(block('marquee')),
    'a part at the top': inDocument(block('list-item', { nodes: [] })),
    'a value that is none of the enumeration': inDocument(block('hint', { data: { style: 'loud' }, nodes: [] })),
    'a missing field': inDocument(block('embed')),
    'a reference without its target': inDocument(block('content-ref', { data: { ref: { kind: 'page' } } })),
    'a reference of a kind that does not fit': inDocument(
      block('file', { data: { ref: { kind: 'user', user: 'u' } } }),
    ),
    'a view without columns': inDocument(
      block('table', { data: { view: { type: 'grid' }, records: {}, definition: {} } }),
    ),
    'a mark that is none': inDocument(
      block('paragraph', { nodes: [{ object: 'text', leaves: [{ text: '', marks: [{ type: 'blink' }] }] }] }),
    ),
  }
  for (const [name, value] of Object.entries(refused))
    test(`refuses what the service refuses: ${name}`, () => {
      expect([validateDocument(value).ok, isDocument(value)]).toEqual([false, false])
    })
})
