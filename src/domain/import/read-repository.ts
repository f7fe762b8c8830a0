/**
 * A docs repository (a folder of Markdown) as an imported tree: by its table of contents, by that of another generator of
 * docs, or by its folders. What cannot be read is told and left out; the rest comes in.
 */
import { fail } from '../../core/errors.ts'
import { categoryFiles, readCategory } from '../../core/import/generators/category.ts'
import { type Navigation, navigationFiles, readNavigationFile } from '../../core/import/generators/navigation.ts'
import { type RouteSettings, readRouteSettings, routeSettingsFiles } from '../../core/import/generators/routes.ts'
import { repositoryOrigin } from '../../core/import/origins.ts'
import { yamlProblems } from '../../core/import/text-problems.ts'
import type { ImportedFile, ImportedTree } from '../../core/import/tree.ts'
import type { Skimmed } from '../../core/repository/arrange-folders.ts'
import {
  configPath,
  type FileKind,
  kindOf,
  type RepositoryConfig,
  readConfig,
  readRedirects,
} from '../../core/repository/config.ts'
import { isSafePath, isWithin, within } from '../../core/repository/paths.ts'
import { readVariables } from '../../core/repository/variables.ts'
import { maxPages } from '../../core/revision/content.ts'
import type { Threads } from '../../threads/supervisor.ts'
import { maxFileBytes } from '../content/write/files.ts'
import { arrangeRepository } from './arrange-repository.ts'
import { readText } from './read-text.ts'

type SourceFile = ImportedFile & { isMdx?: boolean }

export interface Sources {
  tree: ImportedTree
  /** The table of contents, with the file it was read from. */
  summary: { path: string; text: string } | undefined
  navigation: Navigation | undefined
  /** What the settings of another generator say of addresses. */
  routeSettings?: RouteSettings | undefined
  /** What files of their own say of folders. */
  categories: Map<string, Skimmed>
}

export interface RepositoryReading {
  threads: Threads
  origin?: string | undefined
  onRead?: () => void
}

export async function readRepository(
  given: readonly ImportedFile[],
  { threads, origin = repositoryOrigin, onRead = () => {} }: RepositoryReading,
): Promise<ImportedTree> {
  const files = withoutMdx(given).sort((a, b) => (a.path < b.path ? -1 : 1))
  const sources = await openSources(files, origin)
  const unread = new Set<string>()
  const tree = Object.assign(sources.tree, { unread })
  const isKind = ({ path }: ImportedFile, kind: FileKind): boolean =>
    isSafePath(path) && kindOf(path, tree.config) === kind
  const summary =
    files.find(({ path }) => path === tree.config.summary) ?? files.find((file) => isKind(file, 'summary'))
  for (const file of files) {
    const { path, size } = file
    // Read already.
    if (categoryFiles.test(path) || path === sources.navigation?.path) continue
    const kind = kindIn(file, sources)
    if (kind === undefined || (kind === 'summary' && file !== summary)) tree.skipped.push(path)
    else if (kind === 'page' || kind === 'include') {
      const read = await readText(file)
      tree.problems.push(...read.problems)
      if (read.isTooLarge && kind === 'page') {
        tree.texts.set(path, { markdown: '', oid: '' })
        unread.add(path)
      } else if (read.text === undefined) tree.skipped.push(path)
      else (kind === 'page' ? tree.texts : tree.includes).set(path, { markdown: read.text, oid: read.oid })
    } else if (kind === 'summary') sources.summary = { path, text: await textOf(file) }
    else if (kind === 'variables') {
      tree.variables = readVariables(await textOf(file))
      if (tree.variables === undefined) tree.files.push(file)
    } else if (size > maxFileBytes) {
      tree.skipped.push(path)
      tree.problems.push({ path, message: 'It is larger than 100 MiB, and was left out.' })
    } else tree.files.push(file)
    if (tree.texts.size > maxPages) throw fail('invalid_input', `There are more than ${maxPages} pages.`)
    onRead()
  }
  if (tree.texts.size === 0) tree.problems.push({ path: '.', message: 'There is no Markdown in it.' })
  return arrangeRepository(sources, threads)
}

