/** What is kept of the repository of a space: what was asked for, and what both had in common last. */
import { z } from 'zod'
import type { GitExport, GitImport } from '../../contract/content/git.ts'
import { gitProviders } from '../../core/enumerations.ts'
import { fail, invalid } from '../../core/errors.ts'
import { hostOfRepository } from '../../core/repository/hosts.ts'
import type { Environment } from '../environment.ts'

const Provider = z.enum(gitProviders)

const Repository = z.object({
  /** Without credentials. */
  url: z.string(),
  ref: z.string(),
  directory: z.string(),
  provider: Provider.optional(),
  pageUrl: z.string().optional(),
  treeUrl: z.string().optional(),
  commitUrl: z.string().optional(),
  /** The header that shows them, encrypted. */
  credentials: z.string().optional(),
})
export type Repository = z.output<typeof Repository>

const Operation = z.object({
  repository: Repository,
  direction: z.enum(['import', 'export']),
  force: z.boolean(),
  standalone: z.boolean(),
  timestamp: z.string().optional(),
  commitMessage: z.string().optional(),
  /** What was left out of an import, each with the reason. */
  failures: z.array(z.object({ resource: z.string(), message: z.string() })).default([]),
})
export type Operation = z.output<typeof Operation>

const Synced = z.object({
  repository: Repository,
  commit: z.object({ oid: z.string(), message: z.string(), createdByService: z.boolean() }),
  /** The revision that says what the commit says. */
  revision: z.string(),
  timestamp: z.string().optional(),
})
export type Synced = z.output<typeof Synced>

export const readOperation = (text: string): Operation => Operation.parse(JSON.parse(text))
export const readSynced = (text: string | null): Synced | undefined =>
  text === null ? undefined : Synced.parse(JSON.parse(text))

/**
 * What both sides said the last time, if that tells anything of this commit: it was on the same branch, or it is the same
 * commit on another one, such as a branch that was begun from it.
 */
export const syncedBefore = (
  synced: Synced | undefined,
  repository: Repository,
  oid: string | undefined,
): Synced | undefined => {
  if (!synced || isSameRepository(synced.repository, repository)) return synced
  return synced.commit.oid === oid && synced.repository.directory === repository.directory ? synced : undefined
}

/** Whether both name one branch and folder of one repository. */
const isSameRepository = (a: Repository, b: Repository): boolean =>
  a.url === b.url && branch(a.ref) === branch(b.ref) && a.directory === b.directory

const branch = (ref: string): string => ref.replace(/^refs\/heads\//, '')

/** What a request asks for. Credentials that were given before go on for the same address. */
export function operationOf(
  body: z.output<typeof GitImport> & Partial<z.output<typeof GitExport>>,
  {
    env,
    spaceId,
    synced,
    direction,
  }: { env: Environment; spaceId: string; synced: Synced | undefined; direction: Operation['direction'] },
): Operation {
  const { url, authorization } = splitUrl(body.url, env)
  const before = synced?.repository.url === url ? synced.repository : undefined
  const { provider, url: pageUrl } = body.gitInfo ?? {}
  const repository: Repository = {
    url,
    ref: body.ref,
    directory: (body.repoProjectDirectory ?? before?.directory ?? '').replace(/^\/+|\/+$/g, '').replace(/\/{2,}/g, '/'),
    provider: provider ?? before?.provider,
    pageUrl: pageUrl ?? before?.pageUrl,
    treeUrl: body.repoTreeURL ?? (before?.ref === body.ref ? before.treeUrl : undefined),
    commitUrl: body.repoCommitURL ?? before?.commitUrl,
    credentials: authorization === undefined ? before?.credentials : hideCredentials(env, spaceId, authorization),
  }
  return {
    repository,
    direction,
    force: body.force ?? false,
    standalone: direction === 'import' && (body.standalone ?? false),
    timestamp: body.timestamp,
    commitMessage: body.commitMessage,
    failures: [],
  }
}

/** The address of a repository and the header that its credentials make, which go nowhere else. */
function splitUrl(text: string, { git }: Environment): { url: string; authorization?: string } {
  if (!/^https?:/i.test(text)) {
    if (git.roots.length === 0) throw invalid('url', 'must be an https address: this server takes no paths')
    return { url: text.replace(/^file:\/\//i, '').replace(/(?<=.)\/+$/, '') }
  }
  if (!URL.canParse(text)) throw invalid('url', 'must be an https address')
  const url = new URL(text)
  if (url.protocol === 'http:' && !git.allowPrivate) throw invalid('url', 'must be an https address')
  const { username, password } = url
  url.username = ''
  url.password = ''
  const href = url.href.replace(/\/+$/, '')
  if (username === '' && password === '') return { url: href }
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { url: href, authorization: `Basic ${Buffer.from(pair).toString('base64')}` }
}

const purposeOf = (spaceId: string): string => `git-credentials ${spaceId}`

const hideCredentials = ({ signer }: Pick<Environment, 'signer'>, spaceId: string, authorization: string): string =>
  signer.hide(purposeOf(spaceId), authorization)

/** The header; under the present key from now on, should it have lain under a former one. */
export function revealCredentials(
  env: Pick<Environment, 'signer'>,
  spaceId: string,
  repository: Repository,
): { authorization: string | undefined; repository: Repository } {
  if (repository.credentials === undefined) return { authorization: undefined, repository }
  const revealed = env.signer.reveal(purposeOf(spaceId), repository.credentials)
  if (!revealed)
    throw fail('invalid_input', 'The credentials of the repository cannot be read any more. Put them into the address.')
  const credentials = revealed.isFormer ? hideCredentials(env, spaceId, revealed.text) : repository.credentials
  return { authorization: revealed.text, repository: { ...repository, credentials } }
}

/** The commit as revisions show it, in JSON. */
export function gitOfRevision({ commit, repository }: Pick<Synced, 'commit' | 'repository'>) {
  const { commitUrl } = hostOfRepository(repository)
  return {
    ...commit,
    ...(commitUrl === undefined ? {} : { url: `${commitUrl.replace(/\/+$/, '')}/${commit.oid}` }),
    ref: repository.ref,
  }
}
