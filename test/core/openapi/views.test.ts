/** What readers see of a spec, from its text to the view of a block, in each form that specs come in. */
import { expect, test } from 'vitest'
import { type SpecBlock, viewBlock } from '../../../src/core/openapi/block-view.ts'
import { problemsOf } from '../../../src/core/openapi/check.ts'
import { openSource } from '../../../src/core/openapi/collect.ts'
import type { OperationView } from '../../../src/core/openapi/operation-view.ts'
import { packSpec } from '../../../src/core/openapi/pack.ts'
import { printOperation } from '../../../src/core/openapi/print.ts'
import { readSpecText } from '../../../src/core/openapi/read.ts'
import type { SchemaView } from '../../../src/core/openapi/schema-view.ts'
import { upgrade } from '../../../src/core/openapi/upgrade.ts'

function open(text: string) {
  const { index, parts } = packSpec(upgrade(readSpecText(text)), (part) => Buffer.from(part))
  const bytes = Buffer.concat(parts)
  return openSource({ index, read: ([from, length]) => JSON.parse(bytes.toString('utf8', from, from + length)) })
}

const ref = { kind: 'openapi' as const, spec: 'pets' }

function viewOf(text: string, block: Pick<SpecBlock, 'type' | 'data'>) {
  return viewBlock(open(text), { object: 'block', isVoid: true, ...block } as SpecBlock, 1)
}

function operationIn(text: string, method: string, path: string): OperationView {
  const shown = viewOf(text, { type: 'openapi-operation', data: { method, path, ref } })
  if (shown?.kind !== 'operation') throw new Error('It shows no operation.')
  return shown.view
}

/** A schema in words: its type, and below it its fields or alternatives. */
function words({ type, fields, variants, items, rules, values, deprecated }: SchemaView): unknown {
  const about = [type, ...rules.map(({ name, value }) => `${name} ${value}`), ...(values ?? [])]
  if (deprecated) about.push('deprecated')
  if (fields)
    return Object.fromEntries(fields.map((one) => [`${one.name}${one.required ? '!' : ''}`, words(one.schema)]))
  if (variants) {
    const key = `${variants.kind}${variants.discriminator === undefined ? '' : ` by ${variants.discriminator}`}`
    return { [key]: Object.fromEntries(variants.options.map(({ label, schema }) => [label, words(schema)])) }
  }
  return items ? [words(items)] : about.join(', ')
}

const swagger = `
swagger: '2.0'
info: { title: Pets, version: '1' }
host: pets.example.org
basePath: /v1
schemes: [https]
consumes: [application/json]
securityDefinitions:
  key: { type: apiKey, in: header, name: X-Key }
  login: { type: oauth2, flow: accessCode, authorizationUrl: 'https://a.example', tokenUrl: 'https://t.example', scopes: { write: Write } }
security: [{ key: [] }]
parameters:
  limit: { name: limit, in: query, type: integer, maximum: 50 }
paths:
  /pets/{id}:
    parameters: [{ name: id, in: path, required: true, type: string }]
    put:
      deprecated: true
      security: [{ login: [write] }]
      parameters:
        - { $ref: '#/parameters/limit' }
        - { name: pet, in: body, required: true, schema: { $ref: '#/definitions/Pet' } }
      responses:
        '200': { description: Done, schema: { type: array, items: { $ref: '#/definitions/Pet' } }, headers: { X-Left: { type: integer } } }
    post:
      consumes: [multipart/form-data]
      parameters: [{ name: photo, in: formData, type: file, required: true }]
      responses: { '204': { description: Stored } }
definitions:
  Pet: { type: object, required: [name], properties: { name: { type: string, minLength: 1 }, kind: { type: string, enum: [cat, dog] } } }
`

