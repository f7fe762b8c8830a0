/**
 * What the blocks of a page show of a spec: its operations, webhooks or schemas, with all that they refer to as far as it is
 * shown, and what the spec says of itself.
 */
import type { Json, JsonObject } from './json.ts'

export interface SpecPart {
  title: string
  version: string
  servers: readonly JsonObject[]
  security: readonly Json[]
  securitySchemes: JsonObject
  /** No operation is to be called from a page. */
  hidesTry?: true
  /** By `get /pets`. */
  operations: Readonly<Record<string, JsonObject>>
  /** By `post newPet`. */
  webhooks: Readonly<Record<string, JsonObject>>
  /** By name. */
  schemas: Readonly<Record<string, Json>>
  /** By reference; what is missing is not shown, or is nowhere. */
  refs: Readonly<Record<string, Json>>
}

/** What views read: a part, or the whole spec from which a part is taken. */
export interface SpecSource extends Omit<SpecPart, 'refs' | 'operations' | 'webhooks' | 'schemas'> {
  readRef(ref: string): Json | undefined
}

export const operationKey = (method: string, path: string): string => `${method.toLowerCase()} ${path}`

/** Follows references, also one that leads to another; nothing when they lead nowhere or in a circle. */
export function followRef(
  source: Pick<SpecSource, 'readRef'>,
  value: Json | undefined,
): { value: Json | undefined; ref?: string } {
  let at = value
  let last: string | undefined
  for (let step = 0; step < 20; step += 1) {
    const ref = typeof at === 'object' && at !== null && !Array.isArray(at) ? (at as JsonObject).$ref : undefined
    if (typeof ref !== 'string') return last === undefined ? { value: at } : { value: at, ref: last }
    last = ref
    at = source.readRef(ref)
  }
  return last === undefined ? { value: undefined } : { value: undefined, ref: last }
}

/** `#/components/schemas/Pet` → `Pet`. */
export function nameOfRef(ref: string): string {
  const last = ref.slice(ref.lastIndexOf('/') + 1)
  try {
    return decodeURIComponent(last).replaceAll('~1', '/').replaceAll('~0', '~')
  } catch {
    return last
  }
}
