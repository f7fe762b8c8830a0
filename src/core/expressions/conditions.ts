/**
 * Conditions as they are stored: text.
 *
 * They are joined as trees, so that `a) || (b` can not escape the conditions it stands beside; as text only where one is to be
 * stored, and then each is read by itself first. A condition that reads a claim nobody declared is allowed, because the claim may be declared later; the editor can
 * still say so.
 */
import { type Expression, limits, type ParseResult, type Problem } from './ast.ts'
import { readsOf } from './claims.ts'
import { evaluateBoolean, type Scope } from './evaluate.ts'
import { parse } from './parse.ts'
import type { AdaptiveSchema, ClaimSchema } from './schema.ts'

/** The expression that holds when all of them hold: the empty one when there is nothing to hold. */
export function combine(conditions: readonly string[]): ParseResult {
  if (conditions.length > limits.conditions) {
    return { ok: false, problem: { message: `At most ${limits.conditions} conditions combine.`, at: 0 } }
  }
  let expression: Expression = { kind: 'empty' }
  for (const condition of conditions) {
    const parsed = parse(condition)
    if (!parsed.ok) return parsed
    expression = both(expression, parsed.expression)
  }
  return { ok: true, expression }
}

/** Whether what the conditions guard is shown. Anything that goes wrong hides it. */
export function allHold(conditions: readonly string[], scope: Scope): boolean {
  const combined = combine(conditions)
  return combined.ok && evaluateBoolean(combined.expression, scope)
}

/** One text for two conditions that have to hold both. A text that can not be read holds for nobody, and so does what it joins. */
export function joinConditions(outer: string | null, inner: string | null): string | null {
  const [left, right] = [parse(outer ?? ''), parse(inner ?? '')]
  if (!left.ok || !right.ok) return 'false'
  if (left.expression.kind === 'empty') return inner
  if (right.expression.kind === 'empty' || outer === inner) return outer
  return `(${outer}) && (${inner})`
}

export type ConditionCheck =
  | { readonly ok: true; readonly undeclared: readonly string[] }
  | { readonly ok: false; readonly problem: Problem }

/** Whether a condition may be saved, and which claims it reads that the schema does not declare. */
export function checkCondition(condition: string, schema?: AdaptiveSchema): ConditionCheck {
  const parsed = parse(condition)
  if (!parsed.ok) return parsed
  if (schema === undefined) return { ok: true, undeclared: [] }
  const undeclared = readsOf(parsed.expression).filter((path) => !isDeclared(schema, path))
  return { ok: true, undeclared }
}

function both(left: Expression, right: Expression): Expression {
  if (left.kind === 'empty') return right
  if (right.kind === 'empty') return left
  return { kind: 'logical', operator: '&&', left, right }
}

/** A path that goes on past a claim of a simple kind reads a part of it, such as a list's length. */
function isDeclared(schema: AdaptiveSchema, path: string): boolean {
  let declared: AdaptiveSchema | ClaimSchema = schema
  for (const name of path === '' ? [] : path.split('.')) {
    if (declared.type !== 'object') return true
    const next: ClaimSchema | undefined = Object.hasOwn(declared.properties, name)
      ? declared.properties[name]
      : undefined
    if (next === undefined) return false
    declared = next
  }
  return true
}