test('Swagger 2.0: bodies, forms, shared parameters, servers and logins become those of today', () => {
  const put = operationIn(swagger, 'put', '/pets/{id}')
  expect(put).toMatchObject({ deprecated: true, servers: [{ url: 'https://pets.example.org/v1' }] })
  expect(put.auth).toMatchObject([[{ name: 'login', kind: 'oauth2', scopes: ['write'] }]])
  expect(put.parameters.map(({ name, in: place, required, schema }) => [name, place, required, words(schema)])).toEqual(
    [
      ['id', 'path', true, 'string'],
      ['limit', 'query', false, 'integer, maximum 50'],
    ],
  )
  const pet = { 'name!': 'string, minLength 1', kind: 'string, cat, dog' }
  expect(put.body?.required).toBe(true)
  expect(put.body?.contents.map(({ type, schema }) => [type, schema && words(schema)])).toEqual([
    ['application/json', pet],
  ])
  const [done] = put.responses
  expect(done?.headers.map(({ name, schema }) => [name, words(schema)])).toEqual([['X-Left', 'integer']])
  expect(done?.contents.map(({ schema }) => schema && [schema.type, words(schema)])).toEqual([['array of Pet', [pet]]])
  const post = operationIn(swagger, 'post', '/pets/{id}')
  expect(post.auth).toMatchObject([[{ kind: 'header', field: 'X-Key' }]])
  expect(post.body?.contents).toMatchObject([{ type: 'multipart/form-data' }])
  expect(post.body?.contents.map(({ schema }) => schema && words(schema))).toEqual([
    { 'photo!': 'string, format binary' },
  ])
})

const modern = (version: string) => `
openapi: ${version}
info: { title: Pets, version: '1' }
servers: [{ url: 'https://{region}.example.org/', variables: { region: { default: eu } } }]
components:
  securitySchemes: { basic: { type: http, scheme: basic }, token: { type: http, scheme: bearer } }
  schemas:
    Pet:
      oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }]
      discriminator: { propertyName: kind, mapping: { meows: '#/components/schemas/Cat' } }
    Named: { type: object, required: [name], properties: { name: { type: string } } }
    Cat: { allOf: [{ $ref: '#/components/schemas/Named' }, { properties: { lives: { type: integer, default: 9 } } }] }
    Dog: { type: object, properties: { tail: { anyOf: [{ type: string }, { type: number, minimum: 1 }] }, old: { type: string, deprecated: true } } }
    Node: { type: object, properties: { next: { $ref: '#/components/schemas/Node' } } }
paths:
  /pets:
    post:
      security: [{ basic: [] }, { token: [] }, {}]
      parameters: [{ name: dry, in: query, deprecated: true, schema: { type: boolean } }]
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Pet' } } } }
      responses: { '201': { description: Made, content: { application/json: { examples: { one: { summary: A cat, value: { name: Mia } } } } } } }
`

test.each(['3.0.3', '3.1.0'])('OpenAPI %s: alternatives, what is all of, deprecation and logins', (version) => {
  const view = operationIn(modern(version), 'post', '/pets')
  expect(view.servers).toEqual([{ url: 'https://eu.example.org' }])
  expect(view.auth.map((needed) => needed.map(({ kind }) => kind))).toEqual([['basic'], ['bearer'], []])
  expect(view.parameters).toMatchObject([{ name: 'dry', deprecated: true }])
  expect(view.body?.contents.map(({ schema }) => schema && words(schema))).toEqual([
    {
      'oneOf by kind': {
        meows: { 'name!': 'string', lives: 'integer, default 9' },
        Dog: {
          tail: { anyOf: { 'string 1': 'string', 'number 2': 'number, minimum 1' } },
          old: 'string, deprecated',
        },
      },
    },
  ])
  expect(view.responses[0]?.contents[0]?.examples).toMatchObject([{ name: 'A cat', syntax: 'json' }])
  expect(view.samples.map(({ label }) => label)).toEqual(['curl', 'JavaScript', 'Python'])
  const shown = viewOf(modern(version), { type: 'openapi-schemas', data: { schemas: ['Node', 'Named', 'None'], ref } })
  if (shown?.kind !== 'schemas') throw new Error('It shows no schemas.')
  expect(shown.schemas.map(({ name, view }) => [name, words(view)])).toEqual([
    ['Node', { next: { next: 'Node' } }],
    ['Named', { 'name!': 'string' }],
  ])
})

test('null is told in both of its forms', () => {
  const text = (version: string, name: string) =>
    `openapi: ${version}\ninfo: { title: T, version: '1' }\npaths: {}\ncomponents: { schemas: { A: { type: object, properties: { name: ${name} } } } }`
  for (const [version, name] of [
    ['3.0.3', '{ type: string, nullable: true }'],
    ['3.1.0', '{ type: [string, "null"] }'],
    ['3.1.0', '{ anyOf: [{ type: string }, { type: "null" }] }'],
  ] as const) {
    const shown = viewOf(text(version, name), { type: 'openapi-schemas', data: { schemas: ['A'], ref } })
    expect(shown?.kind === 'schemas' && words(shown.schemas[0]?.view as SchemaView), name).toEqual({
      name: 'string or null',
    })
  }
})

