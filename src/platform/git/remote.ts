/** The HTTP client of git: the guarded fetch, which keeps credentials to the origin they were given for. */
import type { GitHttpRequest, GitHttpResponse, HttpClient } from 'isomorphic-git'
import { FetchError, type GuardedFetch } from '../fetch.ts'
import { GitRefusal } from './refusal.ts'
import type { GitLimits, GitRemote } from './tasks.ts'

export function makeHttp(
  remote: Extract<GitRemote, { kind: 'web' }>,
  { fetch, limits }: { fetch: GuardedFetch; limits: GitLimits },
): HttpClient {
  const { origin } = new URL(remote.url)
  /** Where a renamed repository went; what is posted goes there at once. */
  let base = remote.url
  return {
    async request({ url, method = 'GET', headers = {}, body }: GitHttpRequest): Promise<GitHttpResponse> {
      const target = url.startsWith(remote.url) ? base + url.slice(remote.url.length) : url
      const isOwn = new URL(target).origin === origin
      const answer = await fetch(target, {
        method: method === 'POST' ? 'POST' : 'GET',
        headers: {
          ...headers,
          'user-agent': 'git/2.0 (Lectern)',
          ...(isOwn && remote.authorization !== undefined ? { authorization: remote.authorization } : {}),
        },
        body: body && (await collect(body, limits.bytes)),
        anyStatus: true,
        raised: limits,
      }).catch(refuse)
      refuseStatus(answer.status, remote)
      const moved = /^(.*)\/info\/refs(?:\?.*)?$/.exec(answer.url)?.[1]
      if (method !== 'POST' && moved !== undefined) base = moved
      return {
        url: answer.url,
        method,
        statusCode: answer.status,
        statusMessage: '',
        headers: answer.headers,
        body: oneOf(answer.bytes),
      }
    },
  }
}

function refuse(error: unknown): never {
  if (!(error instanceof FetchError)) throw error
  throw new GitRefusal(error.code === 'TOO_LARGE' ? 'too_large' : 'invalid_input', error.message)
}

function refuseStatus(status: number, { url, authorization }: { url: string; authorization?: string | undefined }) {
  const { host } = new URL(url)
  if (status === 401 || status === 403)
    throw new GitRefusal(
      'invalid_input',
      authorization === undefined
        ? `${host} asks for credentials, or has no such repository. Put a user name and a token into the address.`
        : `${host} refused the credentials, or they do not reach so far.`,
    )
  if (status === 404) throw new GitRefusal('invalid_input', `${host} has no such repository.`)
  if (status !== 200) throw new GitRefusal('invalid_input', `${host} answered ${status}.`)
}

async function collect(body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>, limit: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of body) {
    size += part.length
    if (size > limit) throw new GitRefusal('too_large', 'What would be pushed is larger than an import may be.')
    parts.push(part)
  }
  return Buffer.concat(parts)
}

async function* oneOf(bytes: Uint8Array): AsyncIterableIterator<Uint8Array> {
  yield bytes
}
