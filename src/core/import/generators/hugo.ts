/** Folders written for Hugo: where their pages lie, what they are called here, and their front matter as YAML. */
import { parse, TomlError } from 'smol-toml'
import { maxFrontMatter, printYaml } from '../../document/syntax/front-matter.ts'
import { plainObject } from '../../document/tree/fields.ts'
import { folderOf, foldPath, isWithin, nameOf, relativePath, resolvePath, within } from '../../repository/paths.ts'

export interface HugoContent {
  /** The folder of its pages, in one language. */
  root: string
  /** Folders of the same pages in other languages, which are left out. */
  others: string[]
}

const settings = /(?:^|\/)(?:hugo\.(?:toml|ya?ml|json)|config\.(?:toml|ya?ml|json)|config\/_default\/[^/]+)$/
const isPage = (path: string): boolean => /\.md$/i.test(path)
const isSectionPage = (path: string): boolean => nameOf(path) === '_index.md'

/** Undefined when the files are not laid out as Hugo wants them: pages of sections are called `_index.md`. */
export function findHugo(paths: readonly string[]): HugoContent | undefined {
  const pages = paths.filter(isPage)
  const section = pages.find(isSectionPage)
  if (section === undefined) return undefined
  const [base] = paths
    .filter((path) => settings.test(path))
    .map((path) => folderOf(path).replace(/(?:^|\/)config(?:\/_default)?$/, ''))
    .filter((folder) => pages.some((path) => isWithin(within(folder, 'content'), path)))
    .sort((a, b) => a.length - b.length)
  const named = /^(?:.*\/)?content(?=\/)/.exec(section)?.[0]
  return inOneLanguage(base === undefined ? (named ?? '') : within(base, 'content'), pages)
}

const language = /^[a-z]{2}(?:-[a-z]{2,4})?$/i

/** Of `content/en` and `content/de` one comes in: translations are spaces of their own. */
function inOneLanguage(root: string, pages: readonly string[]): HugoContent {
  const inner = pages
    .filter((path) => isWithin(root, path))
    .map((path) => path.slice(root === '' ? 0 : root.length + 1))
  const folders = [...new Set(inner.map((path) => (path.includes('/') ? (path.split('/', 1)[0] ?? '') : '')))]
  const found = folders.filter((folder) => folder !== '')
  if (found.length === 0 || !found.every((folder) => language.test(folder))) return { root, others: [] }
  const chosen = found.find((folder) => /^en(?:-|$)/i.test(folder)) ?? found.sort()[0] ?? ''
  return {
    root: within(root, chosen),
    others: found.filter((folder) => folder !== chosen).map((folder) => within(root, folder)),
  }
}

/** Whether a file is a page in another language than the one that comes in: `setup.de.md` beside `setup.md` or `setup.en.md`. */
export function isTranslation(path: string, names: ReadonlySet<string>): boolean {
  const [, stem = '', code = ''] = /^(.*[^/])\.([a-z]{2}(?:-[a-z]{2,4})?)\.md$/i.exec(path) ?? []
  return stem !== '' && (names.has(`${stem}.md`) || (!/^en$/i.test(code) && names.has(`${stem}.en.md`)))
}

/** The page that a reference on a page names, as the target of a link. */
export type FindInHugo = (target: string, from: string) => string | undefined

/** A reference names a file, with or without its ending: from its page, from the root of the content, or by its name alone. */
export function finderInHugo(paths: readonly string[], root: string): FindInHugo {
  const known = new Map<string, string>()
  const byName = new Map<string, string | undefined>()
  for (const path of paths) {
    if (!isWithin(root, path) || !path.endsWith('.md')) continue
    const stem = foldPath(path.replace(/\.md$/, ''))
    known.set(stem, path)
    const name = stem.replace(/\/_?index$/, '').replace(/^.*\//, '')
    byName.set(name, byName.has(name) ? undefined : path)
  }
  return (target, from) => {
    const plain = target.replace(/\.md$/i, '').replace(/\/$/, '')
    const folders = plain.startsWith('/') ? [root] : [folderOf(from), root]
    const stems = folders.flatMap((folder) => resolvePath('', within(folder, plain.replace(/^\//, ''))) ?? [])
    const found =
      stems.flatMap((stem) => ['', '/_index', '/index'].flatMap((own) => known.get(foldPath(stem + own)) ?? []))[0] ??
      (plain.includes('/') ? undefined : byName.get(foldPath(plain)))
    return found && relativePath(folderOf(from), found)
  }
}

const tomlFences = /^\uFEFF?\+\+\+[ \t]*\r?\n(?:([\s\S]*?)\n)?\+\+\+[ \t]*(?:\r?\n|$)/

/** The front matter in TOML with its fences, if a text begins with such. */
export const tomlOf = (markdown: string): string => tomlFences.exec(markdown.slice(0, maxFrontMatter))?.[0] ?? ''

/** The same as YAML, or what is wrong with it and on which line. */
export function yamlOfToml(fenced: string): { yaml: string } | { problem: string; line: number } {
  try {
    const value = plainObject(withoutDates(parse(tomlFences.exec(fenced)?.[1] ?? '')), '')
    return { yaml: `---\n${Object.keys(value).length === 0 ? '' : printYaml(value)}---\n` }
  } catch (error) {
    const line = error instanceof TomlError ? error.line : 1
    const [, message] = /^Invalid TOML document: (.*)/.exec(error instanceof Error ? error.message : '') ?? []
    return { problem: `The front matter cannot be read: ${message ?? 'It is no TOML'}.`, line: line + 1 }
  }
}

function withoutDates(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return value.map(withoutDates)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withoutDates(one)]))
}

/** A draft is there and shown to nobody. */
export const hideDraft = (frontMatter: string): string => frontMatter.replace(/^draft: *true *$/m, 'hidden: true')
