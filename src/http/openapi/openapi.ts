/** The OpenAPI 3.1 document, printed from the rows of the contract. */
import { z } from 'zod'
import { sections, sectionTitles } from '../../contract/index.ts'
import { honoursKeys, isRead, type Operation, paramsOf, successOf } from '../../contract/operation.ts'
import { documentFieldWords } from '../../contract/words/document-fields.ts'
import { fieldWords } from '../../contract/words/fields.ts'
import { moreFieldWords } from '../../contract/words/more-fields.ts'
import { documentSchemas } from '../../core/document/json-schema.ts'
import { type ErrorCode, sentenceOf, statusOf } from '../../core/errors.ts'
import { maxFiles } from '../api/multipart.ts'
import { exampleOf } from './examples.ts'

type Json = Record<string, unknown>

/** Codes every operation may answer with, beside those of its row. */
const everywhere: readonly ErrorCode[] = [
  'invalid_input',
  'unauthenticated',
  'forbidden',
  'sso_required',
  'not_found',
  'rate_limited',
  'overloaded',
]

/** Those that come with what a row does: taking a body, being repeated safely, writing over something. */
function codesOf(operation: Operation): ErrorCode[] {
  const { method, needs, fields } = operation
  const codes: ErrorCode[] = everywhere.filter((code) => needs !== 'anyone' || code !== 'unauthenticated')
  if (fields.body) codes.push('malformed_json')
  // Also where none is taken: what is sent all the same is read, and let go.
  if (method !== 'GET') codes.push('too_large', 'unsupported_media')
  if (honoursKeys(operation)) codes.push('idempotency_mismatch')
  if (!isRead(operation)) codes.push('precondition_failed')
  return [...codes, ...(fields.fails ?? [])]
}

/** The request headers that mean something to an operation. */
const headersOf = (row: Operation) => [
  ...(row.method === 'GET' ? [{ $ref: '#/components/parameters/IfNoneMatch' }] : []),
  ...(isRead(row) ? [] : [{ $ref: '#/components/parameters/IfMatch' }]),
  ...(honoursKeys(row) ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
]

const headerParameters = {
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'The ETag of an answer you hold: 304 when it is still the same.',
    schema: { type: 'string' },
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description: 'The ETag of the resource as you read it: 412 when it has changed since.',
    schema: { type: 'string' },
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description: 'A key of your own that makes the request safe to repeat: the first answer is given again.',
    schema: { type: 'string', maxLength: 255 },
  },
}

export function openApiDocument({ url, version }: { url: string; version: string }): Json {
  const components: Json = {}
  const paths: Record<string, Json> = {}
  const titles: Readonly<Record<string, string>> = sectionTitles
  const titled = Object.entries(sections).map(([section, rows]) => ({ title: titles[section] ?? section, rows }))
  for (const { title, rows } of titled) {
    for (const [name, row] of Object.entries(rows) as [string, Operation][]) {
      const path = row.path.replace(/^\/v1/, '')
      paths[path] ??= {}
      paths[path][row.method.toLowerCase()] = operationOf(name, row, title, components)
    }
  }
  const schemas: Json = { ...sorted({ ...components, ...documentSchemas() }), Error: errorSchema }
  describeFields({ paths, schemas })
  for (const path of Object.values(paths)) for (const operation of Object.values(path)) addExamples(operation, schemas)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Lectern',
      version,
      description: 'Documentation hosting: organizations, spaces, change requests and published sites.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: `${url}/v1` }],
    security: [{ token: [] }],
    tags: titled.map(({ title }) => ({ name: title, description: `${title}: all operations.` })),
    paths,
    components: {
      parameters: headerParameters,
      securitySchemes: { token: { type: 'http', scheme: 'bearer', description: 'An API token: `lct_…`.' } },
      schemas,
    },
  }
}

function operationOf(name: string, row: Operation, tag: string, components: Json): Json {
  const { query, body, upload, deprecated, summary } = row.fields
  const pathParams = paramsOf(row.path).map((param) => ({
    name: param,
    in: 'path',
    required: true,
    description: meaningOf(param),
    schema: { type: 'string' },
  }))
  const queryParams = Object.entries(query ?? {}).map(([param, type]) => {
    const schema = schemaOf(type as z.ZodType, 'input', components)
    const { description, ...rest } = schema
    const required = !(type as z.ZodType).safeParse(undefined).success
    return { name: param, in: 'query', required, description: description ?? wordsFor(param), schema: rest }
  })
  const parameters = [...pathParams, ...queryParams, ...headersOf(row)]
  return {
    operationId: name,
    tags: [tag],
    summary: summary ?? sentenceFrom(name),
    description: descriptionOf(row, summary ?? sentenceFrom(name)),
    ...(deprecated ? { deprecated: true } : {}),
    'x-permission': row.needs,
    ...(row.needs === 'anyone' ? { security: [] } : {}),
    parameters,
    ...(body
      ? {
          requestBody: {
            required: !body.safeParse(undefined).success,
            content: { 'application/json': { schema: schemaOf(body, 'input', components) } },
          },
        }
      : {}),
    ...(upload ? { requestBody: formBody } : {}),
    responses: responsesOf(row, components),
  }
}

const descriptionOf = ({ needs, fields }: Operation, summary: string): string =>
  [
    `${summary.replace(/\.$/, '')}.`,
    needs === 'anyone' ? 'Anyone may ask, without a token.' : `Whoever asks needs \`${needs}\`.`,
    ...(fields.stream ? ['The answer goes on until it is closed.'] : []),
  ].join(' ')

const wordsFor = (name: string): string | undefined =>
  fieldWords[name] ?? moreFieldWords[name] ?? documentFieldWords[name]

