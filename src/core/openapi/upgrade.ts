/** Swagger 2.0 as OpenAPI 3.0, so that everything after it knows one form only. */
import { isMethod } from './check.ts'
import {
  atPointer,
  flagAt,
  isObject,
  type Json,
  type JsonObject,
  listAt,
  mapRefs,
  objectAt,
  objectsAt,
  own,
  textAt,
} from './json.ts'

export function upgrade(root: JsonObject): JsonObject {
  if (own(root, 'swagger') === undefined) return root
  const swagger = new Swagger(root)
  const document: JsonObject = {
    openapi: '3.0.3',
    info: objectAt(root, 'info'),
    ...pick(root, ['tags', 'security', 'externalDocs', 'x-files']),
    servers: serversOf(root),
    paths: swagger.paths(),
    components: {
      schemas: objectAt(root, 'definitions'),
      responses: mapValues(objectAt(root, 'responses'), (response) => swagger.response(response, root)),
      parameters: swagger.sharedParameters(),
      securitySchemes: mapValues(objectAt(root, 'securityDefinitions'), securityScheme),
    },
  }
  return mapRefs(document, movedRef) as JsonObject
}

const movedRef = (ref: string): string =>
  ref
    .replace(/^#\/definitions\//, '#/components/schemas/')
    .replace(/^#\/responses\//, '#/components/responses/')
    .replace(/^#\/parameters\//, '#/components/parameters/')

class Swagger {
  readonly #root: JsonObject

  constructor(root: JsonObject) {
    this.#root = root
  }

  paths(): JsonObject {
    return mapValues(objectAt(this.#root, 'paths'), (item) =>
      Object.fromEntries(
        Object.entries(item)
          .filter(([key]) => key !== 'parameters')
          .map(([key, value]) => [
            key,
            isMethod(key) && isObject(value) ? this.#operation(value, objectsAt(item, 'parameters')) : value,
          ]),
      ),
    )
  }

  #operation(operation: JsonObject, shared: readonly JsonObject[]): JsonObject {
    const all = [...shared, ...objectsAt(operation, 'parameters')].map((given) => ({
      given,
      parameter: this.#at(given),
    }))
    const inBody = all.flatMap(({ parameter }) => (isInBody(parameter) ? [parameter] : []))
    const others = all.filter(({ parameter }) => !isInBody(parameter))
    const { consumes: _, produces: __, schemes: ___, ...rest } = operation
    return {
      ...rest,
      parameters: others.map(({ given, parameter }) => (own(given, '$ref') === undefined ? plain(parameter) : given)),
      ...(inBody.length === 0 ? {} : { requestBody: this.#body(operation, inBody) }),
      responses: mapValues(objectAt(operation, 'responses'), (response) => this.response(response, operation)),
    }
  }

  #at(parameter: JsonObject): JsonObject {
    const ref = textAt(parameter, '$ref')
    const found = ref === undefined ? parameter : atPointer(this.#root, ref)
    return isObject(found) ? found : parameter
  }

  #body(operation: JsonObject, parameters: readonly JsonObject[]): JsonObject {
    const [whole] = parameters.filter((parameter) => own(parameter, 'in') === 'body')
    const types = this.#types(operation, 'consumes')
    if (whole) {
      const schema = own(whole, 'schema') ?? {}
      return {
        ...pick(whole, ['description', 'required']),
        content: Object.fromEntries(types.map((type) => [type, { schema }])),
      }
    }
    const schema: JsonObject = {
      type: 'object',
      properties: Object.fromEntries(
        parameters.map((parameter) => [textAt(parameter, 'name') ?? '', fieldOf(parameter)] as const),
      ),
      required: parameters.flatMap((parameter) =>
        flagAt(parameter, 'required') ? [textAt(parameter, 'name') ?? ''] : [],
      ),
    }
    const hasFile = parameters.some((parameter) => own(parameter, 'type') === 'file')
    const forms = types.filter((type) => /form/.test(type))
    const usual = hasFile ? 'multipart/form-data' : 'application/x-www-form-urlencoded'
    return { content: Object.fromEntries((forms.length > 0 ? forms : [usual]).map((type) => [type, { schema }])) }
  }

  response(response: JsonObject, operation: JsonObject): JsonObject {
    const { schema, examples, headers, ...rest } = response
    if (own(rest, '$ref') !== undefined) return rest
    const types =
      isObject(examples) && Object.keys(examples).length > 0
        ? Object.keys(examples)
        : this.#types(operation, 'produces')
    const bodies = types.map((type): [string, JsonObject] => {
      const example = own(examples, type)
      return [type, { ...(schema === undefined ? {} : { schema }), ...(example === undefined ? {} : { example }) }]
    })
    return {
      ...rest,
      ...(isObject(headers) ? { headers: mapValues(headers, (header) => plain(header)) } : {}),
      ...(schema === undefined && examples === undefined ? {} : { content: Object.fromEntries(bodies) }),
    }
  }

  #types(operation: JsonObject, key: 'consumes' | 'produces'): string[] {
    const listed = [listAt(operation, key), listAt(this.#root, key)].find((list) => list.length > 0) ?? []
    const types = listed.filter((type) => typeof type === 'string')
    return types.length > 0 ? types : ['application/json']
  }

  /** Those that are parameters in the newer form too; the others have become bodies where they are used. */
  sharedParameters(): JsonObject {
    const others = Object.entries(objectAt(this.#root, 'parameters')).flatMap(([name, parameter]) =>
      isObject(parameter) && !isInBody(parameter) ? [[name, plain(parameter)] as const] : [],
    )
    return Object.fromEntries(others)
  }
}

const isInBody = (parameter: JsonObject): boolean => ['body', 'formData'].includes(textAt(parameter, 'in') ?? '')

const outside = new Set(['name', 'in', 'description', 'required', 'allowEmptyValue', 'schema', 'deprecated'])

/** What a parameter says of its value goes into a schema of its own. */
function plain(parameter: JsonObject): JsonObject {
  const entries = Object.entries(parameter)
  const isAside = (key: string) => outside.has(key) || key.startsWith('x-')
  const format = textAt(parameter, 'collectionFormat')
  return {
    ...Object.fromEntries(entries.filter(([key]) => isAside(key))),
    schema: Object.fromEntries(entries.filter(([key]) => !isAside(key) && key !== 'collectionFormat')),
    ...(format === undefined ? {} : { explode: format === 'multi' }),
  }
}

function fieldOf(parameter: JsonObject): JsonObject {
  const { schema, description } = plain(parameter)
  const isFile = own(parameter, 'type') === 'file'
  return {
    ...(isObject(schema) ? schema : {}),
    ...(isFile ? { type: 'string', format: 'binary' } : {}),
    ...(description === undefined ? {} : { description }),
  }
}

function serversOf(root: JsonObject): Json[] {
  const host = textAt(root, 'host')
  const path = textAt(root, 'basePath') ?? ''
  if (host === undefined) return path === '' || path === '/' ? [] : [{ url: path }]
  const schemes = listAt(root, 'schemes').filter((scheme) => typeof scheme === 'string')
  return (schemes.length > 0 ? schemes : ['https']).map((scheme) => ({
    url: `${scheme}://${host}${path.replace(/\/$/, '')}`,
  }))
}

function securityScheme(scheme: JsonObject): JsonObject {
  const about = pick(scheme, ['description'])
  if (own(scheme, 'type') === 'basic') return { type: 'http', scheme: 'basic', ...about }
  if (own(scheme, 'type') !== 'oauth2') return scheme
  const names: Record<string, string> = {
    implicit: 'implicit',
    password: 'password',
    application: 'clientCredentials',
    accessCode: 'authorizationCode',
  }
  const flow = names[textAt(scheme, 'flow') ?? ''] ?? 'implicit'
  return {
    type: 'oauth2',
    ...about,
    flows: { [flow]: { ...pick(scheme, ['authorizationUrl', 'tokenUrl']), scopes: objectAt(scheme, 'scopes') } },
  }
}

const pick = (value: JsonObject, keys: readonly string[]): JsonObject =>
  Object.fromEntries(
    keys.flatMap((key) => {
      const found = own(value, key)
      return found === undefined ? [] : [[key, found] as const]
    }),
  )

const mapValues = (value: JsonObject, change: (item: JsonObject) => JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(value).map(([key, item]) => [key, isObject(item) ? change(item) : item]))
