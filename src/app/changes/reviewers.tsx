/** Who was asked for a review, and what they said. */
import { UserPlus } from 'lucide-react'
import { useState } from 'react'
import { Avatar } from '../kit/avatar.tsx'
import { Button } from '../kit/button.tsx'
import { FormDialog } from '../kit/dialog.tsx'
import { Check } from '../kit/field.tsx'
import { When } from '../kit/when.tsx'
import { call, useAction, useCall } from '../session/client.ts'
import { useSession } from '../session/session.tsx'
import { useSpace } from '../spaces/space-context.tsx'
import { changesTexts } from '../texts/changes.ts'
import type { ChangeRequest } from './row.tsx'

export function Reviewers({ request, isOpen }: { request: ChangeRequest; isOpen: boolean }) {
  const { space } = useSpace()
  const { user } = useSession()
  const [asking, setAsking] = useState(false)
  const [chosen, setChosen] = useState<readonly string[]>([])
  const input = { spaceId: request.space, changeRequestId: request.id }
  const reviews = useCall('getReviewsByChangeRequestId', { ...input, query: { limit: 100 } })
  const asked = useCall('getRequestedReviewersByChangeRequestId', { ...input, query: { limit: 100 } })
  const members = useCall(
    'listMembersInOrganizationById',
    { organizationId: space.organization, query: { limit: 200 } },
    { enabled: asking },
  )
  const send = useAction(() => call('requestReviewersForChangeRequest', { ...input, body: { users: [...chosen] } }), {
    refreshes: ['getRequestedReviewersByChangeRequestId', 'getChangeRequestById'],
    onDone: () => {
      setAsking(false)
      setChosen([])
    },
  })
  const given = reviews.data?.items ?? []
  const waiting = (asked.data?.items ?? []).filter(
    ({ user: other }) => !given.some(({ reviewer }) => reviewer.id === other.id),
  )
  const others = (members.data?.items ?? []).filter(({ id }) => id !== user.id)
  if (given.length + waiting.length === 0 && !isOpen) return null
  return (
    <section className="ui-reviewers" aria-label={changesTexts.reviewers}>
      {given.map(({ id, reviewer, status, comment, outdated, createdAt }) => (
        <div key={id} className="ui-reviewer" data-status={status}>
          <Avatar name={reviewer.displayName} photo={reviewer.photoURL} size={20} />
          <span>
            <strong>{reviewer.displayName}</strong>{' '}
            {status === 'approved' ? changesTexts.approved : changesTexts.changesRequested}
            {outdated && ` (${changesTexts.reviewOutdated})`} · <When time={createdAt} />
            {comment && <span className="ui-review-comment">{comment}</span>}
          </span>
        </div>
      ))}
      {waiting.map(({ user: reviewer }) => (
        <div key={reviewer.id} className="ui-reviewer">
          <Avatar name={reviewer.displayName} photo={reviewer.photoURL} size={20} />
          <span>{reviewer.displayName}</span>
        </div>
      ))}
      {isOpen && space.permissions.edit && (
        <Button kind="quiet" className="small" icon={UserPlus} onClick={() => setAsking(true)}>
          {changesTexts.requestReview}
        </Button>
      )}
      <FormDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={changesTexts.chooseReviewers}
        action={changesTexts.requestReview}
        busy={send.isPending}
        disabled={chosen.length === 0}
        onSubmit={() => send.mutate(undefined)}
      >
        {others.length === 0 && members.data && <p className="ui-quiet">{changesTexts.noMembers}</p>}
        {others.map(({ id, user: { displayName, email } }) => (
          <Check
            key={id}
            label={displayName}
            hint={email}
            checked={chosen.includes(id)}
            onChange={({ target }) =>
              setChosen(target.checked ? [...chosen, id] : chosen.filter((other) => other !== id))
            }
          />
        ))}
      </FormDialog>
    </section>
  )
}
