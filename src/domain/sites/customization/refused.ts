/** Settings that could do nothing are refused, rather than taken and forgotten. */
import type { z } from 'zod'
import type { CustomizationBody } from '../../../core/customization/shape.ts'
import { invalid } from '../../../core/errors.ts'

const noAssistant = 'this service has no assistant'

export const refusedActions: ReadonlyMap<string, string> = new Map([['assistant', noAssistant]])

export function refuseWithoutEffect({ ai, pageActions }: Partial<z.output<typeof CustomizationBody>>): void {
  if (ai && ai.mode !== 'none') throw invalid('ai.mode', `must be none: ${noAssistant}`)
  for (const [at, item] of (pageActions?.items ?? []).entries()) {
    const reason = refusedActions.get(item)
    if (reason !== undefined) throw invalid(`pageActions.items.${at}`, `must not be ${item}: ${reason}`)
  }
}
