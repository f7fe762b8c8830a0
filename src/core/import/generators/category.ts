/** What a file beside the pages says of their folder: its title and its place. */
import type { Skimmed } from '../../repository/arrange-folders.ts'
import { readYaml } from '../../yaml.ts'
import { yamlProblemsOf } from '../text-problems.ts'
import type { ImportProblem } from '../tree.ts'

export const categoryFiles = /(?:^|\/)_category_\.(?:json|ya?ml)$/

export function readCategory(path: string, source: string): { category?: Skimmed; problems: ImportProblem[] } {
  // YAML reads JSON, too.
  const read = readYaml(source)
  const problems = yamlProblemsOf(path, read)
  const value = 'value' in read ? read.value : undefined
  if (typeof value !== 'object' || value === null) return { problems }
  const label = 'label' in value ? value.label : undefined
  const position = 'position' in value ? value.position : undefined
  const category = {
    title: typeof label === 'string' && label !== '' ? label : undefined,
    order: typeof position === 'number' ? position : undefined,
  }
  return { category, problems }
}
