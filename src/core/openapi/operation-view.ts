/** An operation or a webhook as readers see it, with every reference followed. */
import { cutTo } from '../text.ts'
import { operationsIn } from './check.ts'
import { exampleOf } from './example.ts'
import { flagAt, isObject, type Json, type JsonObject, listAt, objectAt, objectsAt, own, textAt } from './json.ts'
import { followRef, type SpecSource } from './part.ts'
import { type CodeSample, samplesOf } from './samples.ts'
import { type SchemaBudget, type SchemaView, viewSchema } from './schema-view.ts'

const locations = ['path', 'query', 'querystring', 'header', 'cookie'] as const

export interface ParameterView {
  name: string
  /** `querystring` is all that stands behind the question mark, in one. */
  in: (typeof locations)[number]
  required: boolean
  deprecated?: true
  description?: string
  schema: SchemaView
  example?: string
}

/** Where parameters stand in a request, in the order in which they are shown. */
export const shownLocations = ['path', 'query', 'header', 'cookie'] as const

/** A query that is told as a whole stands with those told by parts. */
export const parametersAt = (
  { parameters }: Pick<OperationView, 'parameters'>,
  location: (typeof shownLocations)[number],
): ParameterView[] =>
  parameters.filter((one) => one.in === location || (location === 'query' && one.in === 'querystring'))

export interface ContentView {
  type: string
  schema?: SchemaView
  examples: { name: string; text: string; syntax: string }[]
}

export interface ResponseView {
  status: string
  description?: string
  headers: ParameterView[]
  contents: ContentView[]
}

export interface AuthView {
  name: string
  kind: 'bearer' | 'basic' | 'header' | 'query' | 'cookie' | 'oauth2' | 'other'
  /** The header, parameter or cookie that carries it. */
  field?: string
  description?: string
  scopes: string[]
}

/** What the API asks of whoever called it, later: its address stands in what was sent. */
export interface CallbackView {
  name: string
  method: string
  /** An expression such as `{$request.body#/url}`. */
  path: string
  summary?: string
  description?: string
  body?: OperationView['body']
  responses: ResponseView[]
}

export interface OperationView {
  method: string
  /** A path, or the name of a webhook. */
  path: string
  isWebhook: boolean
  id?: string
  summary?: string
  description?: string
  deprecated?: true
  servers: { url: string; description?: string }[]
  /** Alternatives; all of one are needed together. An empty one says that nothing is needed. */
  auth: AuthView[][]
  parameters: ParameterView[]
  body?: { description?: string; required: boolean; contents: ContentView[] }
  responses: ResponseView[]
  callbacks: CallbackView[]
  samples: CodeSample[]
}

/** More of one kind would be a page that nobody reads to its end. */
const most = { servers: 20, parameters: 300, responses: 60, contents: 20, headers: 60, callbacks: 20 } as const

export function viewOperation(
  source: SpecSource,
  operation: JsonObject,
  at: { method: string; path: string; isWebhook: boolean },
  budget: SchemaBudget,
): OperationView {
  const description = textAt(operation, 'description')
  const summary = textAt(operation, 'summary')
  const id = textAt(operation, 'operationId')
  const body = bodyOf(source, operation, budget)
  const view: Omit<OperationView, 'samples'> = {
    ...at,
    method: at.method.toLowerCase(),
    ...(id === undefined ? {} : { id }),
    ...(summary === undefined ? {} : { summary }),
    ...(description === undefined ? {} : { description }),
    ...(flagAt(operation, 'deprecated') ? { deprecated: true as const } : {}),
    servers: serversOf(source, operation),
    auth: authOf(source, operation),
    parameters: objectsAt(operation, 'parameters')
      .slice(0, most.parameters)
      .flatMap((given) => parameterOf(source, given, budget) ?? []),
    ...(body === undefined ? {} : { body }),
    responses: responsesOf(source, operation, budget),
    callbacks: callbacksOf(source, operation, budget),
  }
  return { ...view, samples: samplesOf(view, operation) }
}

