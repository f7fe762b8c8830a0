/**
 * A spec in parts that are read one by one: an index, every operation, webhook and schema, and all that anything refers to. A
 * page that shows one operation of a large spec reads as much of it as it shows.
 */
import { operationsIn } from './check.ts'
import {
  atPointer,
  flagAt,
  isObject,
  type Json,
  type JsonObject,
  objectAt,
  objectsAt,
  own,
  refsIn,
  textAt,
} from './json.ts'

/** Where a part lies: the first byte and how many. */
export type Span = readonly [from: number, length: number]

export interface IndexedOperation {
  method: string
  path: string
  id?: string
  summary?: string
  tags: string[]
  deprecated?: true
  span: Span
}

export interface IndexedWebhook {
  method: string
  name: string
  summary?: string
  deprecated?: true
  span: Span
}

export interface SpecIndex {
  title: string
  version: string
  description?: string
  servers: JsonObject[]
  security: Json[]
  securitySchemes: JsonObject
  /** `x-hideTryItPanel` at the top. */
  hidesTry?: true
  tags: { name: string; title?: string; description?: string }[]
  operations: IndexedOperation[]
  webhooks: IndexedWebhook[]
  schemas: string[]
  /** By reference: `#/components/schemas/Pet`. */
  refs: Record<string, Span>
}

export interface Pack {
  index: SpecIndex
  /** What the spans of the index count in. */
  parts: Uint8Array[]
}

/** How much larger than the document its parts may be, where references name parts of parts. */
const mostBytes = 32 * 1024 * 1024

export function packSpec(root: JsonObject, encode: (text: string) => Uint8Array): Pack {
  const parts: Uint8Array[] = []
  let length = 0
  const add = (value: Json): Span => {
    const bytes = encode(JSON.stringify(value))
    parts.push(bytes)
    const span: Span = [length, bytes.length]
    length += bytes.length
    return span
  }
  const operations = operationsOf(root).map(({ value, ...about }) => ({ ...about, span: add(value) }))
  const webhooks = webhooksOf(root).map(({ value, ...about }) => ({ ...about, span: add(value) }))
  const schemas = Object.keys(objectAt(objectAt(root, 'components'), 'schemas'))
  const refs: [string, Span][] = []
  for (const ref of new Set([...schemas.map(schemaRef), ...refsIn(root)])) {
    const found = atPointer(root, ref)
    if (found !== undefined && length < mostBytes) refs.push([ref, add(found)])
  }
  return { index: { ...aboutOf(root), operations, webhooks, schemas, refs: Object.fromEntries(refs) }, parts }
}

export const schemaRef = (name: string): string =>
  `#/components/schemas/${encodeURI(name.replaceAll('~', '~0').replaceAll('/', '~1')).replaceAll('#', '%23')}`

function aboutOf(root: JsonObject): Omit<SpecIndex, 'operations' | 'webhooks' | 'schemas' | 'refs'> {
  const info = objectAt(root, 'info')
  const description = textAt(info, 'description')
  const security = own(root, 'security')
  return {
    title: textAt(info, 'title') ?? '',
    version: textAt(info, 'version') ?? '',
    ...(description === undefined ? {} : { description }),
    servers: objectsAt(root, 'servers').slice(0, 50),
    security: Array.isArray(security) ? security : [],
    securitySchemes: objectAt(objectAt(root, 'components'), 'securitySchemes'),
    ...(flagAt(root, 'x-hideTryItPanel') || flagAt(info, 'x-hideTryItPanel') ? { hidesTry: true as const } : {}),
    tags: objectsAt(root, 'tags').flatMap((tag) => {
      const name = textAt(tag, 'name')
      const title = textAt(tag, 'x-displayName') ?? textAt(tag, 'x-page-title') ?? textAt(tag, 'summary')
      const about = textAt(tag, 'description')
      if (name === undefined) return []
      return [
        { name, ...(title === undefined ? {} : { title }), ...(about === undefined ? {} : { description: about }) },
      ]
    }),
  }
}

interface Found {
  method: string
  summary?: string
  deprecated?: true
  value: JsonObject
}

function operationsOf(root: JsonObject): (Found & { path: string; id?: string; tags: string[] })[] {
  return Object.entries(objectAt(root, 'paths')).flatMap(([path, item]) =>
    methodsOf(root, item).map((found) => {
      const id = textAt(found.value, 'operationId')
      const tags = own(found.value, 'tags')
      return {
        ...found,
        path,
        ...(id === undefined ? {} : { id }),
        tags: Array.isArray(tags) ? tags.filter((tag) => typeof tag === 'string') : [],
      }
    }),
  )
}

const webhooksOf = (root: JsonObject): (Found & { name: string })[] =>
  Object.entries({ ...objectAt(root, 'x-webhooks'), ...objectAt(root, 'webhooks') }).flatMap(([name, item]) =>
    methodsOf(root, item).map((found) => ({ ...found, name })),
  )

/** The operations of a path, each with what the path says for all of them. */
function methodsOf(root: JsonObject, given: Json): Found[] {
  const ref = textAt(given, '$ref')
  const item = ref === undefined ? given : atPointer(root, ref)
  if (!isObject(item)) return []
  const shared = objectsAt(item, 'parameters')
  return operationsIn(item).map(({ method, operation }) => {
    const summary = textAt(operation, 'summary')
    const parameters = objectsAt(operation, 'parameters')
    const keyOf = (parameter: JsonObject) =>
      textAt(parameter, '$ref') ?? `${textAt(parameter, 'in')} ${textAt(parameter, 'name')}`
    const named = new Set(parameters.map(keyOf))
    const servers = own(operation, 'servers') ?? own(item, 'servers')
    return {
      method,
      ...(summary === undefined ? {} : { summary }),
      ...(flagAt(operation, 'deprecated') ? { deprecated: true as const } : {}),
      value: {
        ...operation,
        parameters: [...shared.filter((parameter) => !named.has(keyOf(parameter))), ...parameters],
        ...(servers === undefined ? {} : { servers }),
      },
    }
  })
}
