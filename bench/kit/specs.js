// Specs as large and as strange as people have them, by name: the same every time.
export const madeSpecs = () => [
  ['large', JSON.stringify(specOf({ operations: 10_100, fields: 60 }))],
  ['thousand', JSON.stringify(specOf({ operations: 1000, fields: 8 }))],
  ['recursive', JSON.stringify(specOf({ operations: 50, more: recursive(400) }))],
  ['webhooks', JSON.stringify({ ...specOf({ operations: 100 }), webhooks: webhooks(200) })],
  ['swagger', JSON.stringify(swagger(300))],
  ['alternatives', JSON.stringify(specOf({ operations: 50, more: alternatives(300) }))],
  ['inherited', JSON.stringify(specOf({ operations: 50, more: inherited(300) }))],
  ['wide', JSON.stringify(specOf({ operations: 20, fields: 200 }))],
  ['tags', JSON.stringify(specOf({ operations: 600, tags: 300 }))],
  ['old', JSON.stringify({ ...specOf({ operations: 400 }), openapi: '3.0.3' })],
]

const times = (count, make) => Object.fromEntries(Array.from({ length: count }, (_, index) => make(index)))
const ref = (name) => ({ $ref: `#/components/schemas/${name}` })

function specOf({ operations, fields = 10, tags = 20, more = {} }) {
  return {
    openapi: '3.1.0',
    info: { title: 'Made', version: '1', description: 'A spec of *many* things.' },
    servers: [{ url: 'https://api.example.org/v1' }],
    paths: times(operations, (index) => [
      `/things-${index}/{id}`,
      {
        get: {
          operationId: `getThing${index}`,
          tags: [`Tag ${index % tags}`],
          summary: `Get thing ${index}`,
          description: 'Reads **one** thing, with `all` that it holds.',
          parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
          responses: {
            200: { description: 'It', content: { 'application/json': { schema: ref(`Thing${index % 200}`) } } },
          },
        },
      },
    ]),
    components: {
      schemas: {
        ...times(200, (index) => [
          `Thing${index}`,
          {
            type: 'object',
            properties: {
              ...times(fields, (field) => [
                `field_${field}`,
                {
                  type: 'string',
                  description: `What field ${field} of thing ${index} is for, in a sentence of words.`,
                },
              ]),
              next: ref(`Thing${(index + 1) % 200}`),
            },
          },
        ]),
        ...more,
      },
    },
  }
}

const recursive = (count) =>
  times(count, (index) => [
    `Node${index}`,
    {
      type: 'object',
      properties: {
        self: ref(`Node${index}`),
        all: { type: 'array', items: ref(`Node${(index * 7) % count}`) },
        deep: nested(60, ref(`Node${(index + 1) % count}`)),
      },
    },
  ])

const nested = (depth, inner) =>
  depth === 0 ? inner : { type: 'object', properties: { below: nested(depth - 1, inner) } }

const webhooks = (count) =>
  times(count, (index) => [
    `event${index}`,
    {
      post: {
        summary: `Event ${index}`,
        requestBody: { content: { 'application/json': { schema: ref(`Thing${index % 200}`) } } },
        responses: { 200: { description: 'Taken' } },
      },
    },
  ])

const alternatives = (count) =>
  times(count, (index) => [
    `Choice${index}`,
    { oneOf: Array.from({ length: 20 }, (_, option) => ref(`Thing${(index + option) % 200}`)) },
  ])

const inherited = (count) =>
  times(count, (index) => [
    `Heir${index}`,
    { allOf: [ref(index === 0 ? 'Thing0' : `Heir${index - 1}`), { properties: { own: { type: 'string' } } }] },
  ])

const swagger = (count) => ({
  swagger: '2.0',
  info: { title: 'Older', version: '1' },
  host: 'api.example.org',
  paths: times(count, (index) => [
    `/old-${index}`,
    { get: { responses: { 200: { description: 'It', schema: { $ref: '#/definitions/Old' } } } } },
  ]),
  definitions: { Old: { type: 'object', properties: { next: { $ref: '#/definitions/Old' } } } },
})