test('a webhook is shown like an operation that nobody can try', () => {
  const text = `openapi: 3.1.0\ninfo: { title: T, version: '1' }\nservers: [{ url: 'https://a.example' }]\nwebhooks: { newPet: { post: { summary: A pet came, requestBody: { content: { application/json: { schema: { type: object, properties: { id: { type: string } } } } } }, responses: { '200': { description: Taken } } } } }`
  const shown = viewOf(text, { type: 'openapi-webhook', data: { method: 'post', name: 'newPet', ref } })
  expect(shown).toMatchObject({ kind: 'operation', tryIt: false, view: { isWebhook: true, path: 'newPet' } })
})

test('what the API calls back is shown with what it sends and expects', () => {
  const text = `openapi: 3.0.3
info: { title: T, version: '1' }
paths:
  /hooks:
    post:
      responses: { '201': { description: Made } }
      callbacks:
        onEvent: { $ref: '#/components/callbacks/Event' }
        x-internal: { a: b }
        broken: nothing
components:
  callbacks:
    Event:
      '{$request.body#/url}':
        post:
          summary: Something happened
          requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Event' } } } }
          responses: { 2XX: { description: Taken } }
  schemas:
    Event: { type: object, required: [id], properties: { id: { type: string, description: Which one } } }
`
  const view = operationIn(text, 'post', '/hooks')
  expect(view.callbacks).toMatchObject([
    { name: 'onEvent', method: 'post', path: '{$request.body#/url}', summary: 'Something happened' },
  ])
  expect(words(view.callbacks[0]?.body?.contents[0]?.schema as SchemaView)).toEqual({ 'id!': 'string' })
  const printed = printOperation(view)
  expect(printed).toContain('### Callback: onEvent\n\n`POST {$request.body#/url}`: Something happened\n')
  expect(printed).toContain('* `id` string, required: Which one\n')
  expect(printed).toContain('**2XX** Taken\n')
})

test('OpenAPI 3.2: other methods, whole queries, what comes piece by piece', () => {
  const spec = `
openapi: 3.2.0
info: { title: Pets, version: '1' }
servers: [{ url: 'https://pets.example.org', name: Live }]
paths:
  /pets:
    query:
      operationId: findPets
      parameters:
        - { name: filter, in: querystring, required: true, content: { application/x-www-form-urlencoded: { schema: { type: object }, example: { kind: cat, old: true } } } }
      requestBody: { content: { application/json: { schema: { type: object, properties: { words: { type: string } } } } } }
      responses:
        '200':
          summary: Pets, one by one
          content: { application/jsonl: { itemSchema: { $ref: '#/components/schemas/Pet' } } }
    additionalOperations:
      LINK:
        operationId: linkPets
        responses: { '204': { description: Linked } }
      'rm -rf ~; #': { responses: {} }
      get: { responses: {} }
components:
  schemas:
    Pet: { type: object, properties: { name: { type: string } } }
`
  const found = operationIn(spec, 'query', '/pets')
  expect(found.servers).toEqual([{ url: 'https://pets.example.org', description: 'Live' }])
  expect(found.parameters).toMatchObject([{ name: 'filter', in: 'querystring', example: 'kind=cat&old=true' }])
  expect(found.responses[0]?.description).toBe('Pets, one by one')
  expect(words(found.responses[0]?.contents[0]?.schema as SchemaView)).toEqual([{ name: 'string' }])
  expect(found.samples[0]?.code).toMatch(/^curl -X QUERY 'https:\/\/pets\.example\.org\/pets\?kind=cat&old=true'/)
  expect(printOperation(found)).toContain('### Parameters: query\n\n* `filter`')
  expect(operationIn(spec, 'LINK', '/pets').id).toBe('linkPets')
  const { index } = packSpec(upgrade(readSpecText(spec)), (part) => Buffer.from(part))
  expect(index.operations.map(({ method }) => method)).toEqual(['query', 'link'])
  expect(problemsOf(readSpecText(spec.replace(/LINK:\n.*\n.*\n/, 'LINK: 3\n')))).toEqual([
    '/paths/~1pets/additionalOperations/LINK is not an object.',
  ])
})
