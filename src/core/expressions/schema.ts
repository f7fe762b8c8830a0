/**
 * The adaptive schema: which claims a site's visitors can carry.
 *
 * It is a small closed part of JSON Schema draft-07, checked by hand: a keyword that is not listed here is refused
 * rather than kept and ignored, so that a schema never promises more than `claimsAgainst` keeps. What is returned is a
 * copy made of the checked parts only, with the keywords as they were given.
 */
import { isPrototypeName } from './ast.ts'
import { isList, isObject } from './values.ts'

export type SimpleSchema =
  | { readonly type: 'boolean' | 'number'; readonly description?: string }
  | { readonly type: 'string'; readonly description?: string; readonly enum?: readonly string[] }

export type ObjectSchema = {
  readonly type: 'object'
  readonly description?: string
  readonly properties: Readonly<Record<string, ClaimSchema>>
  readonly additionalProperties?: false
}

export type ClaimSchema =
  | SimpleSchema
  | { readonly type: 'array'; readonly description?: string; readonly items: SimpleSchema }
  | ObjectSchema

export type AdaptiveSchema = {
  readonly $schema?: string
  readonly $id?: string
  readonly type: 'object'
  readonly properties: Readonly<Record<string, ClaimSchema>>
  readonly additionalProperties: false
}

/** `path` is a JSON pointer into the schema. */
export type SchemaProblem = { readonly path: string; readonly message: string }

export type SchemaCheck =
  | { readonly ok: true; readonly schema: AdaptiveSchema }
  | { readonly ok: false; readonly problem: SchemaProblem }

const schemaLimits = { properties: 100, depth: 5, enum: 100, name: 100, value: 200, text: 1_024, bytes: 65_536 }

export function checkAdaptiveSchema(value: unknown): SchemaCheck {
  try {
    return { ok: true, schema: checkRoot(value) }
  } catch (thrown) {
    if (thrown instanceof Misfit) return { ok: false, problem: thrown.problem }
    throw thrown
  }
}

/** Thrown within a check and caught by `checkAdaptiveSchema`. */
class Misfit {
  readonly problem: SchemaProblem

  constructor(problem: SchemaProblem) {
    this.problem = problem
  }
}

function misfit(path: string, message: string): never {
  throw new Misfit({ path, message })
}

/** Where a check is: the pointer so far, how deep, and how many properties have been met in all. */
type SchemaPosition = { readonly path: string; readonly depth: number; readonly count: { properties: number } }

function within(position: SchemaPosition, name: string): SchemaPosition {
  return { ...position, path: `${position.path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}` }
}

const draft07 = /^https?:\/\/json-schema\.org\/draft-07\/schema#?$/

function checkRoot(value: unknown): AdaptiveSchema {
  const position: SchemaPosition = { path: '', depth: 0, count: { properties: 0 } }
  const given = keywords(position, value, ['$schema', '$id', 'type', 'properties', 'additionalProperties'])
  const dialect = optionalText(position, given, '$schema')
  if (dialect !== undefined && !draft07.test(dialect)) misfit('/$schema', 'The schema is not of draft-07.')
  const id = optionalText(position, given, '$id')
  if (given.get('type') !== 'object') misfit('/type', 'The schema describes an object.')
  if (given.get('additionalProperties') !== false) misfit('/additionalProperties', 'This is false.')

  const properties = checkProperties(position, given.get('properties'))
  const unsigned = Object.hasOwn(properties, 'unsigned') ? properties.unsigned : undefined
  if (unsigned !== undefined && unsigned.type !== 'object') {
    misfit('/properties/unsigned', 'Unsigned claims are an object with properties.')
  }
  const schema: AdaptiveSchema = {
    ...(dialect === undefined ? {} : { $schema: dialect }),
    ...(id === undefined ? {} : { $id: id }),
    type: 'object',
    properties,
    additionalProperties: false,
  }
  if (byteLength(JSON.stringify(schema)) > schemaLimits.bytes) misfit('', 'The schema is larger than 64 KiB.')
  return schema
}

/** The keywords of one object; those not in the list are refused. */
function keywords(position: SchemaPosition, value: unknown, allowed: readonly string[]): ReadonlyMap<string, unknown> {
  if (!isObject(value) || isList(value)) return misfit(position.path, 'This is an object.')
  const given = new Map<string, unknown>()
  for (const keyword of Object.keys(value)) {
    if (!allowed.includes(keyword)) misfit(within(position, keyword).path, 'There is no such keyword here.')
    given.set(keyword, value[keyword])
  }
  return given
}