function parameterOf(
  source: SpecSource,
  given: Json,
  budget: SchemaBudget,
  header?: string,
): ParameterView | undefined {
  const { value } = followRef(source, given)
  if (!isObject(value)) return undefined
  const name = header ?? textAt(value, 'name')
  const named = header === undefined ? textAt(value, 'in') : 'header'
  const location = locations.find((one) => one === named)
  if (name === undefined || location === undefined) return undefined
  const [content] = Object.values(objectAt(value, 'content'))
  const schema = own(value, 'schema') ?? own(content, 'schema')
  const description = textAt(value, 'description')
  const example =
    exampleIn(source, value) ?? exampleIn(source, content) ?? own(followRef(source, schema).value, 'example')
  return {
    name,
    in: location,
    required: flagAt(value, 'required'),
    ...(flagAt(value, 'deprecated') ? { deprecated: true as const } : {}),
    ...(description === undefined ? {} : { description }),
    schema: viewSchema(source, schema, budget),
    ...(example === undefined ? {} : { example: location === 'querystring' ? queryOf(example) : textOf(example) }),
  }
}

const textOf = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value))

const queryOf = (value: Json): string =>
  isObject(value)
    ? Object.entries(value)
        .map(([name, one]) => `${encodeURIComponent(name)}=${encodeURIComponent(textOf(one))}`)
        .join('&')
    : textOf(value)

/** The one example, or the first of those with names. */
function exampleIn(source: SpecSource, value: Json | undefined): Json | undefined {
  const [first] = Object.values(objectAt(value, 'examples'))
  return own(value, 'example') ?? (first === undefined ? undefined : shownIn(followRef(source, first).value))
}

/** What an example shows: a value, or (3.2) the data, or what is sent as it is. */
const shownIn = (example: Json | undefined): Json | undefined =>
  own(example, 'value') ?? own(example, 'dataValue') ?? own(example, 'serializedValue')

function bodyOf(source: SpecSource, operation: JsonObject, budget: SchemaBudget): OperationView['body'] {
  const { value } = followRef(source, own(operation, 'requestBody'))
  if (!isObject(value)) return undefined
  const description = textAt(value, 'description')
  return {
    ...(description === undefined ? {} : { description }),
    required: flagAt(value, 'required'),
    contents: contentsOf(source, value, 'request', budget),
  }
}

function responsesOf(source: SpecSource, operation: JsonObject, budget: SchemaBudget): ResponseView[] {
  const responses = Object.entries(objectAt(operation, 'responses')).slice(0, most.responses)
  return responses.flatMap(([status, given]) => {
    const { value } = followRef(source, given)
    if (!isObject(value) || status.startsWith('x-')) return []
    const description = textAt(value, 'description') ?? textAt(value, 'summary')
    const headers = Object.entries(objectAt(value, 'headers'))
      .slice(0, most.headers)
      .flatMap(([name, header]) => parameterOf(source, header, budget, name) ?? [])
    return [
      {
        status,
        ...(description ? { description } : {}),
        headers,
        contents: contentsOf(source, value, 'response', budget),
      },
    ]
  })
}

function callbacksOf(source: SpecSource, operation: JsonObject, budget: SchemaBudget): CallbackView[] {
  const found = Object.entries(objectAt(operation, 'callbacks')).flatMap(([name, given]) => {
    const { value } = followRef(source, given)
    if (!isObject(value)) return []
    return Object.entries(value).flatMap(([path, item]) => {
      if (path.startsWith('x-')) return []
      const { value: operations } = followRef(source, item)
      return operationsIn(operations).map(({ method, operation }) => ({ name, method, path, called: operation }))
    })
  })
  return found.slice(0, most.callbacks).map(({ called, ...at }) => {
    const summary = textAt(called, 'summary')
    const description = textAt(called, 'description')
    const body = bodyOf(source, called, budget)
    return {
      ...at,
      ...(summary === undefined ? {} : { summary }),
      ...(description === undefined ? {} : { description }),
      ...(body === undefined ? {} : { body }),
      responses: responsesOf(source, called, budget),
    }
  })
}

