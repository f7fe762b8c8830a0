/** The comments of a change request or of a page: said, answered, settled. */
import { Check, RotateCcw, X } from 'lucide-react'
import { useId, useState } from 'react'
import { Blocks, nodesOf } from '../document/blocks.tsx'
import { Avatar } from '../kit/avatar.tsx'
import { Button, IconButton } from '../kit/button.tsx'
import { Loaded } from '../kit/empty.tsx'
import { When } from '../kit/when.tsx'
import type { ContentTarget } from '../pages/content-target.ts'
import type { Output } from '../session/client.ts'
import { t } from '../texts/index.ts'
import { useComments, usePostComment, usePostReply, useReplies, useSettle } from './calls.ts'
import { Composer } from './composer.tsx'
import { useHasDraft } from './drafts.ts'

type Comment = Output<'getCommentInSpace'>

interface CommentsProps {
  content: ContentTarget
  /** Only those on this page. */
  page?: string
  /** Only those on this block; new ones hang on it. */
  node?: string | undefined
  onClose?: () => void
}

export function Comments({ content, page, node, onClose }: CommentsProps) {
  const comments = useComments(content, page)
  const [showResolved, setShowResolved] = useState(false)
  const post = usePostComment(content, page, node)
  const title = useId()
  return (
    <section className="ui-comments" aria-labelledby={title}>
      <header className="ui-heading">
        <h2 id={title}>{node === undefined ? t.comments.title : t.comments.ofBlock}</h2>
        {onClose && <IconButton label={t.common.close} icon={X} onClick={onClose} />}
      </header>
      <Loaded query={comments} lines={3}>
        {({ items: all }) => {
          const items = node === undefined ? all : all.filter(({ target }) => target.node?.id === node)
          const resolved = items.filter(({ status }) => status === 'resolved')
          const shown = showResolved ? items : items.filter(({ status }) => status === 'open')
          return (
            <>
              {items.length === 0 && <p className="ui-quiet">{t.comments.empty}</p>}
              <ol className="ui-comment-list">
                {shown.map((comment) => (
                  <CommentItem key={comment.id} comment={comment} content={content} showPage={page === undefined} />
                ))}
              </ol>
              {resolved.length > 0 && !showResolved && (
                <Button kind="quiet" onClick={() => setShowResolved(true)}>
                  {t.comments.showResolved(resolved.length)}
                </Button>
              )}
            </>
          )
        }}
      </Loaded>
      <Composer
        key={`${content.changeRequest} ${page}`}
        subject={{ content, page, node }}
        label={node === undefined ? t.comments.new : t.comments.newOnBlock}
        autoFocus={node !== undefined}
        action={t.comments.post}
        busy={post.isPending}
        onSend={(text) => post.mutateAsync(text)}
      />
    </section>
  )
}

function CommentItem({ comment, content, showPage }: { comment: Comment; content: ContentTarget; showPage: boolean }) {
  const subject = { content, comment: comment.id }
  // An answer that was begun goes on.
  const [replying, setReplying] = useState<'begun' | 'asked' | undefined>(useHasDraft(subject) ? 'begun' : undefined)
  const settled = useSettle(content)
  const answer = usePostReply(content, comment.id)
  const { postedBy, postedAt, status, target, replies, permissions } = comment
  return (
    <li className="ui-comment" data-status={status}>
      <CommentText by={postedBy} at={postedAt} body={comment.body}>
        {showPage && target.page && (
          <p className="ui-hint">
            {t.comments.onPage} {target.page.title}
            {target.page.outdated && ` (${t.comments.outdated})`}
          </p>
        )}
        {target.node?.preview && <blockquote className="ui-comment-quote">{target.node.preview}</blockquote>}
        {target.node?.deleted && <p className="ui-hint">{t.comments.blockDeleted}</p>}
      </CommentText>
      {replies > 0 && <Replies content={content} comment={comment.id} />}
      <div className="ui-comment-tools">
        {permissions.reply && (
          <Button
            kind="quiet"
            className="small"
            onClick={() => setReplying(replying === undefined ? 'asked' : undefined)}
          >
            {t.comments.reply}
          </Button>
        )}
        {permissions.edit && (
          <Button
            kind="quiet"
            className="small"
            icon={status === 'open' ? Check : RotateCcw}
            onClick={() => settled.mutate({ comment: comment.id, resolved: status === 'open' })}
          >
            {status === 'open' ? t.comments.resolve : t.comments.reopen}
          </Button>
        )}
      </div>
      {replying !== undefined && (
        <Composer
          subject={subject}
          label={t.comments.newReply}
          autoFocus={replying === 'asked'}
          action={t.comments.reply}
          busy={answer.isPending}
          onSend={async (text) => {
            await answer.mutateAsync(text)
            setReplying(undefined)
          }}
        />
      )}
    </li>
  )
}

function Replies({ content, comment }: { content: ContentTarget; comment: string }) {
  const replies = useReplies(content, comment)
  return (
    <ol className="ui-replies">
      {(replies.data?.items ?? []).map(({ id, postedBy, postedAt, body }) => (
        <li key={id}>
          <CommentText by={postedBy} at={postedAt} body={body} />
        </li>
      ))}
    </ol>
  )
}

function CommentText({
  by,
  at,
  body,
  children,
}: {
  by: Comment['postedBy']
  at: string
  body: Comment['body']
  children?: React.ReactNode
}) {
  return (
    <div className="ui-comment-text">
      <Avatar name={by.displayName} photo={by.photoURL} />
      <div>
        <p className="ui-comment-author">
          <strong>{by.displayName}</strong> <When time={at} />
        </p>
        {children}
        <div className="doc ui-small-doc" dir="auto">
          <Blocks nodes={nodesOf(body.document?.nodes)} />
        </div>
      </div>
    </div>
  )
}
