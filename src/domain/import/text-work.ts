/**
 * Work on one text of an import that is not its Markdown: settings, tables of contents of other generators, what is wrong. At
 * once where the text is short; in the thread of texts, which has a deadline, where it could take long.
 */
import { readCategory } from '../../core/import/generators/category.ts'
import { yamlOfToml } from '../../core/import/generators/hugo.ts'
import { readNavigationFile } from '../../core/import/generators/navigation.ts'
import { frontMatterProblem, yamlProblems } from '../../core/import/text-problems.ts'
import type { ImportProblem } from '../../core/import/tree.ts'
import { readConfig, readRedirects } from '../../core/repository/config.ts'
import { readVariables } from '../../core/repository/variables.ts'
import { ThreadError } from '../../threads/pool.ts'
import type { Threads } from '../../threads/supervisor.ts'
import { isHeavyYaml } from '../content/markdown/markdown.ts'
import { ask } from './texts-aside.ts'

export interface NamedText {
  path: string
  text: string
}

const works = {
  settings: ({ path, text }: NamedText) => ({
    config: readConfig(text),
    redirects: readRedirects(text),
    problems: yamlProblems(path, text),
  }),
  category: ({ path, text }: NamedText) => readCategory(path, text),
  variables: ({ text }: NamedText) => readVariables(text),
  navigation: ({ path, text }: NamedText) => {
    const problems: ImportProblem[] = []
    return { navigation: readNavigationFile(path, text, (problem) => problems.push(problem)), problems }
  },
  frontMatter: ({ path, text }: NamedText) => frontMatterProblem(path, text),
  toml: ({ text }: NamedText) => yamlOfToml(text),
}

type Results = { [Name in keyof typeof works]: ReturnType<(typeof works)[Name]> }
type WorkName = keyof Results
export type TextWorkTask = NamedText & { work: WorkName }

export const textWork: { [Name in WorkName]: (given: NamedText) => Results[Name] } = works

/** Undefined, and told by `onProblem`, when it takes too long. */
export async function workOnText<Name extends WorkName>(
  threads: Threads,
  work: Name,
  given: NamedText,
  onProblem: (problem: ImportProblem) => void,
): Promise<Results[Name] | undefined> {
  if (!isHeavyYaml(given.text)) return textWork[work](given)
  try {
    return await ask<Results[Name]>(threads, { ...given, work })
  } catch (error) {
    if (!(error instanceof ThreadError) || error.code === 'stopped') throw error
    onProblem({ path: given.path, message: 'It takes too much time or memory to read.' })
    return undefined
  }
}