function contentsOf(
  source: SpecSource,
  value: JsonObject,
  direction: 'request' | 'response',
  budget: SchemaBudget,
): ContentView[] {
  const contents = Object.entries(objectAt(value, 'content')).slice(0, most.contents)
  return contents.map(([type, content]) => {
    const schema = schemaIn(content)
    return {
      type,
      ...(schema === undefined ? {} : { schema: viewSchema(source, schema, budget) }),
      examples: examplesOf(source, content, type, direction),
    }
  })
}

/** Of what comes piece by piece, such as events, each has one form (3.2). */
function schemaIn(content: Json): Json | undefined {
  const items = own(content, 'itemSchema')
  return own(content, 'schema') ?? (items === undefined ? undefined : { type: 'array', items })
}

const longestExample = 20_000

function examplesOf(
  source: SpecSource,
  content: Json,
  type: string,
  direction: 'request' | 'response',
): ContentView['examples'] {
  const named = Object.entries(objectAt(content, 'examples')).flatMap(([name, given]) => {
    const { value } = followRef(source, given)
    const found = shownIn(value)
    return found === undefined ? [] : [{ name: textAt(value, 'summary') ?? name, value: found }]
  })
  const single = own(content, 'example')
  const schema = schemaIn(content)
  const made =
    single !== undefined
      ? [{ name: '', value: single }]
      : schema === undefined || /octet-stream|^image\//.test(type)
        ? []
        : [{ name: '', value: exampleOf(source, schema, direction) }]
  return (named.length > 0 ? named : made).slice(0, 10).map(({ name, value }) => {
    const isText = typeof value === 'string' && !/json/.test(type)
    const text = isText ? value : JSON.stringify(value, null, 2)
    return { name, text: cutTo(text, longestExample), syntax: isText ? syntaxOf(type) : 'json' }
  })
}

const syntaxOf = (type: string): string =>
  /xml/.test(type) ? 'xml' : /html/.test(type) ? 'html' : /yaml/.test(type) ? 'yaml' : ''

function serversOf(source: SpecSource, operation: JsonObject): OperationView['servers'] {
  const given = objectsAt(operation, 'servers')
  return (given.length > 0 ? given : source.servers).slice(0, most.servers).map((server) => {
    const description = textAt(server, 'description') ?? textAt(server, 'name')
    const variables = objectAt(server, 'variables')
    const url = (textAt(server, 'url') ?? '').replace(
      /\{([^{}]*)\}/g,
      (whole, name: string) => textAt(own(variables, name), 'default') ?? whole,
    )
    return { url: url.replace(/\/$/, ''), ...(description === undefined ? {} : { description }) }
  })
}

function authOf(source: SpecSource, operation: JsonObject): AuthView[][] {
  const own = Object.hasOwn(operation, 'security') ? listAt(operation, 'security') : source.security
  return own
    .filter(isObject)
    .slice(0, 10)
    .map((requirement) =>
      Object.entries(requirement).map(([name, scopes]) =>
        schemeOf(source, name, Array.isArray(scopes) ? scopes.filter((one) => typeof one === 'string') : []),
      ),
    )
}

function schemeOf(source: SpecSource, name: string, scopes: string[]): AuthView {
  const { value } = followRef(source, own(source.securitySchemes, name))
  const description = textAt(value, 'description')
  const about = { name, ...(description === undefined ? {} : { description }), scopes }
  const type = textAt(value, 'type')
  if (type === 'http')
    return {
      ...about,
      kind: textAt(value, 'scheme')?.toLowerCase() === 'basic' ? 'basic' : 'bearer',
      field: 'Authorization',
    }
  if (type === 'oauth2' || type === 'openIdConnect') return { ...about, kind: 'oauth2', field: 'Authorization' }
  const location = textAt(value, 'in')
  if (type === 'apiKey' && (location === 'header' || location === 'query' || location === 'cookie'))
    return { ...about, kind: location, field: textAt(value, 'name') ?? name }
  return { ...about, kind: 'other' }
}