/** Gives every field that says nothing of itself the sentence for its name. */
function describeFields(value: unknown): void {
  if (Array.isArray(value)) for (const item of value) describeFields(item)
  if (!isJson(value)) return
  if (isJson(value.properties))
    for (const [name, field] of Object.entries(value.properties)) {
      const words = wordsFor(name)
      if (isJson(field) && field.description === undefined && words !== undefined) field.description = words
    }
  for (const [key, item] of Object.entries(value)) if (key !== 'examples' && key !== 'default') describeFields(item)
}

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/** An example for the body and for each success. */
function addExamples(operation: unknown, schemas: Json): void {
  if (!isJson(operation)) return
  const answers = isJson(operation.responses) ? Object.entries(operation.responses) : []
  for (const part of [
    operation.requestBody,
    ...answers.flatMap(([status, answer]) => (/^2/.test(status) ? [answer] : [])),
  ]) {
    if (!isJson(part) || !isJson(part.content)) continue
    for (const media of Object.values(part.content))
      if (isJson(media) && media.example === undefined) media.example = exampleOf(media.schema, schemas)
  }
}

/** Any part with a file name counts; `files` is the name that generated clients use. */
const formBody = {
  required: true,
  content: {
    'multipart/form-data': {
      schema: {
        type: 'object',
        required: ['files'],
        properties: {
          files: {
            type: 'array',
            minItems: 1,
            maxItems: maxFiles,
            items: { type: 'string', contentMediaType: 'application/octet-stream' },
          },
        },
      },
    },
  },
}

function responsesOf(row: Operation, components: Json): Json {
  const { status, shape } = successOf(row.fields)
  const responses: Record<string, Json> = {
    [status]: {
      description: status === 204 ? 'Done; there is nothing to say.' : status === 201 ? 'Created.' : 'Done.',
      ...(status === 201 ? { headers: { Location: { schema: { type: 'string', format: 'uri' } } } } : {}),
      ...(row.method === 'GET' && !row.fields.stream ? { headers: { ETag: { schema: { type: 'string' } } } } : {}),
      ...(shape
        ? {
            content: {
              [row.fields.stream ? 'text/event-stream' : 'application/json']: {
                schema: schemaOf(shape, 'output', components),
              },
            },
          }
        : {}),
    },
  }
  const { [status]: success } = responses
  if (row.fields.orCreated && success) responses['201'] = { ...success, description: 'Created.' }
  if (row.fields.reset) {
    responses['204'] = { description: 'There was nothing to delete.' }
    responses['205'] = { description: 'Deleted.' }
  }
  if (row.method === 'GET' && !row.fields.stream) responses['304'] = { description: 'The same as the answer you hold.' }
  for (const code of new Set(codesOf(row))) {
    const key = String(statusOf(code))
    const sentence = `\`${code}\`: ${sentenceOf(code)}`
    const known = responses[key]
    responses[key] = known
      ? { ...known, description: `${known.description} ${sentence}` }
      : { description: sentence, content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } }
  }
  return responses
}

/** A shape as JSON Schema; shapes with an id become components. */
function schemaOf(type: z.ZodType, io: 'input' | 'output', components: Json): Json {
  const { $schema: _, $defs, ...schema } = z.toJSONSchema(type, { io, unrepresentable: 'any' }) as Json
  for (const [id, definition] of Object.entries(($defs ?? {}) as Json)) components[id] ??= tidy(definition)
  return tidy(schema) as Json
}

/** Points references at the components, and leaves out what only says that the shape may grow. */
function tidy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(tidy)
  if (typeof value !== 'object' || value === null) return value
  const result: Json = {}
  for (const [key, item] of Object.entries(value)) {
    if (key === '$ref' && typeof item === 'string') result[key] = item.replace('#/$defs/', '#/components/schemas/')
    else if (key === 'additionalProperties' && item === false) continue
    else if (key === 'id' && typeof item === 'string') continue
    else result[key] = tidy(item)
  }
  // A tuple says `items: false`, which some readers take for an array without items; its length is bounded anyway.
  if (Array.isArray(result.prefixItems) && result.items === false) result.items = result.prefixItems[0]
  return result
}

const sorted = (object: Json): Json => Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)))

/** `listTeamsInOrganizationById` → "List teams in organization". */
const sentenceFrom = (name: string): string => {
  const words = name
    .replace(/ById$/, '')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .split(' ')
  const text = words.map((word) => (/^[A-Z]{2,}/.test(word) ? word : word.toLowerCase())).join(' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** `changeRequestId` → "The id of the change request." */
function meaningOf(param: string): string {
  const [, words = param, kind] = param.match(/^(.+?)(Id|Slug)?$/) ?? []
  const thing = words.replace(/([A-Z])/g, ' $1').toLowerCase()
  return kind === 'Id' ? `The id of the ${thing}.` : kind === 'Slug' ? `The slug of the ${thing}.` : `The ${thing}.`
}

const errorSchema: Json = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message', 'type'],
      properties: {
        code: { type: 'integer', description: 'The HTTP status.' },
        message: { type: 'string', description: 'What is wrong and what to do.' },
        type: { type: 'string', description: 'The kind of error, in one word.' },
        details: {
          type: 'array',
          items: {
            type: 'object',
            required: ['field', 'message'],
            properties: {
              field: { type: 'string' },
              message: { type: 'string' },
              conflict: {
                type: 'object',
                description: 'Of `edit_conflict`: the block or field, with what is stored and what was sent.',
                required: ['page', 'ours', 'theirs'],
                properties: {
                  page: { type: 'string' },
                  block: { type: 'string' },
                  field: { type: 'string' },
                  ours: {},
                  theirs: {},
                },
              },
            },
          },
        },
        requestId: { type: 'string' },
      },
    },
  },
}
