/**
 * A docs repository (a folder of Markdown) as an imported tree: by its table of contents, by that of another generator of
 * docs, or by its folders. What cannot be read is told and left out; the rest comes in.
 */
import { fail } from '../../core/errors.ts'
import { categoryFiles } from '../../core/import/generators/category.ts'
import { type FindInHugo, finderInHugo, findHugo, isTranslation } from '../../core/import/generators/hugo.ts'
import { type Navigation, navigationFiles } from '../../core/import/generators/navigation.ts'
import { type RouteSettings, readRouteSettings, routeSettingsFiles } from '../../core/import/generators/routes.ts'
import { repositoryOrigin } from '../../core/import/origins.ts'
import type { ImportedFile, ImportedTree, ImportProblem } from '../../core/import/tree.ts'
import type { Skimmed } from '../../core/repository/arrange-folders.ts'
import { configPath, type FileKind, kindOf, type RepositoryConfig, readConfig } from '../../core/repository/config.ts'
import { isSafePath, isWithin, within } from '../../core/repository/paths.ts'
import { maxPages } from '../../core/revision/content.ts'
import type { Threads } from '../../threads/supervisor.ts'
import { maxFileBytes } from '../content/write/files.ts'
import { arrangeRepository } from './arrange-repository.ts'
import { readText } from './read-text.ts'
import { workOnText } from './text-work.ts'

type SourceFile = ImportedFile & { isMdx?: boolean }

export interface Sources {
  tree: ImportedTree
  /** The table of contents, with the file it was read from. */
  summary: { path: string; text: string } | undefined
  navigation: Navigation | undefined
  /** Where it is written for Hugo. */
  findInHugo?: FindInHugo | undefined
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
  const named = withoutMdx(given).sort((a, b) => (a.path < b.path ? -1 : 1))
  const sources = await openSources(named, { origin, threads })
  const isMkDocs = named.some(({ path }) => /^(?:[^/]+\/)?mkdocs\.ya?ml$/.test(path))
  const files = sources.hasContents ? named : openHugo(named, sources)
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
      const read = await readText(file, { threads, findInHugo: sources.findInHugo, isMkDocs })
      tree.problems.push(...read.problems)
      if (read.isTooLarge && kind === 'page') {
        tree.texts.set(path, { markdown: '', oid: '' })
        unread.add(path)
      } else if (read.text === undefined) tree.skipped.push(path)
      else (kind === 'page' ? tree.texts : tree.includes).set(path, { markdown: read.text, oid: read.oid })
    } else if (kind === 'summary') sources.summary = { path, text: await textOf(file) }
    else if (kind === 'variables') {
      const given = { path, text: await textOf(file) }
      tree.variables = await workOnText(threads, 'variables', given, (problem) => tree.problems.push(problem))
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
async function openSources(
  files: readonly ImportedFile[],
  { origin, threads }: { origin: string; threads: Threads },
): Promise<Sources & { hasContents: boolean }> {
  const problems: ImportProblem[] = []
  const onProblem = (problem: ImportProblem): void => void problems.push(problem)
  const settings = files.find(({ path }) => path === configPath)
  const configured =
    settings && (await workOnText(threads, 'settings', { path: configPath, text: await textOf(settings) }, onProblem))
  problems.push(...(configured?.problems ?? []))
  const categories = new Map<string, Skimmed>()
  for (const file of files.filter(({ path }) => categoryFiles.test(path))) {
    const given = { path: file.path, text: await textOf(file) }
    const read = await workOnText(threads, 'category', given, onProblem)
    problems.push(...(read?.problems ?? []))
    if (read?.category) categories.set(file.path.replace(/\/?[^/]*$/, ''), read.category)
  }
  const config = configured?.config ?? readConfig(undefined)
  const hasContents = settings !== undefined || files.some(({ path }) => path === config.summary)
  const navigation = hasContents ? undefined : await findNavigation(files, threads, onProblem)
  const tree: ImportedTree = {
    origin,
    config: navigation ? configFor(navigation.root) : config,
    pages: [],
    texts: new Map(),
    includes: new Map(),
    files: [],
    redirects: [...(configured?.redirects ?? []), ...(navigation?.redirects ?? [])],
    problems,
    skipped: [],
  }
  const [routing] = files
    .filter(({ path }) => routeSettingsFiles.test(path) && !path.includes('node_modules/'))
    .sort((a, b) => a.path.split('/').length - b.path.split('/').length)
  const routeSettings = routing && readRouteSettings(await textOf(routing))
  return {
    tree,
    summary: undefined,
    navigation,
    categories,
    routeSettings,
    hasContents: hasContents || navigation !== undefined,
  }
}

/** The files in one language, where they are written for Hugo, and where their pages lie. */
function openHugo(files: SourceFile[], sources: Sources): SourceFile[] {
  const names = new Set(files.map(({ path }) => path))
  const content = findHugo([...names])
  if (!content) return files
  const { tree } = sources
  tree.config = configFor(content.root)
  if (content.others.length > 0)
    tree.problems.push({
      path: content.root,
      message: `Only this language comes in. Import ${content.others.join(', ')} into spaces of their own.`,
    })
  sources.findInHugo = finderInHugo([...names], content.root)
  tree.skipped.push(...[...names].filter((path) => isTranslation(path, names)))
  return files.filter(({ path }) => !isTranslation(path, names))
}

const configFor = (root: string): RepositoryConfig => ({
  root,
  readme: within(root, 'README.md'),
  summary: within(root, 'SUMMARY.md'),
})

/** The one nearest to the top whose folder of docs is there. */
async function findNavigation(
  files: readonly ImportedFile[],
  threads: Threads,
  onProblem: (problem: ImportProblem) => void,
): Promise<Navigation | undefined> {
  const found = files
    .filter(({ path }) => navigationFiles.test(path) && !path.includes('node_modules/'))
    .sort((a, b) => a.path.split('/').length - b.path.split('/').length)
  for (const file of found) {
    const read = await workOnText(threads, 'navigation', { path: file.path, text: await textOf(file) }, onProblem)
    for (const problem of read?.problems ?? []) onProblem(problem)
    const navigation = read?.navigation
    if (!navigation) continue
    const isThere = files.some(({ path }) => isWithin(navigation.root, path) && /\.md$/i.test(path))
    if (isThere) return navigation
  }
  return undefined
}

/** What a file is. Beside the docs of another generator lie the pictures they show. */
function kindIn({ path, isMdx }: SourceFile, { tree, navigation, findInHugo }: Sources): FileKind | undefined {
  if (!isSafePath(path)) return undefined
  const kind = kindOf(path, tree.config)
  // A part of other pages, which they show by its name.
  if (kind === 'page' && isMdx && /(?:^|\/)_[^/]*$/.test(path)) return 'include'
  if (kind !== undefined || !(navigation || findInHugo)) return kind
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
