/**
 * A schema as readers see it: its type in words, what holds for it, its fields, its alternatives. References are followed as
 * they are met; one that leads back to where it came from ends there with its name.
 */
import { cutTo } from '../text.ts'
import { flagAt, isObject, type Json, type JsonObject, listAt, objectAt, own, textAt } from './json.ts'
import { followRef, nameOfRef, type SpecSource } from './part.ts'

export interface SchemaView {
  /** `string`, `array of Pet`, `object`. */
  type: string
  /** The name it has in the spec. */
  name?: string
  description?: string
  /** `format`, limits, `enum`, `default`: what stands behind the type. */
  rules: { name: string; value: string }[]
  values?: string[]
  deprecated?: true
  fields?: FieldView[]
  /** Of a list: what it holds, where that is worth showing. */
  items?: SchemaView
  variants?: {
    kind: 'oneOf' | 'anyOf' | 'not'
    discriminator?: string
    options: { label: string; schema: SchemaView }[]
  }
  /** It goes on, and is not shown further here. */
  cut?: 'circular' | 'deep'
}

export interface FieldView {
  name: string
  required: boolean
  readOnly?: true
  writeOnly?: true
  schema: SchemaView
}

const deepest = 8
/** Schemas looked at for each field that may be shown: alternatives of alternatives have no fields, and no end. */
const stepsForField = 30

/** How many fields are shown in all, and whether what has a name of its own is shown by its name only. */
export interface SchemaBudget {
  left: number
  isShallow?: boolean
  /** One count for all shares of a budget. */
  steps: { left: number }
}
export const newBudget = (fields: number): SchemaBudget => ({ left: fields, steps: { left: fields * stepsForField } })

/** No field takes more than a part of what is left, so that those behind it are shown too. */
function shared<T>(budget: SchemaBudget, view: (share: SchemaBudget) => T): T {
  const share = { ...budget, left: Math.min(budget.left, Math.max(8, Math.ceil(budget.left / 3))) }
  const before = share.left
  const result = view(share)
  budget.left -= before - share.left
  return result
}

type Above = readonly string[]

export function viewSchema(
  source: SpecSource,
  schema: Json | undefined,
  budget: SchemaBudget,
  above: Above = [],
): SchemaView {
  const { value, ref } = followRef(source, schema)
  const name = ref === undefined ? undefined : nameOfRef(ref)
  if (!isObject(value)) {
    const type = value === false ? 'nothing' : value === undefined && name !== undefined ? name : 'any'
    return { type, ...(name === undefined ? {} : { name }), rules: [] }
  }
  const beside = isObject(schema) && ref !== undefined ? textAt(schema, 'description') : undefined
  const about = { ...(name === undefined ? {} : { name }), ...aboutOf(value, beside) }
  if (ref !== undefined && above.includes(ref))
    return { type: typeOf(source, value, name), ...about, rules: [], cut: 'circular' }
  budget.steps.left -= 1
  if (
    above.length >= deepest ||
    budget.left <= 0 ||
    budget.steps.left <= 0 ||
    (budget.isShallow && ref !== undefined && above.length > 0)
  )
    return { type: typeOf(source, value, name), ...about, rules: [], cut: 'deep' }
  return { type: typeOf(source, value, name), ...about, ...bodyOf(source, value, budget, [...above, ref ?? '']) }
}

function aboutOf(schema: JsonObject, beside: string | undefined) {
  const description = beside ?? textAt(schema, 'description')
  return {
    ...(description === undefined ? {} : { description }),
    ...(flagAt(schema, 'deprecated') ? { deprecated: true as const } : {}),
  }
}

function bodyOf(source: SpecSource, schema: JsonObject, budget: SchemaBudget, above: Above): Omit<SchemaView, 'type'> {
  const whole = merged(source, schema, budget, above)
  const values = valuesOf(whole)
  const fields = fieldsOf(source, whole, budget, above)
  const items = own(whole, 'items')
  const inside = items === undefined ? undefined : viewSchema(source, items, budget, above)
  const variants = variantsOf(source, whole, budget, above)
  return {
    rules: rulesOf(whole),
    ...(values === undefined ? {} : { values }),
    ...(fields.length === 0 ? {} : { fields }),
    ...(inside && hasBody(inside) ? { items: inside } : {}),
    ...(variants === undefined ? {} : { variants }),
  }
}

/** Whether there is more to say than the type does. */
export const hasBody = ({ fields, items, variants, values, rules, cut }: SchemaView): boolean =>
  cut === undefined &&
  (fields !== undefined || items !== undefined || variants !== undefined || values !== undefined || rules.length > 0)

/** `allOf` is all of it at once: fields come together, and what one says of the whole holds. */
function merged(source: SpecSource, schema: JsonObject, budget: SchemaBudget, above: Above, depth = 0): JsonObject {
  const all = listAt(schema, 'allOf')
  if (all.length === 0 || depth > deepest) return schema
  const { allOf: _, ...rest } = schema
  let whole: JsonObject = rest
  for (const item of all) {
    budget.steps.left -= 1
    if (budget.steps.left <= 0) break
    const { value, ref } = followRef(source, item)
    if (!isObject(value) || (ref !== undefined && above.includes(ref))) continue
    const one = merged(source, value, budget, ref === undefined ? above : [...above, ref], depth + 1)
    const required = [...listAt(one, 'required'), ...listAt(whole, 'required')]
    whole = { ...one, ...whole, ...joined('properties', one, whole), ...(required.length === 0 ? {} : { required }) }
  }
  return whole
}

