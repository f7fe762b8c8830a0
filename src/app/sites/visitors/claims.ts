/** The claims that a site's schema declares, as rows; nested ones stand in the JSON only. Pure. */
import { type AdaptiveSchema, type ClaimSchema, checkAdaptiveSchema } from '../../../core/expressions/schema.ts'

export interface Claim {
  name: string
  /** What visitors say of themselves; nobody vouches for it. */
  unsigned: boolean
  schema: ClaimSchema
}

export const kinds = ['boolean', 'enum', 'string', 'number', 'array'] as const
export type Kind = (typeof kinds)[number]

const none: AdaptiveSchema = { type: 'object', properties: {}, additionalProperties: false }

export function schemaIn(json: unknown): AdaptiveSchema {
  const checked = checkAdaptiveSchema(json)
  return checked.ok ? checked.schema : none
}

export function claimsIn({ properties }: AdaptiveSchema): Claim[] {
  const { unsigned, ...signed } = properties
  const rows = (of: Readonly<Record<string, ClaimSchema>>, isUnsigned: boolean): Claim[] =>
    Object.entries(of).map(([name, schema]) => ({ name, unsigned: isUnsigned, schema }))
  return [...rows(signed, false), ...(unsigned?.type === 'object' ? rows(unsigned.properties, true) : [])]
}

/** The schema with these claims, in their order. */
export function schemaOf(before: AdaptiveSchema, claims: readonly Claim[]): AdaptiveSchema {
  const of = (isUnsigned: boolean): [string, ClaimSchema][] =>
    claims.filter(({ unsigned }) => unsigned === isUnsigned).map(({ name, schema }) => [name, schema])
  const unsigned = of(true)
  const properties = Object.fromEntries(of(false))
  if (unsigned.length > 0) properties.unsigned = { type: 'object', properties: Object.fromEntries(unsigned) }
  return { ...before, properties }
}

export const isSame = (a: Pick<Claim, 'name' | 'unsigned'>, b: Pick<Claim, 'name' | 'unsigned'>): boolean =>
  a.name === b.name && a.unsigned === b.unsigned

export const kindOf = (schema: ClaimSchema): Kind | 'object' =>
  schema.type === 'string' && schema.enum ? 'enum' : schema.type

/** Whether the form has fields for all of it; the rest is changed as JSON. */
export const hasForm = (schema: ClaimSchema): boolean =>
  schema.type === 'array' ? schema.items.type === 'string' && !schema.items.enum : schema.type !== 'object'

export const valuesOf = (schema: ClaimSchema): readonly string[] =>
  schema.type === 'string' ? (schema.enum ?? []) : []

/** As it is written in a condition. */
export const expressionOf = ({ name, unsigned }: Claim): string => {
  const claims = unsigned ? 'visitor.claims.unsigned' : 'visitor.claims'
  return /^[A-Za-z_$][\w$]*$/.test(name) ? `${claims}.${name}` : `${claims}[${JSON.stringify(name)}]`
}

export function schemaFor(kind: Kind, description: string, values: readonly string[]): ClaimSchema {
  if (kind === 'enum') return { type: 'string', description, enum: values }
  if (kind === 'array') return { type: 'array', description, items: { type: 'string' } }
  return { type: kind, description }
}
