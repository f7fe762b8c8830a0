/** One change request: where it stands, what it changes, what was said about it, and the way into the space. */
import {
  Archive,
  Check,
  CircleDot,
  Eye,
  GitMerge,
  MessageSquareWarning,
  Pencil,
  RefreshCw,
  TriangleAlert,
  Undo2,
} from 'lucide-react'
import { useState } from 'react'
import { useLocation, useParams } from 'wouter'
import { Comments } from '../comments/comments.tsx'
import { useDraft } from '../comments/drafts.ts'
import { Top } from '../frame/frame.tsx'
import { paths } from '../frame/paths.ts'
import { Avatar } from '../kit/avatar.tsx'
import { Button, ButtonLink } from '../kit/button.tsx'
import { FormDialog } from '../kit/dialog.tsx'
import { TextArea } from '../kit/field.tsx'
import { Menu } from '../kit/menu.tsx'
import { TabLink, Tabs } from '../kit/tabs.tsx'
import { showDone } from '../kit/toast.tsx'
import { When } from '../kit/when.tsx'
import { contentChanged } from '../pages/content-target.ts'
import { call, type Name, useAction, useCall } from '../session/client.ts'
import { useSession } from '../session/session.tsx'
import { useSpace } from '../spaces/space-context.tsx'
import { changesTexts } from '../texts/changes.ts'
import { t } from '../texts/index.ts'
import { Conflicts, isOpenConflict } from './conflicts.tsx'
import { DiffView } from './diff-view.tsx'
import { usePreview } from './preview.ts'
import { Reviewers } from './reviewers.tsx'
import { type ChangeRequest, State } from './row.tsx'

const stale: Name[] = [
  'getChangeRequestById',
  'getChangeRequestChanges',
  'listChangeRequestsForSpace',
  'listChangeRequestsForOrganization',
  'getReviewsByChangeRequestId',
  'getSpaceById',
]

export default function ChangeRequestScreen() {
  const { request } = useSpace()
  return request ? <Request request={request} /> : null
}

function Request({ request }: { request: ChangeRequest }) {
  const { space, content } = useSpace()
  const { tab } = useParams<{ tab?: string }>()
  const [, navigate] = useLocation()
  const input = { spaceId: space.id, changeRequestId: request.id }
  const changes = useCall('getChangeRequestChanges', { ...input, query: { limit: 200, blocks: true } })
  const conflicts = changes.data?.conflicts ?? []
  const open = conflicts.filter(isOpenConflict).length
  const isOpen = request.status === 'open' || request.status === 'draft'
  const merge = useAction(() => call('mergeChangeRequest', input), {
    refreshes: stale,
    onDone: ({ result }) => {
      if (result === 'conflicts') return navigate(paths.changeRequest(space.id, request.number, 'conflicts'))
      void contentChanged({ space: space.id })
      showDone(changesTexts.merged)
    },
  })
  const title = request.subject || t.common.untitled
  return (
    <div className="ui-screen">
      <Top
        title={`#${request.number} ${title}`}
        crumbs={[
          { label: space.title, href: paths.space(space.id) },
          { label: changesTexts.title, href: paths.changeRequests(space.id) },
        ]}
      >
        {isOpen && space.permissions.edit && (
          <ButtonLink icon={Pencil} href={paths.changeRequest(space.id, request.number, 'edit')}>
            {changesTexts.edit}
          </ButtonLink>
        )}
        {isOpen && space.permissions.merge && (
          <Button
            kind="primary"
            icon={GitMerge}
            busy={merge.isPending}
            disabled={open > 0 || merge.isPending}
            onClick={() => merge.mutate(undefined)}
          >
            {changesTexts.merge}
          </Button>
        )}
      </Top>
      <header className="ui-request-head">
        <Subject request={request} canEdit={isOpen && space.permissions.edit} />
        <p className="ui-request-meta">
          <State status={request.status} />
          <Avatar name={request.createdBy.displayName} photo={request.createdBy.photoURL} size={20} />
          <span>
            {changesTexts.createdBy(request.createdBy.displayName)} · <When time={request.createdAt} />
          </span>
          {request.mergedBy && <span>{changesTexts.mergedBy(request.mergedBy.displayName)}</span>}
        </p>
      </header>
      {isOpen && <Checks request={request} conflicts={open} onChanged={() => void contentChanged(content)} />}
      {isOpen && <Reviewing request={request} />}
      <Reviewers request={request} isOpen={isOpen} />
      <Tabs label={title}>
        <TabLink href={paths.changeRequest(space.id, request.number)} isHere={tab !== 'conflicts'}>
          {changesTexts.changesTab} {changes.data ? changes.data.changes.length + (changes.data.more ?? 0) : ''}
        </TabLink>
        {conflicts.length > 0 && (
          <TabLink href={paths.changeRequest(space.id, request.number, 'conflicts')} isHere={tab === 'conflicts'}>
            {changesTexts.conflictsTab} {open > 0 && open}
          </TabLink>
        )}
      </Tabs>
      {tab === 'conflicts' ? (
        <Conflicts request={request} conflicts={conflicts} />
      ) : (
        <DiffView
          query={changes}
          pageHref={(page) => paths.page(space.id, page, isOpen ? request.number : undefined)}
          comments={space.permissions.comment ? content : undefined}
        />
      )}
      <Comments content={content} />
    </div>
  )
}

