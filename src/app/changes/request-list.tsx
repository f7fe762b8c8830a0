/** Change requests by state: of a space, or of the whole organization. */
import type { UseQueryResult } from '@tanstack/react-query'
import { FilePen } from 'lucide-react'
import { Empty, Loaded } from '../kit/empty.tsx'
import { changesTexts } from '../texts/changes.ts'
import { type ChangeRequest, ChangeRequestRow } from './row.tsx'
import { StateTabs, type Status } from './state-tabs.tsx'

interface RequestListProps {
  query: UseQueryResult<{ items: ChangeRequest[] }>
  status: Status
  onStatus: (status: Status) => void
}

export const RequestList = ({ query, status, onStatus }: RequestListProps) => (
  <>
    <h1 className="sr">{changesTexts.title}</h1>
    <StateTabs status={status} onChoose={onStatus} />
    <Loaded query={query}>
      {({ items }) =>
        items.length === 0 ? (
          <Empty icon={FilePen} title={changesTexts.emptyTitle} text={changesTexts.emptyText} />
        ) : (
          <ul className="ui-list">
            {items.map((request) => (
              <ChangeRequestRow key={request.id} request={request} />
            ))}
          </ul>
        )
      }
    </Loaded>
  </>
)
