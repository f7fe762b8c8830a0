/**
 * Examples of bodies and answers, made from their schemas: what is required, and at the top what is optional too. Every one
 * is valid against its schema, which test/http/openapi.test.ts checks.
 */

type Json = Record<string, unknown>

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

/** Below this depth, only what has to be there is. */
const deepestWhole = 1

export function exampleOf(schema: unknown, components: Json, name = '', above: readonly string[] = []): unknown {
  if (!isJson(schema)) return 'text'
  if (typeof schema.$ref === 'string') {
    const id = schema.$ref.slice('#/components/schemas/'.length)
    return exampleOf(components[id], components, name, [...above, id])
  }
  const given = listOf(schema.examples)[0] ?? schema.example ?? schema.const ?? listOf(schema.enum)[0] ?? schema.default
  if (given !== undefined) return given
  const all = listOf(schema.allOf)
  if (all.length > 0) return Object.assign({}, ...all.map((part) => exampleOf(part, components, name, above)))
  const options = [...listOf(schema.anyOf), ...listOf(schema.oneOf)]
  if (options.length > 0) return exampleOf(simplestOf(options, above), components, name, above)
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  if (type === 'object' || isJson(schema.properties)) return objectOf(schema, components, above)
  if (type === 'array') return arrayOf(schema, components, name, above)
  if (type === 'string') return textOf(schema, name)
  if (type === 'integer' || type === 'number') return numberOf(schema)
  if (type === 'boolean') return true
  return type === 'null' ? null : 'text'
}

/** The first that is neither nothing nor what we are inside of already. */
function simplestOf(options: readonly unknown[], above: readonly string[]): unknown {
  const isInside = (option: unknown): boolean =>
    isJson(option) && above.some((id) => option.$ref === `#/components/schemas/${id}`)
  return options.find((option) => isJson(option) && option.type !== 'null' && !isInside(option)) ?? options[0]
}

function objectOf(schema: Json, components: Json, above: readonly string[]): Json {
  const required = new Set(listOf(schema.required))
  const isWhole = above.length <= deepestWhole
  const shown = Object.entries(isJson(schema.properties) ? schema.properties : {}).filter(
    ([name, field]) => required.has(name) || (isWhole && isPlain(field) && name !== 'deletedAt'),
  )
  return Object.fromEntries(shown.map(([name, field]) => [name, exampleOf(field, components, name, [...above, ''])]))
}

/** What is optional is shown where it is a single value. */
const isPlain = (field: unknown): boolean =>
  isJson(field) && ['string', 'integer', 'number', 'boolean'].includes(String(field.type))

function arrayOf(schema: Json, components: Json, name: string, above: readonly string[]): unknown[] {
  const least = Number(schema.minItems ?? 0)
  const prefix = listOf(schema.prefixItems)
  if (prefix.length > 0) return prefix.map((item) => exampleOf(item, components, name, [...above, '']))
  const isNested =
    isJson(schema.items) &&
    above.some((id) => schema.items && isJson(schema.items) && schema.items.$ref === `#/components/schemas/${id}`)
  const count = least > 0 ? least : above.length > 4 || isNested ? 0 : 1
  return Array.from({ length: count }, () => exampleOf(schema.items, components, name, [...above, '']))
}

const byFormat: Readonly<Record<string, string>> = {
  'date-time': '2026-11-02T09:30:00.000Z',
  date: '2026-11-02',
  uri: 'https://docs.example.org/guide',
  email: 'ada@example.org',
  uuid: '0b8f1c9e-3d53-4a36-9b7e-6c1f2d0a4e11',
  ipv4: '192.0.2.7',
  ipv6: '2001:db8::7',
}

const id = 'q7NpWx3RtZ8kLmVb2HcY'

const byName: Readonly<Record<string, string>> = {
  id,
  organization: id,
  space: id,
  parent: id,
  revision: id,
  page: id,
  site: id,
  team: id,
  user: id,
  collection: id,
  file: id,
  changeRequest: id,
  contentType: 'image/png',
  title: 'Getting started',
  description: 'What to do first.',
  markdown: '# Hello\n\nA first paragraph.',
  path: 'guide/install',
  slug: 'install',
  email: 'ada@example.org',
  name: 'Ada',
  displayName: 'Ada Lovelace',
  hostname: 'docs.example.org',
  language: 'en',
  subject: 'Describe the installer',
  icon: 'rocket',
  emoji: '1f680',
}

/** Tried in this order where a pattern says how a text looks. */
const candidates = [
  ...Object.values(byName),
  ...Object.values(byFormat),
  '#3b5bdb',
  '/guide/install',
  '/old/page',
  'lct_abcdefghijklmnopqrstuvwxyz0123456789',
  'example.org',
  '1f680',
  'image/png',
  'aGVsbG8=',
  'a',
  '1',
]

function textOf(schema: Json, name: string): string {
  const least = Number(schema.minLength ?? 0)
  const most = Number(schema.maxLength ?? Number.POSITIVE_INFINITY)
  const pattern = typeof schema.pattern === 'string' ? new RegExp(schema.pattern, 'u') : undefined
  const fits = (text: string): boolean => text.length >= least && text.length <= most && (pattern?.test(text) ?? true)
  const format = typeof schema.format === 'string' ? byFormat[schema.format] : undefined
  const first = [format, byName[name], 'text'].flatMap((text) => text ?? [])
  return [...(format === undefined ? first : [format]), ...candidates].find(fits) ?? 'x'.repeat(Math.min(least, most))
}

function numberOf(schema: Json): number {
  const least = Number(schema.minimum ?? Number(schema.exclusiveMinimum ?? -1) + 1)
  const most = Number(schema.maximum ?? Number.POSITIVE_INFINITY)
  return Math.min(Math.max(1, least), most)
}
