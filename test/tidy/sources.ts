/** The sources as the tests of this folder read them: their text, and what they import. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url))

export interface Source {
  file: string
  text: string
  /** Files of ours, from the root. */
  imports: string[]
  /** Those of them that are needed while it runs: not for their types alone. */
  values: string[]
  /** Packages and modules of Node. */
  modules: string[]
}

export const sources = filesIn('src').map(read)
export const tests = [...filesIn('test'), ...filesIn('bench')].map(read)
export const scripts = [...filesIn('scripts', /\.js$/), ...filesIn('bench', /\.js$/), ...filesIn('test', /\.js$/)].map(
  read,
)

export function filesIn(folder: string, named = /\.tsx?$/): string[] {
  const full = join(root, folder)
  if (!existsSync(full)) return []
  return readdirSync(full, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && named.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .sort()
}

function read(file: string): Source {
  const text = readFileSync(join(root, file), 'utf8')
  const named = [
    ...text.matchAll(
      /(?:^|\n)\s*(?:import|export)\b[^'"`;]*?\bfrom\s*'([^']+)'|\bimport\(\s*'([^']+)'\s*\)|(?:^|\n)import\s+'([^']+)'/g,
    ),
  ].map((match) => match[1] ?? match[2] ?? match[3] ?? '')
  const isOurs = (name: string) => name.startsWith('.')
  return {
    file,
    text,
    imports: named.filter(isOurs).map((name) => normalize(join(dirname(file), name))),
    values: [...text.matchAll(/(?:^|\n)(?:import|export)\s+(?!type\b)([^'"`;]*?)\bfrom\s*'(\.[^']+)'/g)]
      .filter(([, names = '']) => names.split(',').some((name) => !/^\s*\{?\s*(type\b|\}|$)/.test(name)))
      .map(([, , name = '']) => normalize(join(dirname(file), name))),
    modules: named.filter((name) => !isOurs(name)).map(packageOf),
  }
}

function packageOf(name: string): string {
  if (name.startsWith('node:')) return name
  const [first = '', second = ''] = name.split('/')
  return name.startsWith('@') ? `${first}/${second}` : first
}

/** `src/http/serve.ts` is in `http`; `src/main.ts` is a room by itself. */
export const roomOf = (file: string): string => (file.split('/')[1] ?? '').replace(/\.ts$/, '')

/** The text without comments and strings, roughly: enough to look for words. */
export const code = (text: string): string =>
  text
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/(^|[^:'"`\\])\/\/[^\n]*/g, '$1')
    .replace(/'(?:[^'\\\n]|\\.)*'/g, "''")
