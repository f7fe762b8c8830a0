/** The wiki of a repository as a docs repository: its links are made plain ones, and its sidebar the table of contents. */
import { folderOf, nameOf } from '../repository/paths.ts'
import type { ImportedFile } from './tree.ts'

export async function readWiki(
  files: readonly ImportedFile[],
  {
    textOf,
    makeFile,
  }: { textOf: (file: ImportedFile) => Promise<string>; makeFile: (path: string, text: string) => ImportedFile },
): Promise<ImportedFile[]> {
  const pages = files.filter(({ path }) => /\.(md|markdown)$/i.test(path) && !isPart(path))
  const isPage = new Set(pages)
  const paths = new Map(pages.map(({ path }) => [keyOf(nameOf(path).replace(/\.\w+$/, '')), path]))
  const sidebar = files.find(({ path }) => /^_sidebar\.md$/i.test(path))
  const made: ImportedFile[] = []
  for (const file of files) {
    if (isPart(file.path)) continue
    if (!isPage.has(file)) made.push(file)
    else {
      const name = nameOf(file.path).replace(/\.\w+$/, '')
      const text = withLinks(await textOf(file), folderOf(file.path), paths)
      // The name of its file is the title of a page of a wiki.
      const titled = /^\s*#[ \t]/.test(text) ? text : `# ${name.replace(/-/g, ' ')}\n\n${text}`
      made.push(makeFile(file.path.replace(/\.markdown$/i, '.md'), titled))
    }
  }
  if (sidebar) {
    const text = withLinks(await textOf(sidebar), '', paths)
    const home = paths.get('home')
    const first = home !== undefined && !text.includes('(README.md)') ? '* [Home](README.md)\n\n' : ''
    made.push(makeFile('SUMMARY.md', first + text))
  }
  return made.map((file) => (file.path === 'Home.md' ? { ...file, path: 'README.md' } : file))
}

const isPart = (path: string): boolean => /^_(sidebar|footer|header)\.\w+$/i.test(nameOf(path))

/** Pages are found whatever the case of their names, and with spaces for hyphens. */
const keyOf = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '-')

function withLinks(text: string, folder: string, paths: ReadonlyMap<string, string>): string {
  const up =
    folder === ''
      ? ''
      : folder
          .split('/')
          .map(() => '../')
          .join('')
  const target = (name: string): string | undefined => {
    const [page = '', anchor] = name.split('#')
    const path = paths.get(keyOf(decode(page)))
    if (path === undefined) return undefined
    const file = path === 'Home.md' ? 'README.md' : path.replace(/\.markdown$/i, '.md')
    return `${up}${encode(file)}${anchor === undefined ? '' : `#${anchor}`}`
  }
  // No name goes past where the next could begin: rows of brackets are gone through once.
  return outsideCode(text, (part) =>
    part
      .replace(/\[\[([^[\]|\n]+)(?:\|([^[\]\n]+))?\]\]/g, (whole, first: string, second?: string) => {
        const name = second ?? first
        if (/\.(png|jpe?g|gif|svg|webp)$/i.test(first)) return `![${second ?? ''}](${up}${encode(first.trim())})`
        const found = /^https?:/.test(name.trim()) ? name.trim() : target(name)
        return found === undefined ? (second === undefined ? whole : first) : `[${first}](${found})`
      })
      .replace(/\]\((?:https:\/\/github\.com\/[\w.-]+\/[\w.-]+\/wiki\/)?([^()\s:]+)\)/g, (whole, name: string) => {
        const found =
          /\.\w{2,4}(#|$)/.test(name) && !/\.md(#|$)/i.test(name) ? undefined : target(name.replace(/\.md(?=#|$)/i, ''))
        return found === undefined ? whole : `](${found})`
      }),
  )
}

/** Changes all but what stands in code. */
function outsideCode(text: string, change: (part: string) => string): string {
  return text
    .split(/(^ {0,3}```[\s\S]*?^ {0,3}```[^\n]*$|`[^`\n]+`)/m)
    .map((part, at) => (at % 2 === 1 ? part : change(part)))
    .join('')
}

const encode = (path: string): string =>
  path.replace(/ /g, '%20').replace(/[()]/g, (sign) => (sign === '(' ? '%28' : '%29'))

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
