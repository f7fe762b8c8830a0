/** What can be brought in: which kinds a file on this device may be, by the ending of its name, and what a run is called. */
import { importSources } from '../../core/enumerations.ts'
import type { Output } from '../session/client.ts'
import type { PathedFile } from './zip-files.ts'

export type Run = Output<'getImportRun'>
export type Source = Run['source']['type']
export type UploadSource = Exclude<Source, 'website'>

/** What an address may lead to, beside a website. */
export const addressSources = importSources.filter((source) => source !== 'website')

const byEnding: readonly [RegExp, readonly UploadSource[]][] = [
  [/\.zip$/i, ['zip', 'confluence', 'notion', 'google-docs', 'github-wiki', 'html', 'markdown', 'docx']],
  [/\.docx$/i, ['docx']],
  [/\.(md|mdx|markdown)$/i, ['markdown']],
  [/\.x?html?$/i, ['html', 'google-docs']],
]

/** The likeliest first; none for what cannot be brought in. */
const sourcesOfFile = (name: string): readonly UploadSource[] =>
  byEnding.find(([ending]) => ending.test(name))?.[1] ?? []

/** Of several files together. One of them at least must become a page. */
export function sourcesOfFiles(files: readonly PathedFile[]): readonly UploadSource[] {
  const [first] = files
  if (first && files.length === 1 && !first.path.includes('/')) return sourcesOfFile(first.file.name)
  const pages = files.filter(({ path }) => sourcesOfFile(path).length > 0 && !/\.zip$/i.test(path))
  if (pages.length === 0) return []
  return pages.every(({ path }) => /\.docx$/i.test(path))
    ? ['docx']
    : ['zip', 'confluence', 'notion', 'google-docs', 'github-wiki']
}

/** Above this no server takes anything, whatever its operator has set. */
export const mostBytes = 10_000 * 1024 * 1024

export const isUnderWay = ({ status }: Pick<Run, 'status'>): boolean => status === 'pending' || status === 'in-progress'

/** The name of what was sent, or the address without what may be a key. */
export function nameOfRun({ source: { url } }: Pick<Run, 'source'>): string {
  if (!url.startsWith('upload:')) return url.replace(/^https?:\/\//i, '').replace(/[?#].*$/s, '')
  try {
    return decodeURIComponent(url.slice('upload:'.length))
  } catch {
    return url.slice('upload:'.length)
  }
}
