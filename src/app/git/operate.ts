/** An import from or export to the repository of a space, as the API takes it. */
import { call, type Output } from '../session/client.ts'

export type GitInfo = Output<'getSpaceGitInfo'>
export type Direction = GitInfo['operation']['direction']

export interface Operation {
  direction: Direction
  url: string
  ref: string
  folder: string
  /** Empty for the one that was given before. */
  token: string
  message: string
  force: boolean
}

export const isRepositoryAddress = (url: string): boolean =>
  /^(?:https?:\/\/[^\s/?#]+\/[^\s?#]+|\/[^\s?#\\]+)$/i.test(url)

export async function operate(spaceId: string, operation: Operation): Promise<void> {
  const { direction, url, ref, folder, token, message, force } = operation
  const body = {
    url: withToken(url, token),
    ref,
    repoProjectDirectory: folder,
    ...(force ? { force } : {}),
  }
  if (direction === 'import') await call('importGitRepository', { spaceId, body })
  else await call('exportToGitRepository', { spaceId, body: { ...body, commitMessage: message } })
}

/** An address as it may be shown: without a name and token that were typed into it. */
export function withoutCredentials(text: string): string {
  if (!/^https?:/i.test(text) || !URL.canParse(text)) return text
  const url = new URL(text)
  url.username = ''
  url.password = ''
  return url.href
}

/** As Git has it. The server takes it out and keeps it encrypted. */
function withToken(text: string, token: string): string {
  if (token === '' || !URL.canParse(text)) return text
  const url = new URL(text)
  url.username ||= 'x'
  url.password = encodeURIComponent(token)
  return url.href
}
