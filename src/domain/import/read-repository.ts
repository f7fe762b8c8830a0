/** A docs repository (a folder of Markdown, with or without a table of contents) as an imported tree. */
import type { ContentRef } from '../../core/document/tree/nodes.ts'
import { fail } from '../../core/errors.ts'
import { type ImportedFile, type ImportedText, type ImportedTree, repositoryOrigin } from '../../core/import/tree.ts'
import { configPath, type FileKind, kindOf, readConfig } from '../../core/repository/config.ts'
import { folderOf, isSafePath } from '../../core/repository/paths.ts'
import { type PlannedPage, planBySummary } from '../../core/repository/plan.ts'
import { planByFolders, skim } from '../../core/repository/plan-folders.ts'
import { readSummary } from '../../core/repository/summary.ts'
import { indexPaths, pathOfRef, resolveTarget } from '../../core/repository/targets.ts'
import { readVariables } from '../../core/repository/variables.ts'
import { maxPages } from '../../core/revision/content.ts'
import { maxPageBytes } from '../content/markdown/parsed.ts'
import { maxFileBytes } from '../content/write/files.ts'
import { blobName, readAll } from './store-file.ts'

/** How much a table of contents or a settings file may hold. */
const maxTextBytes = 32 * 1024 * 1024

export async function readRepository(
  files: readonly ImportedFile[],
  { origin = repositoryOrigin, onRead = () => {} }: { origin?: string; onRead?: () => void } = {},
): Promise<ImportedTree> {
  const sorted = [...files].sort((a, b) => (a.path < b.path ? -1 : 1))
  const settings = sorted.find(({ path }) => path === configPath)
  const config = readConfig(settings && (await textOf(settings, maxPageBytes)).markdown)
  const tree: ImportedTree = {
    origin,
    config,
    pages: [],
    texts: new Map(),
    includes: new Map(),
    files: [],
    redirects: [],
    problems: [],
    skipped: [],
  }
  let contents: string | undefined
  const isKind = ({ path }: ImportedFile, kind: FileKind): boolean => isSafePath(path) && kindOf(path, config) === kind
  const summary = sorted.find(({ path }) => path === config.summary) ?? sorted.find((file) => isKind(file, 'summary'))
  for (const file of sorted) {
    const { path, size } = file
    const kind = isSafePath(path) ? kindOf(path, config) : undefined
    if (kind === undefined || (kind === 'summary' && file !== summary)) tree.skipped.push(path)
    else if (size > maxFileBytes) throw fail('too_large', `${path} is larger than 100 MiB.`)
    else if (kind === 'page') tree.texts.set(path, await textOf(file, maxPageBytes))
    else if (kind === 'include') tree.includes.set(path, await textOf(file, maxPageBytes))
    else if (kind === 'summary') contents = (await textOf(file, maxTextBytes)).markdown
    else if (kind === 'variables') {
      tree.variables = readVariables((await textOf(file, maxPageBytes)).markdown)
      if (tree.variables === undefined) tree.files.push(file)
    } else tree.files.push(file)
    if (tree.texts.size > maxPages) throw fail('invalid_input', `There are more than ${maxPages} pages.`)
    onRead()
  }
  tree.pages = planOf(tree, contents)
  return tree
}

function planOf({ config, texts, includes, files }: ImportedTree, summary: string | undefined): PlannedPage[] {
  if (summary === undefined)
    return planByFolders(texts.keys(), { config, skimmed: (path) => skim(markdownOf(texts.get(path))) })
  // Pages are known by their paths here: their ids come when the tree is applied.
  const index = indexPaths([
    ...[...texts.keys()].map((path): [string, ContentRef] => [path, { kind: 'page', page: path }]),
    ...[...includes.keys(), ...files.map(({ path }) => path)].map((path): [string, ContentRef] => [
      path,
      { kind: 'file', file: path },
    ]),
  ])
  const find = (target: string) => {
    const ref = resolveTarget(index, target, folderOf(config.summary))
    const page = ref?.kind === 'page' || ref?.kind === 'anchor' ? ref.page : undefined
    const path = page === undefined ? undefined : pathOfRef(index, { kind: 'page', page })
    return path === undefined ? undefined : { path, anchor: target.includes('#') }
  }
  return planBySummary(readSummary(summary), { config, paths: new Set(texts.keys()), find })
}

const markdownOf = (text: ImportedText | undefined): string => (text && 'markdown' in text ? text.markdown : '')

async function textOf(file: ImportedFile, limit: number): Promise<{ markdown: string; oid: string }> {
  if (file.size > limit) throw fail('too_large', `${file.path} is larger than ${limit / 1024 / 1024} MiB.`)
  const bytes = await readAll(file, limit)
  return { markdown: new TextDecoder().decode(bytes), oid: blobName(bytes) }
}
