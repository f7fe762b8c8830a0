/**
 * Paths within a docs repository: segments joined by `/`, relative to the folder that was imported, never leaving it.
 */

export const isMarkdown = (path: string): boolean => /\.md$/i.test(path)

/** README.md, index.md and Hugo's _index.md stand for the folder they lie in. */
export const isFolderPage = (path: string): boolean => /(^|\/)(readme|_?index)\.md$/i.test(path)

export const folderOf = (path: string): string => (path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '')

export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

export const within = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`)

export const isWithin = (folder: string, path: string): boolean => folder === '' || path.startsWith(`${folder}/`)

/** Where the pages below a page lie: beside a README, in a folder of its own name beside any other file. */
export const folderBelow = (path: string): string => (isFolderPage(path) ? folderOf(path) : path.replace(/\.md$/i, ''))

/** A relative or root-absolute path, seen from a folder; undefined when it leads out of the repository. */
export function resolvePath(folder: string, target: string): string | undefined {
  const parts = target.startsWith('/') || folder === '' ? [] : folder.split('/')
  for (const part of target.split('/')) {
    if (part === '..') {
      if (parts.pop() === undefined) return undefined
    } else if (part !== '.' && part !== '') parts.push(part)
  }
  return parts.join('/')
}

/** The way from a folder to a file: `setup.md`, `../api/auth.md`. */
export function relativePath(folder: string, path: string): string {
  const here = folder === '' ? [] : folder.split('/')
  const there = path.split('/')
  let shared = 0
  while (shared < here.length && shared < there.length - 1 && here[shared] === there[shared]) shared++
  return [...here.slice(shared).map(() => '..'), ...there.slice(shared)].join('/')
}

/** Folders of other tools: never docs, and often larger than all the rest. */
export const isForeignFolder = (name: string): boolean =>
  (name.startsWith('.') && name !== '.gitbook' && name !== '.vitepress') || name === 'node_modules'

/** The form in which two names are one: not every disk tells `A` from `a`, or the two spellings of `é`. */
export const foldPath = (path: string): string => path.normalize('NFC').toLowerCase()

const maxPathLength = 1000
const maxNameBytes = 240

/** Whether a path can be written on any disk without leaving its folder or meeting what git keeps there. */
export function isSafePath(path: string): boolean {
  if (path === '' || path.length > maxPathLength || /[\u0000-\u001f\u007f-\u009f\\\ufffd]/.test(path)) return false
  return path.split('/').every((part) => !/^\.*$/.test(part) && !/^\.git$/i.test(part) && bytesOf(part) <= 255)
}

/** A name for a file or folder, made of any text. */
export function safeName(text: string): string {
  let name = text
    .normalize('NFC')
    .replace(/[\u0000-\u001f\u007f-\u009f<>:"/\\|?*#%\ufffd]+/g, '-')
    .replace(/^[\s.]+|[\s.]+$/g, '')
  while (bytesOf(name) > maxNameBytes) name = Array.from(name).slice(0, -1).join('').trimEnd()
  return name === '' || /^(con|prn|aux|nul|com\d|lpt\d|node_modules)(\.|$)/i.test(name) ? `_${name}` : name
}

/** How many bytes a text has in UTF-8. */
export function bytesOf(text: string): number {
  let bytes = 0
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4
  }
  return bytes
}

/** A path as the target of a link. */
export function spellPath(path: string): string {
  const spelt = /[#?]|^\s|\s$/.test(path)
    ? path.replace(/[%#?]|^\s|\s$/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`)
    : path
  // `a:b.md` would be an address.
  return /^[a-z][a-z0-9+.-]*:/i.test(spelt) ? `./${spelt}` : spelt
}