function Subject({ request, canEdit }: { request: ChangeRequest; canEdit: boolean }) {
  const rename = useAction(
    (subject: string) =>
      call('updateChangeRequestById', { spaceId: request.space, changeRequestId: request.id, body: { subject } }),
    { refreshes: stale },
  )
  if (!canEdit) return <h1>{request.subject || t.common.untitled}</h1>
  return (
    <h1>
      <textarea
        key={request.subject}
        className="ui-request-subject"
        rows={1}
        aria-label={changesTexts.subject}
        maxLength={100}
        defaultValue={request.subject}
        onBlur={({ target }) => {
          if (target.value.trim() !== request.subject) rename.mutate(target.value.trim())
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          event.currentTarget.blur()
        }}
      />
    </h1>
  )
}

function Checks({
  request,
  conflicts,
  onChanged,
}: {
  request: ChangeRequest
  conflicts: number
  onChanged: () => void
}) {
  const { space } = useSpace()
  const [, navigate] = useLocation()
  const preview = usePreview(request)
  const update = useAction(() => call('updateChangeRequest', { spaceId: request.space, changeRequestId: request.id }), {
    refreshes: stale,
    onDone: ({ result }) => {
      onChanged()
      if (result === 'conflicts') navigate(paths.changeRequest(space.id, request.number, 'conflicts'))
      else showDone(changesTexts.updated)
    },
  })
  return (
    <ul className="ui-checks">
      <li data-good={!request.outdated}>
        {request.outdated ? <RefreshCw size={15} aria-hidden="true" /> : <Check size={15} aria-hidden="true" />}
        <span>{request.outdated ? changesTexts.outdated : changesTexts.upToDate}</span>
        {request.outdated && (
          <Button className="small" busy={update.isPending} onClick={() => update.mutate(undefined)}>
            {changesTexts.update}
          </Button>
        )}
      </li>
      <li data-good={conflicts === 0}>
        {conflicts === 0 ? <Check size={15} aria-hidden="true" /> : <TriangleAlert size={15} aria-hidden="true" />}
        <span>{conflicts === 0 ? changesTexts.noConflicts : changesTexts.conflicts(conflicts)}</span>
        {conflicts > 0 && (
          <ButtonLink href={paths.changeRequest(space.id, request.number, 'conflicts')}>
            {changesTexts.resolve}
          </ButtonLink>
        )}
      </li>
      {preview.canPreview && (
        <li>
          <Eye size={15} aria-hidden="true" />
          <Button kind="quiet" className="small" onClick={preview.open}>
            {changesTexts.preview}
          </Button>
        </li>
      )}
    </ul>
  )
}

function Reviewing({ request }: { request: ChangeRequest }) {
  const { space } = useSpace()
  const { user } = useSession()
  const [asked, ask] = useState<'approved' | 'changes-requested' | undefined>()
  const content = { space: request.space, changeRequest: request.id }
  const [{ text: comment }, keep] = useDraft({ content, isReview: true })
  const input = { spaceId: request.space, changeRequestId: request.id }
  const setStatus = useAction(
    (status: 'draft' | 'open' | 'archived') => call('updateChangeRequestById', { ...input, body: { status } }),
    { refreshes: stale },
  )
  const review = useAction(
    (status: 'approved' | 'changes-requested') =>
      call('submitChangeRequestReview', {
        ...input,
        body: { status, ...(comment.trim() === '' ? {} : { comment: comment.trim() }) },
      }),
    {
      refreshes: stale,
      onDone: () => {
        ask(undefined)
        keep({ text: '', chosen: [] })
      },
    },
  )
  return (
    <div className="ui-request-actions">
      {space.permissions.edit && request.status === 'draft' && (
        <Button icon={CircleDot} busy={setStatus.isPending} onClick={() => setStatus.mutate('open')}>
          {changesTexts.askForReview}
        </Button>
      )}
      {space.permissions.review && request.status === 'open' && request.createdBy.id !== user.id && (
        <>
          <Button icon={Check} onClick={() => ask('approved')}>
            {changesTexts.approve}
          </Button>
          <Button icon={MessageSquareWarning} onClick={() => ask('changes-requested')}>
            {changesTexts.requestChanges}
          </Button>
        </>
      )}
      {space.permissions.edit && (
        <Menu
          label={t.common.more}
          placement="bottom-start"
          button={
            <button type="button" className="ui-button quiet">
              {t.common.more}
            </button>
          }
          entries={[
            ...(request.status === 'open'
              ? [{ label: changesTexts.backToDraft, icon: Undo2, run: () => setStatus.mutate('draft') }]
              : []),
            { label: changesTexts.archive, icon: Archive, run: () => setStatus.mutate('archived') },
          ]}
        />
      )}
      <FormDialog
        open={asked !== undefined}
        onClose={() => ask(undefined)}
        title={asked === 'approved' ? changesTexts.approve : changesTexts.requestChanges}
        action={asked === 'approved' ? changesTexts.approve : changesTexts.requestChanges}
        busy={review.isPending}
        onSubmit={() => asked && review.mutate(asked)}
      >
        <TextArea
          label={t.comments.title}
          value={comment}
          onChange={({ target }) => keep({ text: target.value, chosen: [] })}
        />
      </FormDialog>
    </div>
  )
}
