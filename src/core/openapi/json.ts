/** Values of a spec, which come from outside: what they are is asked before they are used. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject
export interface JsonObject {
  readonly [key: string]: Json
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isList = (value: unknown): value is readonly Json[] => Array.isArray(value)

/** The object behind a key of its own; an empty one when there is none. */
export const objectAt = (value: Json | undefined, key: string): JsonObject => {
  const found = own(value, key)
  return isObject(found) ? found : {}
}
export const listAt = (value: Json | undefined, key: string): readonly Json[] => {
  const found = own(value, key)
  return isList(found) ? found : []
}
export const objectsAt = (value: Json | undefined, key: string): JsonObject[] => listAt(value, key).filter(isObject)

export const textAt = (value: Json | undefined, key: string): string | undefined => {
  const found = own(value, key)
  return typeof found === 'string' ? found : typeof found === 'number' ? String(found) : undefined
}
export const flagAt = (value: Json | undefined, key: string): boolean => own(value, key) === true

/** Names like `constructor` are names like others: only what the document itself says counts. */
export const own = (value: Json | undefined, key: string): Json | undefined =>
  isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined

/** Keys that name the children of an object; below them stand names that the author chose. */
const namedMaps = new Set([
  'properties',
  'patternProperties',
  'definitions',
  '$defs',
  'dependentSchemas',
  'schemas',
  'responses',
  'parameters',
  'examples',
  'requestBodies',
  'headers',
  'securitySchemes',
  'securityDefinitions',
  'links',
  'callbacks',
  'pathItems',
  'paths',
  'webhooks',
  'content',
  'encoding',
  'variables',
])
/** Keys behind which anything may stand, also what looks like a reference and is none. */
const anything = new Set(['example', 'default', 'enum', 'const', 'value'])

/** What others have added for their own tools may refer to whatever they like. */
const isExtension = (key: string): boolean => key.startsWith('x-') && key !== 'x-files' && key !== 'x-webhooks'

/** A copy in which each reference is what `change` makes of it; examples and defaults are left as they are. */
export function mapRefs(value: Json, change: (ref: string) => string, areNames = false): Json {
  if (isList(value)) return value.map((item) => mapRefs(item, change))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]): [string, Json] => {
      if (areNames) return [key, mapRefs(item, change)]
      if (key === '$ref' && typeof item === 'string') return [key, change(item)]
      if (anything.has(key) || isExtension(key)) return [key, item]
      return [key, mapRefs(item, change, namedMaps.has(key) && isObject(item))]
    }),
  )
}

/** Every reference in a value. */
export function refsIn(value: Json, found = new Set<string>()): Set<string> {
  mapRefs(value, (ref) => {
    found.add(ref)
    return ref
  })
  return found
}

/** What `#/a/b` names in a document. */
export function atPointer(root: Json, ref: string): Json | undefined {
  if (ref === '#' || ref === '#/') return root
  if (!ref.startsWith('#/')) return undefined
  let at: Json | undefined = root
  for (const step of ref.slice(2).split('/').map(unescapeStep)) {
    at = isList(at) ? at[Number(step)] : own(at, step)
    if (at === undefined) return undefined
  }
  return at
}

export const escapeStep = (step: string): string => step.replaceAll('~', '~0').replaceAll('/', '~1')

function unescapeStep(step: string): string {
  let text = step
  try {
    text = decodeURIComponent(step)
  } catch {
    // A stray percent sign stands for itself.
  }
  return text.replaceAll('~1', '/').replaceAll('~0', '~')
}
