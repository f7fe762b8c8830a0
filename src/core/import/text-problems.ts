/** What is wrong with the text of a file, told with its line, and the text as it can be read all the same. */
import { maxFrontMatter, sourceOfFrontMatter } from '../document/syntax/front-matter.ts'
import { readYaml, type YamlRead } from '../yaml.ts'
import type { ImportProblem } from './tree.ts'

/** The line on which the front matter of a page cannot be read, if it has one that cannot. */
export function frontMatterProblem(path: string, markdown: string): ImportProblem | undefined {
  const source = sourceOfFrontMatter(markdown)
  if (source === undefined) return undefined
  const read =
    source.length > maxFrontMatter
      ? { problem: `It is longer than ${maxFrontMatter.toLocaleString('en')} characters` }
      : readYaml(source)
  const [problem] = yamlProblemsOf(path, read)
  return (
    problem && {
      ...problem,
      line: (problem.line ?? 1) + 1,
      message: `The front matter cannot be read: ${problem.message}`,
    }
  )
}

export const yamlProblems = (path: string, source: string): ImportProblem[] => yamlProblemsOf(path, readYaml(source))

export const yamlProblemsOf = (path: string, read: YamlRead): ImportProblem[] =>
  'problem' in read ? [{ path, line: read.line, message: `${read.problem.replace(/\.$/, '')}.` }] : []

/** The lines on which a table of contents names its targets; the first of each counts. */
export function linesOfTargets(source: string): Map<string, number> {
  const lines = new Map<string, number>()
  for (const [at, line] of source.split('\n').entries()) {
    for (const [, quoted, plain = ''] of line.matchAll(/\]\((?:<([^<>]*)|((?:[^()\s]|\([^()\s]*\))*))/g)) {
      const target = quoted ?? plain
      if (!lines.has(target)) lines.set(target, at + 1)
    }
  }
  return lines
}

/**
 * MDX as Markdown: lines that are JavaScript say nothing to a reader and go; parts of pages in files of their own (`_part.mdx`)
 * are included where they are shown.
 */
export function withoutModules(mdx: string): string {
  const parts = new Map<string, string>()
  let isCode = false
  const lines = withoutWrappers(mdx.split('\n')).filter((line) => {
    if (/^ {0,3}(```|~~~)/.test(line)) isCode = !isCode
    if (isCode) return true
    const [, name, target] = /^import\s+(\w+)\s+from\s+['"]([^'"]*\/_[^'"/]+)\.mdx?['"];?\s*$/.exec(line) ?? []
    if (name !== undefined && target !== undefined) parts.set(name, `${target}.md`)
    return !isModule(line)
  })
  if (parts.size === 0) return lines.join('\n')
  return lines
    .map((line) => {
      const part = parts.get(/^\s*<(\w+)\s*\/>\s*$/.exec(line)?.[1] ?? '')
      return part === undefined ? line : `{% include "${part}" %}`
    })
    .join('\n')
}

/** Docusaurus hides components from translators in fences called `mdx-code-block`: what they hold is no code. */
function withoutWrappers(lines: readonly string[]): string[] {
  let fence: { sign: string; isWrapper: boolean } | undefined
  return lines.filter((line) => {
    const [, sign, info = ''] = /^ {0,3}(`{3,}|~{3,})[ \t]*([^`]*)$/.exec(line.trimEnd()) ?? []
    if (sign === undefined) return true
    if (!fence) {
      fence = { sign, isWrapper: info === 'mdx-code-block' }
      return !fence.isWrapper
    }
    const isEnd = info === '' && sign.startsWith(fence.sign)
    if (!isEnd) return true
    const { isWrapper } = fence
    fence = undefined
    return !isWrapper
  })
}

const isModule = (line: string): boolean =>
  /^import\s+(?:[\w*{][^;]*\sfrom\s+)?['"][^'"]+['"];?\s*$/.test(line) ||
  /^export\s+(?:const|let|default)\s.*[;})\]'"`\d]\s*$/.test(line)
