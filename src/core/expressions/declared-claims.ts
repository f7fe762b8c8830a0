/** What an adaptive schema is for: keeping the claims it declares, and offering conditions on them. */
import type { Expression } from './ast.ts'
import { print } from './print.ts'
import type { AdaptiveSchema, ClaimSchema } from './schema.ts'
import { isList, isObject } from './values.ts'

type Claims = Readonly<Record<string, unknown>>

/**
 * Only claims that are declared, with a value of the declared kind, are kept; a list with one wrong item is wrong.
 * A visitor's own word for a claim that is declared as signed is none of these, so it goes.
 */
export function claimsAgainst(
  schema: AdaptiveSchema,
  given: { claims: Claims; unsigned: Claims },
): { claims: Claims; unsigned: Claims } {
  const { unsigned, ...signed } = schema.properties
  return {
    claims: keepDeclared(signed, given.claims),
    unsigned: unsigned?.type === 'object' ? keepDeclared(unsigned.properties, given.unsigned) : {},
  }
}

export type TemplateCondition = { readonly description: string; readonly condition: string }

/** One for every boolean and one for every value of an enum, in the schema's order. */
export function templateConditions(schema: AdaptiveSchema): readonly TemplateCondition[] {
  const claims: Expression = {
    kind: 'member',
    object: { kind: 'name', name: 'visitor' },
    key: 'claims',
    optional: false,
  }
  return templatesOf({ properties: schema.properties, object: claims, sure: true, top: true })
}

function keepDeclared(properties: Readonly<Record<string, ClaimSchema>>, values: Claims): Claims {
  const declared: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries(properties)) {
    const value = Object.hasOwn(values, name) ? keepFitting(schema, values[name]) : undefined
    if (value !== undefined) declared[name] = value
  }
  return declared
}

function keepFitting(schema: ClaimSchema, value: unknown): unknown {
  switch (schema.type) {
    case 'object':
      return isObject(value) && !isList(value) ? keepDeclared(schema.properties, value) : undefined
    case 'array': {
      const fits = isList(value) && value.every((item) => keepFitting(schema.items, item) !== undefined)
      return fits ? value : undefined
    }
    case 'string':
      return typeof value === 'string' && (schema.enum?.includes(value) ?? true) ? value : undefined
    case 'number':
      return typeof value === 'number' && Number.isFinite(value) ? value : undefined
    case 'boolean':
      return typeof value === 'boolean' ? value : undefined
  }
}

type Level = {
  readonly properties: Readonly<Record<string, ClaimSchema>>
  readonly object: Expression
  /** Whether the object is there for every visitor; if not, it is read with `?.`, and absence is not an error. */
  readonly sure: boolean
  readonly top: boolean
}

function templatesOf({ properties, object, sure, top }: Level): readonly TemplateCondition[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const claim: Expression = { kind: 'member', object, key: name, optional: !sure }
    if (schema.type === 'object') {
      const always = top && name === 'unsigned'
      return templatesOf({ properties: schema.properties, object: claim, sure: always, top: false })
    }
    const words = schema.description?.trim() || name
    if (schema.type === 'boolean') return [{ description: words, condition: equals(claim, true) }]
    if (schema.type !== 'string') return []
    return (schema.enum ?? []).map((value) => ({ description: `${words}: ${value}`, condition: equals(claim, value) }))
  })
}

function equals(claim: Expression, value: string | boolean): string {
  return print({ kind: 'binary', operator: '==', left: claim, right: { kind: 'literal', value } })
}
