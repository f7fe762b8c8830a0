/** Schemas that are short to write and endless to follow: what is shown of them is bounded, and so is what is read for it. */
import { expect, test } from 'vitest'
import { type BlockSource, type SpecBlock, viewBlock } from '../../../src/core/openapi/block-view.ts'
import type { Json, JsonObject } from '../../../src/core/openapi/json.ts'

const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` })
const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i))
/** L0 made of many L1, each made of many L2, and so on. */
const levels = (count: number, make: (below: JsonObject) => Json): Record<string, Json> =>
  Object.fromEntries(times(count, (level) => [`L${level}`, make(ref(`L${level + 1}`))]))

const endless: Record<string, Record<string, Json>> = {
  'a list of itself': { L0: { type: 'array', items: ref('L0') } },
  'lists of lists': levels(20_000, (below) => ({ type: 'array', items: below })),
  'fields of fields': levels(12, (below) => ({
    type: 'object',
    properties: Object.fromEntries(times(60, (index) => [`f${index}`, below])),
  })),
  'alternatives of alternatives': levels(12, (below) => ({ oneOf: times(50, () => below) })),
  'all of all of': levels(12, (below) => ({ allOf: times(50, () => below) })),
  'alternatives of itself': { L0: { anyOf: times(50, () => ref('L0')) } },
  'any other field is itself': { L0: { type: 'object', additionalProperties: ref('L0') } },
}

const block: SpecBlock = {
  object: 'block',
  type: 'openapi-operation',
  isVoid: true,
  data: { method: 'post', path: '/things', ref: { kind: 'openapi', spec: 'things' } },
}

test.each(Object.entries(endless))('%s ends', (_name, schemas) => {
  let reads = 0
  const content = { 'application/json': { schema: ref('L0') } }
  const source: BlockSource = {
    title: 'Things',
    version: '1',
    servers: [],
    security: [],
    securitySchemes: {},
    operation: () => ({ requestBody: { content }, responses: { '200': { description: 'Done', content } } }),
    webhook: () => undefined,
    schema: () => undefined,
    readRef: (asked) => {
      reads += 1
      // Without a bound this would go on for longer than the universe: an error tells it sooner.
      if (reads > 200_000) throw new Error('It does not end.')
      return schemas[asked.slice(asked.lastIndexOf('/') + 1)]
    },
  }
  const shown = viewBlock(source, block, 1)
  expect(shown?.kind).toBe('operation')
  expect(JSON.stringify(shown).length).toBeLessThan(2_000_000)
})
