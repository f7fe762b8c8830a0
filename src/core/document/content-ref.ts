/** References from content to content: one row a kind. Documents, page targets and customizations all read them here. */
import {
  type DataOf,
  type Fields,
  type JsonSchema,
  object,
  oneOf,
  optional,
  Problem,
  type Reader,
  reader,
  readRecord,
  recordSchema,
  required,
  stringMatching,
  url,
} from './tree/fields.ts'

const id = stringMatching(/^[^\s/#?]{1,256}$/u, 'an id')
const slug = stringMatching(/^[^\s]{1,256}$/u, 'a name without spaces')

const refRows = {
  file: { file: required(id), space: optional(id) },
  url: { url: required(url) },
  page: { page: required(id), space: optional(id) },
  anchor: { anchor: required(slug), page: optional(id), space: optional(id) },
  user: { user: required(id) },
  collection: { collection: required(id) },
  space: { space: required(id) },
  'reusable-content': { reusableContent: required(id), space: optional(id) },
  tag: { tag: required(id), space: optional(id) },
  openapi: { spec: required(id) },
} satisfies Record<string, Fields>

type Rows = typeof refRows
export type RefKind = keyof Rows
export type ContentRefOf<Kind extends RefKind> = { [Each in Kind]: { kind: Each } & DataOf<Rows[Each]> }[Kind]

const refKinds = Object.keys(refRows).filter((name): name is RefKind => name in refRows)

/** A reference of one of these kinds; of any kind when none is named. */
export function ref<Kind extends RefKind = RefKind>(...kinds: Kind[]): Reader<ContentRefOf<Kind>> {
  const allowed = kinds.length > 0 ? kinds : refKinds
  const kindOf = oneOf<RefKind>(allowed)
  const schema = kinds.length === 0 ? { $ref: '#/components/schemas/ContentRef' } : refSchema(kinds)
  return reader(schema, (value, path) => {
    const kind = kindOf(object(value, path).kind, `${path}.kind`)
    const read = { kind, ...readRecord<Fields>(refRows[kind], value, path) }
    if (!isOf<Kind>(read, allowed)) throw new Problem(`${path}.kind`, `must be one of ${allowed.join(', ')}`)
    return read
  })
}

/** The fields of a kind have been read by its row; this is where the types learn of it. */
const isOf = <Kind extends RefKind>(
  read: { kind: RefKind },
  allowed: readonly RefKind[],
): read is ContentRefOf<Kind> & { kind: Kind } => allowed.includes(read.kind)

/** The JSON Schema of a reference of one of these kinds. */
export function refSchema(kinds: readonly RefKind[] = refKinds): JsonSchema {
  const variants = kinds.map((kind) => {
    const { properties, required: names } = recordSchema({ kind: required(oneOf([kind])), ...refRows[kind] })
    return { type: 'object', required: names, properties }
  })
  return variants.length === 1 && variants[0] ? variants[0] : { oneOf: variants }
}
