/** The pages of a repository in their order, and its old addresses: what the tables of contents say, held against the files. */
import { lengthOfFrontMatter } from '../../core/document/syntax/front-matter.ts'
import type { ContentRef } from '../../core/document/tree/nodes.ts'
import { arrangeByNavigation } from '../../core/import/generators/arrange.ts'
import { writeDocCards } from '../../core/import/generators/doc-cards.ts'
import { routesOf } from '../../core/import/generators/routes.ts'
import { linesOfTargets } from '../../core/import/text-problems.ts'
import type { ImportedRedirect, ImportedText, ImportedTree } from '../../core/import/tree.ts'
import { type ArrangedPage, arrangeBySummary } from '../../core/repository/arrange.ts'
import { arrangeByFolders, type Skimmed, skim } from '../../core/repository/arrange-folders.ts'
import { folderOf } from '../../core/repository/paths.ts'
import { readSummary, type SummaryEntry, type SummaryPart } from '../../core/repository/summary.ts'
import { piecesOfSummary } from '../../core/repository/summary-pieces.ts'
import { indexPaths, type PathIndex, pathOfRef, resolveTarget } from '../../core/repository/targets.ts'
import { TimeSlices, yieldLoop } from '../../store/time-slices.ts'
import type { Threads } from '../../threads/supervisor.ts'
import { isHeavyYaml } from '../content/markdown/markdown.ts'
import type { Sources } from './read-repository.ts'
import { readSummaryAside } from './texts-aside.ts'

export async function arrangeRepository(sources: Sources, threads: Threads): Promise<ImportedTree> {
  const { tree } = sources
  // Pages are known by their paths here: their ids come when the tree is applied.
  const index = indexPaths([
    ...[...tree.texts.keys()].map((path): [string, ContentRef] => [path, { kind: 'page', page: path }]),
    ...[...tree.includes.keys(), ...tree.files.map(({ path }) => path)].map((path): [string, ContentRef] => [
      path,
      { kind: 'file', file: path },
    ]),
  ])
  const skimmable = new Map([...tree.texts].map(([path, text]) => [path, { markdown: skimmableOf(text) }] as const))
  const pages = await arrangePages({ ...sources, skimmable }, index, threads)
  const { summary, routeSettings: settings } = sources
  const slices = new TimeSlices()
  const { root } = tree.config
  const routes =
    summary === undefined ? await routesOf(skimmable, { root, settings, breathe: () => slices.next() }) : undefined
  return {
    ...tree,
    pages,
    texts: new Map([...tree.texts, ...writeDocCards(pages, tree.texts)]),
    routes,
    redirects: tree.redirects.flatMap((redirect) => knownRedirect(redirect, sources, index)),
  }
}

type Skimmable = ReadonlyMap<string, { markdown: string }>

/** A page whose front matter takes long to read stands by its name and heading, as without it. */
function skimmableOf(text: ImportedText): string {
  const markdown = markdownOf(text)
  const length = lengthOfFrontMatter(markdown)
  return isHeavyYaml(markdown.slice(0, length)) ? markdown.slice(length) : markdown
}

async function arrangePages(
  { tree, summary, navigation, categories, skimmable }: Sources & { skimmable: Skimmable },
  index: PathIndex,
  threads: Threads,
): Promise<ArrangedPage[]> {
  const { config, texts, problems } = tree
  const skimmed = summary === undefined ? await skimAll(skimmable) : new Map<string, Skimmed>()
  const byFolders = (paths: Iterable<string>): ArrangedPage[] =>
    arrangeByFolders(paths, {
      config,
      skimmed: (path) => skimmed.get(path) ?? {},
      category: (folder) => categories.get(folder),
    })
  if (navigation) {
    const onProblem = (problem: ImportedTree['problems'][number]): void => void problems.push(problem)
    return arrangeByNavigation(navigation, { paths: new Set(texts.keys()), byFolders, onProblem })
  }
  if (summary === undefined) return byFolders(texts.keys())
  const find = (target: string) => {
    const path = pageAt(index, target, folderOf(config.summary))
    return path === undefined ? undefined : { path, anchor: target.includes('#') }
  }
  const parts = await readContents(summary.text, threads)
  const lines = linesOfTargets(summary.text)
  for (const { entries } of parts) tellMissing(entries, { index, path: summary.path, lines, tree })
  return arrangeBySummary(parts, { config, paths: new Set(texts.keys()), find })
}

/** Reading a longer piece takes more than some milliseconds; starting a thread for it takes some hundred. */
const longPiece = 8 * 1024

async function readContents(text: string, threads: Threads): Promise<SummaryPart[]> {
  const parts: SummaryPart[] = []
  for (const summary of piecesOfSummary(text)) {
    const piece = { summary, isBegun: parts.length > 0 }
    parts.push(...(summary.length < longPiece ? readSummary(summary, piece) : await readSummaryAside(threads, piece)))
    await yieldLoop()
  }
  return parts
}

async function skimAll(texts: Skimmable): Promise<Map<string, Skimmed>> {
  const slices = new TimeSlices()
  const found = new Map<string, Skimmed>()
  for (const [path, { markdown }] of texts) {
    found.set(path, skim(markdown))
    await slices.next()
  }
  return found
}

function pageAt(index: PathIndex, target: string, folder: string): string | undefined {
  const ref = resolveTarget(index, target, folder)
  const page = ref?.kind === 'page' || ref?.kind === 'anchor' ? ref.page : undefined
  return page === undefined ? undefined : pathOfRef(index, { kind: 'page', page })
}

const markdownOf = (text: ImportedText | undefined): string => (text && 'markdown' in text ? text.markdown : '')

/** Entries that name a file which is not there. */
function tellMissing(
  entries: readonly SummaryEntry[],
  found: { index: PathIndex; path: string; lines: ReadonlyMap<string, number>; tree: ImportedTree },
): void {
  const { index, path, lines, tree } = found
  for (const { target, children } of entries) {
    const isLocal = target !== undefined && target !== '' && !/^([a-z][a-z0-9+.-]*:|\/\/|#|\/)/i.test(target)
    if (isLocal && !resolveTarget(index, target, folderOf(path)))
      tree.problems.push({
        path,
        line: lines.get(target),
        message: `It names ${target}, which is not there.`,
      })
    tellMissing(children, found)
  }
}

/** A redirect whose page is there, from a path as readers ask for it. */
function knownRedirect(
  { from, to }: ImportedRedirect,
  { tree, navigation }: Sources,
  index: PathIndex,
): ImportedRedirect[] {
  const path = pageAt(index, to.replace(/^\//, ''), tree.config.root) ?? pageAt(index, to.replace(/^\//, ''), '')
  const source = from
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/')
  if (path !== undefined && source !== '') return [{ from: source, to: path }]
  const where = navigation?.path ?? '.gitbook.yaml'
  tree.problems.push({ path: where, message: `It redirects ${from} to ${to}, which is not there.` })
  return []
}
