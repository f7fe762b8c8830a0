/** What a file beside the pages says of their folder: its title and its place. */
import { parse } from 'yaml'
import type { Skimmed } from '../../repository/arrange-folders.ts'

export const categoryFiles = /(?:^|\/)_category_\.(?:json|ya?ml)$/

export function readCategory(source: string): Skimmed | undefined {
  // YAML reads JSON, too.
  const value: unknown = parse(source, { maxAliasCount: 20, logLevel: 'silent' })
  if (typeof value !== 'object' || value === null) return undefined
  const label = 'label' in value ? value.label : undefined
  const position = 'position' in value ? value.position : undefined
  return {
    title: typeof label === 'string' && label !== '' ? label : undefined,
    order: typeof position === 'number' ? position : undefined,
  }
}
