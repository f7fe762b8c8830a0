/** The change requests of the whole organization. */
import { FilePen } from 'lucide-react'
import { useState } from 'react'
import { Frame, Top } from '../frame/frame.tsx'
import { HomeSide } from '../home/home-side.tsx'
import { Empty, Loaded } from '../kit/empty.tsx'
import { useCall } from '../session/client.ts'
import { useOrganization } from '../session/session.tsx'
import { t } from '../texts/index.ts'
import { ChangeRequestRow } from './row.tsx'
import { StateTabs, type Status } from './state-tabs.tsx'

export default function AllChangeRequestsScreen() {
  const { id: organizationId } = useOrganization()
  const [status, setStatus] = useState<Status>('open')
  const list = useCall(
    'listChangeRequestsForOrganization',
    { organizationId, query: { limit: 200, ...(status === 'all' ? {} : { status }) } },
    { keep: true },
  )
  return (
    <Frame side={<HomeSide />}>
      <Top title={t.changes.title} />
      <h1 className="sr">{t.changes.title}</h1>
      <StateTabs status={status} onChoose={setStatus} />
      <Loaded query={list}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty icon={FilePen} title={t.changes.emptyTitle} text={t.changes.emptyText} />
          ) : (
            <ul className="ui-list">
              {items.map((request) => (
                <ChangeRequestRow key={request.id} request={request} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Frame>
  )
}