/** Settings, and the tables of contents of other generators, which say where the docs lie. */
async function openSources(files: readonly ImportedFile[], origin: string): Promise<Sources> {
  const problems: ImportedTree['problems'] = []
  const settings = files.find(({ path }) => path === configPath)
  const settingsText = settings && (await textOf(settings))
  if (settingsText !== undefined) problems.push(...yamlProblems(configPath, settingsText))
  const categories = new Map<string, Skimmed>()
  for (const file of files.filter(({ path }) => categoryFiles.test(path))) {
    const text = await textOf(file)
    const { category, problems: found } = readCategory(file.path, text)
    problems.push(...found)
    if (category) categories.set(file.path.replace(/\/?[^/]*$/, ''), category)
  }
  const config = readConfig(settingsText)
  const hasContents = settings !== undefined || files.some(({ path }) => path === config.summary)
  const navigation = hasContents ? undefined : await findNavigation(files, (problem) => problems.push(problem))
  const tree: ImportedTree = {
    origin,
    config: navigation ? configFor(navigation.root) : config,
    pages: [],
    texts: new Map(),
    includes: new Map(),
    files: [],
    redirects: [...readRedirects(settingsText), ...(navigation?.redirects ?? [])],
    problems,
    skipped: [],
  }
  const [routing] = files
    .filter(({ path }) => routeSettingsFiles.test(path) && !path.includes('node_modules/'))
    .sort((a, b) => a.path.split('/').length - b.path.split('/').length)
  const routeSettings = routing && readRouteSettings(await textOf(routing))
  return { tree, summary: undefined, navigation, categories, routeSettings }
}

const configFor = (root: string): RepositoryConfig => ({
  root,
  readme: within(root, 'README.md'),
  summary: within(root, 'SUMMARY.md'),
})

/** The one nearest to the top whose folder of docs is there. */
async function findNavigation(
  files: readonly ImportedFile[],
  onProblem: (problem: ImportedTree['problems'][number]) => void,
): Promise<Navigation | undefined> {
  const found = files
    .filter(({ path }) => navigationFiles.test(path) && !path.includes('node_modules/'))
    .sort((a, b) => a.path.split('/').length - b.path.split('/').length)
  for (const file of found) {
    const navigation = readNavigationFile(file.path, await textOf(file), onProblem)
    if (!navigation) continue
    const isThere = files.some(({ path }) => isWithin(navigation.root, path) && /\.md$/i.test(path))
    if (isThere) return navigation
  }
  return undefined
}

/** What a file is. Beside the docs of another generator lie the pictures they show. */
function kindIn({ path, isMdx }: SourceFile, { tree, navigation }: Sources): FileKind | undefined {
  if (!isSafePath(path)) return undefined
  const kind = kindOf(path, tree.config)
  // A part of other pages, which they show by its name.
  if (kind === 'page' && isMdx && /(?:^|\/)_[^/]*$/.test(path)) return 'include'
  if (kind !== undefined || !navigation) return kind
  const isAsset = /(?:^|\/)(?:static|public|assets)\//.test(path) && !/(?:^|\/)(?:\.|node_modules\/)/.test(path)
  return isAsset && /\.(?:png|jpe?g|gif|svg|webp|avif|ico|pdf|mp4|zip)$/i.test(path) ? 'file' : undefined
}

/** `.mdx` is Markdown with modules; its pages have the names that they would have as Markdown. */
function withoutMdx(files: readonly ImportedFile[]): SourceFile[] {
  const names = new Set(files.map(({ path }) => path))
  return files.map((file) => {
    const name = file.path.replace(/\.(?:mdx|markdown)$/i, '.md')
    return name === file.path || names.has(name) ? file : { ...file, path: name, isMdx: /\.mdx$/i.test(file.path) }
  })
}

const textOf = async (file: ImportedFile): Promise<string> => (await readText(file, { isSettings: true })).text ?? ''
