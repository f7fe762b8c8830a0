/**
 * Which file of a repository is what: `.gitbook.yaml` says where the docs lie, and names decide the rest.
 */
import { yamlValue } from '../yaml.ts'
import { foldPath, isMarkdown, isWithin, resolvePath, within } from './paths.ts'

export interface RepositoryConfig {
  /** The folder that holds the docs; empty for the repository itself. */
  root: string
  /** The front page and the table of contents, from the root of the repository. */
  readme: string
  summary: string
}

export const configPath = '.gitbook.yaml'

export type FileKind = 'config' | 'summary' | 'variables' | 'include' | 'page' | 'file'

/** Reads `.gitbook.yaml`; what it does not say, or says wrong, is as without it. */
export function readConfig(source: string | undefined): RepositoryConfig {
  const settings = source === undefined ? {} : mapIn(source)
  const root = pathIn('', settings.root) ?? ''
  const structure = isObject(settings.structure) ? settings.structure : {}
  const markdown = (value: unknown): string | undefined => {
    const path = pathIn(root, value)
    return path !== undefined && isMarkdown(path) && !hasHidden(path) ? path : undefined
  }
  const readme = markdown(structure.readme) ?? within(root, 'README.md')
  const summary = markdown(structure.summary) ?? within(root, 'SUMMARY.md')
  return { root, readme, summary: summary === readme ? within(root, 'SUMMARY.md') : summary }
}

/** The redirects of `.gitbook.yaml`: from an old path to the file of a page. */
export function readRedirects(source: string | undefined): { from: string; to: string }[] {
  const { redirects } = source === undefined ? {} : mapIn(source)
  if (!isObject(redirects)) return []
  return Object.entries(redirects).flatMap(([from, to]) => (typeof to === 'string' ? [{ from, to }] : []))
}

export const assetsFolder = ({ root }: RepositoryConfig): string => within(root, '.gitbook/assets')
export const includesFolder = ({ root }: RepositoryConfig): string => within(root, '.gitbook/includes')
export const variablesPath = ({ root }: RepositoryConfig): string => within(root, '.gitbook/vars.yaml')

/** What a file is; undefined for what is no part of the docs: beside their folder, hidden, or of a package manager. */
export function kindOf(path: string, config: RepositoryConfig): FileKind | undefined {
  if (path === configPath) return 'config'
  if (!isWithin(config.root, path)) return undefined
  if (path === variablesPath(config)) return 'variables'
  if (isWithin(includesFolder(config), path) && isMarkdown(path)) return 'include'
  if (isWithin(within(config.root, '.gitbook'), path)) return 'file'
  if (hasHidden(config.root === '' ? path : path.slice(config.root.length + 1))) return undefined
  if (foldPath(path) === foldPath(config.summary)) return 'summary'
  return isMarkdown(path) ? 'page' : 'file'
}

const hasHidden = (path: string): boolean =>
  path.split('/').some((part) => part.startsWith('.') || part === 'node_modules')

function mapIn(source: string): Record<string, unknown> {
  const value = yamlValue(source)
  return isObject(value) ? value : {}
}

function pathIn(folder: string, value: unknown): string | undefined {
  if (typeof value !== 'string' || value.includes('\\')) return undefined
  return resolvePath(folder, value.replace(/^\/+/, ''))
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
