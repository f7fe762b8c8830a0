/** Conditions as they come in: whatever could not be evaluated is refused before it is stored. */
import { ApiError } from '../../../core/errors.ts'
import { checkCondition } from '../../../core/expressions/conditions.ts'

export function refuseCondition(field: string, condition: string | null | undefined): void {
  if (condition === null || condition === undefined) return
  const checked = checkCondition(condition)
  if (checked.ok) return
  const message = checked.problem.message
  throw new ApiError('invalid_condition', { message: `\`${field}\`: ${message}`, details: [{ field, message }] })
}
