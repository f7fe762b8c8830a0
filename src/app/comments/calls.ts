/** Comments stand under a space and under a change request alike: which of the twins is called is decided here. */
import type { ContentTarget } from '../pages/content-target.ts'
import { call, type Name, useAction, useCall } from '../session/client.ts'

const stale: Name[] = [
  'listCommentsInSpace',
  'listCommentsInChangeRequest',
  'listCommentRepliesInSpace',
  'listCommentRepliesInChangeRequest',
]

export function useComments({ space: spaceId, changeRequest }: ContentTarget, page: string | undefined) {
  const query = {
    limit: 200,
    format: 'document',
    order: 'asc',
    ...(page === undefined ? {} : { targetPage: page }),
  } as const
  const inSpace = useCall('listCommentsInSpace', { spaceId, query }, { enabled: changeRequest === undefined })
  const inRequest = useCall(
    'listCommentsInChangeRequest',
    { spaceId, changeRequestId: changeRequest ?? '', query },
    { enabled: changeRequest !== undefined },
  )
  return changeRequest === undefined ? inSpace : inRequest
}

export function useReplies({ space: spaceId, changeRequest }: ContentTarget, commentId: string) {
  const query = { limit: 200, format: 'document' } as const
  const inSpace = useCall(
    'listCommentRepliesInSpace',
    { spaceId, commentId, query },
    { enabled: changeRequest === undefined },
  )
  const inRequest = useCall(
    'listCommentRepliesInChangeRequest',
    { spaceId, changeRequestId: changeRequest ?? '', commentId, query },
    { enabled: changeRequest !== undefined },
  )
  return changeRequest === undefined ? inSpace : inRequest
}

export const usePostComment = (
  { space: spaceId, changeRequest }: ContentTarget,
  page: string | undefined,
  node: string | undefined,
) =>
  useAction(
    (markdown: string): Promise<unknown> => {
      const body = {
        body: { markdown },
        ...(page === undefined ? {} : { page }),
        ...(node === undefined ? {} : { node }),
      }
      return changeRequest === undefined
        ? call('postCommentInSpace', { spaceId, body })
        : call('postCommentInChangeRequest', { spaceId, changeRequestId: changeRequest, body })
    },
    { refreshes: stale },
  )

export const usePostReply = ({ space: spaceId, changeRequest }: ContentTarget, commentId: string) =>
  useAction(
    (markdown: string): Promise<unknown> =>
      changeRequest === undefined
        ? call('postCommentReplyInSpace', { spaceId, commentId, body: { body: { markdown } } })
        : call('postCommentReplyInChangeRequest', {
            spaceId,
            changeRequestId: changeRequest,
            commentId,
            body: { body: { markdown } },
          }),
    { refreshes: stale },
  )

export const useSettle = ({ space: spaceId, changeRequest }: ContentTarget) =>
  useAction(
    ({ comment: commentId, resolved }: { comment: string; resolved: boolean }): Promise<unknown> =>
      changeRequest === undefined
        ? call('updateCommentInSpace', { spaceId, commentId, body: { resolved } })
        : call('updateCommentInChangeRequest', {
            spaceId,
            changeRequestId: changeRequest,
            commentId,
            body: { resolved },
          }),
    { refreshes: stale },
  )
