/** A change request in a list: its state as a dot and a word, its number, subject, author and age. */
import { Link } from 'wouter'
import { paths } from '../frame/paths.ts'
import { Avatar } from '../kit/avatar.tsx'
import { When } from '../kit/when.tsx'
import type { Output } from '../session/client.ts'
import { changesTexts } from '../texts/changes.ts'
import { t } from '../texts/index.ts'

export type ChangeRequest = Output<'getChangeRequestById'>

export const State = ({ status }: { status: ChangeRequest['status'] }) => (
  <span className="ui-state" data-state={status}>
    {changesTexts.states[status]}
  </span>
)

export function ChangeRequestRow({ request }: { request: ChangeRequest }) {
  const { number, subject, status, createdBy, updatedAt, space } = request
  return (
    <li>
      <Link className="ui-row" href={paths.changeRequest(space, number)}>
        <Avatar name={createdBy.displayName} photo={createdBy.photoURL} size={20} />
        <span className="title">
          {subject || t.common.untitled}
          <small>#{number}</small>
        </span>
        <State status={status} />
        <span className="meta">
          <When time={updatedAt} />
        </span>
      </Link>
    </li>
  )
}
