/** What hosts repositories, and where it shows their files and commits to people. */
import type { gitProviders, OneOf } from '../enumerations.ts'

export type GitProvider = OneOf<typeof gitProviders>

export interface RepositoryHost {
  provider?: GitProvider | undefined
  /** `owner/name`, or the name of a folder. */
  name: string
  /** Addresses behind which the path of a file, or the id of a commit, is put. */
  treeUrl?: string | undefined
  commitUrl?: string | undefined
}

interface RepositoryLinks {
  /** Without credentials. */
  url: string
  /** The full name of a branch or tag. */
  ref: string
  provider?: GitProvider | undefined
  /** Its page on the web, where that is not at its address. */
  pageUrl?: string | undefined
  treeUrl?: string | undefined
  commitUrl?: string | undefined
}

/** What can be told from its address, where nobody said it. */
export function hostOfRepository({
  url,
  ref,
  provider: given,
  pageUrl,
  treeUrl,
  commitUrl,
}: RepositoryLinks): RepositoryHost {
  const isWeb = /^https?:/i.test(url)
  const path = (isWeb ? url.replace(/^https?:\/\/[^/]*\//i, '') : url.replace(/^.*\/(?=[^/]+\/*$)/, ''))
    .replace(/\/+$/, '')
    .replace(/\.git$/i, '')
  const provider = given ?? (isWeb ? providerOf(url) : undefined)
  const page = (pageUrl ?? (isWeb && provider ? url : undefined))?.replace(/\/+$/, '').replace(/\.git$/i, '')
  const between = provider === 'gitlab' ? '/-' : ''
  const branch = ref.replace(/^refs\/(?:heads|tags)\//, '')
  return {
    provider,
    name: path,
    treeUrl: treeUrl ?? (page === undefined ? undefined : `${page}${between}/blob/${branch}`),
    commitUrl: commitUrl ?? (page === undefined ? undefined : `${page}${between}/commit`),
  }
}

function providerOf(url: string): GitProvider | undefined {
  const host = /^https?:\/\/([^/:]+)/i.exec(url)?.[1]?.toLowerCase()
  return host === 'github.com' ? 'github' : host === 'gitlab.com' ? 'gitlab' : undefined
}

/** Where a file is edited: `treeUrl` shows it, and both hosts have an editor in the place of their view. */
export function editUrlOf(
  { treeUrl, provider }: { treeUrl: string; provider?: GitProvider | undefined },
  path: string,
): string {
  const base = provider === undefined ? treeUrl : treeUrl.replace(/\/(?:blob|tree)\/(?!.*\/(?:blob|tree)\/)/, '/edit/')
  return `${base.replace(/\/+$/, '')}/${path.split('/').map(encodeURIComponent).join('/')}`
}