function joined(key: string, one: JsonObject, other: JsonObject): JsonObject {
  const all = { ...objectAt(one, key), ...objectAt(other, key) }
  return Object.keys(all).length === 0 ? {} : { [key]: all }
}

function fieldsOf(source: SpecSource, schema: JsonObject, budget: SchemaBudget, above: Above): FieldView[] {
  const required = new Set(listAt(schema, 'required'))
  const fields: FieldView[] = []
  for (const [name, property] of Object.entries(objectAt(schema, 'properties'))) {
    if (budget.left <= 0) break
    budget.left -= 1
    const { value } = followRef(source, property)
    fields.push({
      name,
      required: required.has(name),
      ...(flagAt(value, 'readOnly') ? { readOnly: true as const } : {}),
      ...(flagAt(value, 'writeOnly') ? { writeOnly: true as const } : {}),
      schema: shared(budget, (share) => viewSchema(source, property, share, above)),
    })
  }
  const others = own(schema, 'additionalProperties')
  if (isObject(others) && Object.keys(others).length > 0)
    fields.push({ name: '*', required: false, schema: viewSchema(source, others, budget, above) })
  return fields
}

function variantsOf(
  source: SpecSource,
  schema: JsonObject,
  budget: SchemaBudget,
  above: Above,
): SchemaView['variants'] {
  for (const kind of ['oneOf', 'anyOf'] as const) {
    const options = listAt(schema, kind).filter((option) => !isNull(option))
    if (options.length === 0) continue
    const discriminator = textAt(objectAt(schema, 'discriminator'), 'propertyName')
    const mapping = Object.entries(objectAt(objectAt(schema, 'discriminator'), 'mapping'))
    const views = options.slice(0, 50).map((option, index) => {
      const view = shared(budget, (share) => viewSchema(source, option, share, above))
      const ref = textAt(option, '$ref')
      const mapped = ref === undefined ? undefined : mapping.find(([, target]) => target === ref)?.[0]
      const title = textAt(followRef(source, option).value, 'title')
      return { label: mapped ?? view.name ?? title ?? `${view.type} ${index + 1}`, schema: view }
    })
    // One alternative beside null says no more than its type.
    if (views.length === 1 && views[0] && !hasBody(views[0].schema)) return undefined
    return { kind, ...(discriminator === undefined ? {} : { discriminator }), options: views }
  }
  return undefined
}

const isNull = (schema: Json): boolean => textAt(schema, 'type') === 'null'

function typeOf(source: SpecSource, schema: JsonObject, name?: string, depth = 0): string {
  const types = own(schema, 'type')
  const listed = Array.isArray(types) ? types.filter((type) => typeof type === 'string') : []
  const names = typeof types === 'string' ? [types] : listed.filter((type) => type !== 'null')
  const isNullable =
    flagAt(schema, 'nullable') ||
    listed.includes('null') ||
    [...listAt(schema, 'anyOf'), ...listAt(schema, 'oneOf')].some(isNull)
  return plainType(source, schema, { types: names, name, depth }) + (isNullable ? ' or null' : '')
}

/** A list of lists of lists says no more than that. */
const deepestType = 3

interface PlainType {
  types: readonly string[]
  name: string | undefined
  depth: number
}

function plainType(source: SpecSource, schema: JsonObject, { types, name, depth }: PlainType): string {
  if (types.includes('array') || own(schema, 'items') !== undefined) {
    const { value, ref } = followRef(source, own(schema, 'items'))
    const named = ref === undefined ? undefined : nameOfRef(ref)
    const inner = depth >= deepestType ? named : isObject(value) ? typeOf(source, value, named, depth + 1) : undefined
    return `array of ${inner ?? 'any'}`
  }
  if (name !== undefined && (types.length === 0 || types[0] === 'object')) return name
  if (types.length > 0) return types.join(' or ')
  if (own(schema, 'properties') !== undefined || listAt(schema, 'allOf').length > 0) return 'object'
  const options = [...listAt(schema, 'oneOf'), ...listAt(schema, 'anyOf')].filter((option) => !isNull(option))
  if (options.length === 0) {
    if (own(schema, 'const') !== undefined || listAt(schema, 'enum').length > 0)
      return typeof (own(schema, 'const') ?? listAt(schema, 'enum')[0])
    return 'any'
  }
  const names = options.slice(0, 4).map((option) => {
    const { value, ref } = followRef(source, option)
    return ref !== undefined
      ? nameOfRef(ref)
      : isObject(value) && typeof own(value, 'type') === 'string'
        ? String(own(value, 'type'))
        : 'object'
  })
  return [...new Set(names)].join(' or ') + (options.length > 4 ? ' or …' : '')
}

function valuesOf(schema: JsonObject): string[] | undefined {
  const constant = own(schema, 'const')
  const items = own(schema, 'items')
  const values =
    constant !== undefined
      ? [constant]
      : own(schema, 'enum') !== undefined
        ? listAt(schema, 'enum')
        : listAt(items, 'enum')
  return values.length === 0 ? undefined : values.slice(0, 100).map((value) => printValue(value))
}

const ruleNames = [
  'format',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
  'default',
] as const

const rulesOf = (schema: JsonObject): SchemaView['rules'] =>
  ruleNames.flatMap((name) => {
    const value = own(schema, name)
    if (value === undefined || value === false || value === null) return []
    return [{ name, value: cutTo(printValue(value), 300) }]
  })

const printValue = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value))