function optionalText(
  position: SchemaPosition,
  given: ReadonlyMap<string, unknown>,
  keyword: string,
): string | undefined {
  const value = given.get(keyword)
  if (value === undefined && !given.has(keyword)) return undefined
  if (typeof value === 'string' && value.length <= schemaLimits.text) return value
  return misfit(within(position, keyword).path, `This is a text of at most ${schemaLimits.text} characters.`)
}

function checkProperties(outer: SchemaPosition, value: unknown): Readonly<Record<string, ClaimSchema>> {
  const position = { ...within(outer, 'properties'), depth: outer.depth + 1 }
  if (!isObject(value) || isList(value)) return misfit(position.path, 'This is an object.')
  if (position.depth > schemaLimits.depth)
    misfit(position.path, `Claims nest at most ${schemaLimits.depth} levels deep.`)

  const properties: Record<string, ClaimSchema> = {}
  for (const name of Object.keys(value)) {
    const at = within(position, name)
    position.count.properties += 1
    if (position.count.properties > schemaLimits.properties) {
      misfit(position.path, `A schema has at most ${schemaLimits.properties} properties.`)
    }
    if (!isClaimName(name)) misfit(at.path, 'This name can not be used for a claim.')
    // The object of all unsigned claims needs no words: what it is follows from its name.
    const described = !(outer.depth === 0 && name === 'unsigned')
    properties[name] = checkClaim(at, value[name], described)
  }
  return properties
}

/** Identity providers name claims by URLs, so most characters will do; quotes and controls would not survive copying. */
function isClaimName(name: string): boolean {
  if (isPrototypeName(name) || name.length > schemaLimits.name) return false
  return /^[^\p{C}\s"'`\\]+(?: [^\p{C}\s"'`\\]+)*$/u.test(name)
}

function checkClaim(position: SchemaPosition, value: unknown, described: boolean): ClaimSchema {
  const type = isObject(value) && Object.hasOwn(value, 'type') ? value.type : undefined
  if (type === 'object') return checkObject(position, value, described)
  if (type !== 'array') return checkSimple(position, value, described)

  const given = keywords(position, value, ['type', 'description', 'items'])
  return {
    type,
    ...description(position, given, described),
    items: checkSimple(within(position, 'items'), given.get('items'), false),
  }
}

function checkObject(position: SchemaPosition, value: unknown, described: boolean): ObjectSchema {
  const given = keywords(position, value, ['type', 'description', 'properties', 'additionalProperties'])
  const closed = given.has('additionalProperties')
  if (closed && given.get('additionalProperties') !== false) {
    misfit(within(position, 'additionalProperties').path, 'This is false.')
  }
  return {
    type: 'object',
    ...description(position, given, described),
    properties: checkProperties(position, given.get('properties')),
    ...(closed ? { additionalProperties: false } : {}),
  }
}

function checkSimple(position: SchemaPosition, value: unknown, described: boolean): SimpleSchema {
  const given = keywords(position, value, ['type', 'description', 'enum'])
  const type = given.get('type')
  const words = description(position, given, described)
  if (type === 'string') {
    return given.has('enum')
      ? { type, ...words, enum: checkEnum(within(position, 'enum'), given.get('enum')) }
      : { type, ...words }
  }
  if (type !== 'boolean' && type !== 'number') {
    return misfit(
      within(position, 'type').path,
      'A claim is a boolean, string, number, array or object; items are simple.',
    )
  }
  if (given.has('enum')) misfit(within(position, 'enum').path, 'Only strings have an enum.')
  return { type, ...words }
}

function description(
  position: SchemaPosition,
  given: ReadonlyMap<string, unknown>,
  required: boolean,
): { description?: string } {
  const text = optionalText(position, given, 'description')
  if (text === undefined && required) misfit(within(position, 'description').path, 'The description is missing.')
  return text === undefined ? {} : { description: text }
}

function checkEnum(position: SchemaPosition, value: unknown): readonly string[] {
  if (!isList(value) || value.length === 0 || value.length > schemaLimits.enum) {
    return misfit(position.path, `An enum has 1 to ${schemaLimits.enum} values.`)
  }
  const values: string[] = []
  for (const item of value) {
    const fits = typeof item === 'string' && item.length <= schemaLimits.value && !values.includes(item)
    if (!fits)
      return misfit(position.path, `Enum values are different texts of at most ${schemaLimits.value} characters.`)
    values.push(item)
  }
  return values
}

/** In UTF-8, which the pure rooms have no encoder for. */
function byteLength(text: string): number {
  let bytes = 0
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4
  }
  return bytes
}
