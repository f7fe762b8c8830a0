/**
 * The text of a spec, JSON or YAML, as a value. It comes from anyone: nesting, aliases and the number of values are limited,
 * and what is wrong is told with its place.
 */
import { CORE_SCHEMA, load, mergeTag, YAMLException } from 'js-yaml'
import { isObject, type Json, type JsonObject } from './json.ts'

const readLimits = { depth: 200, values: 3_000_000, aliases: 20_000 } as const

/** What is wrong with a spec, and where. */
export class SpecError extends Error {
  override name = 'SpecError'
}

const schema = CORE_SCHEMA.withTags(mergeTag)

export function readSpecText(text: string): JsonObject {
  const value = parse(text)
  if (!isObject(value)) throw new SpecError('The document is not an object with `openapi` or `swagger` in it.')
  limit(value)
  return value
}

function parse(text: string): Json {
  if (/^\s*[{[]/.test(text)) {
    try {
      return JSON.parse(text)
    } catch {
      // YAML takes most of what is not quite JSON, and says where it goes wrong.
    }
  }
  try {
    return load(text, { schema, maxDepth: readLimits.depth, maxAliases: readLimits.aliases, json: true }) as Json
  } catch (error) {
    if (error instanceof YAMLException) throw new SpecError(sentenceOf(error))
    throw new SpecError(error instanceof RangeError ? 'It is nested too deeply.' : 'It is neither JSON nor YAML.')
  }
}

function sentenceOf({ reason, mark }: YAMLException): string {
  const location = mark ? ` Line ${mark.line + 1}, column ${mark.column + 1}.` : ''
  return `It cannot be read: ${reason}.${location}`
}

/** Aliases are counted as often as they stand for something: a short text can mean a very long document. */
function limit(root: Json): void {
  let values = 0
  const visit = (value: Json, depth: number, path: readonly string[]): void => {
    values += 1
    if (values > readLimits.values)
      throw new SpecError(`It holds more than ${readLimits.values} values, counting what aliases repeat.`)
    if (typeof value !== 'object' || value === null) return
    if (depth > readLimits.depth)
      throw new SpecError(
        `It is nested more deeply than ${readLimits.depth} levels, at /${path.slice(0, 6).join('/')}…`,
      )
    for (const [key, item] of Object.entries(value)) visit(item, depth + 1, depth < 6 ? [...path, key] : path)
  }
  visit(root, 0, [])
}
