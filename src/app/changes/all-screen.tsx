/** The change requests of the whole organization. */
import { useState } from 'react'
import { Frame, Top } from '../frame/frame.tsx'
import { HomeSide } from '../home/home-side.tsx'
import { useCall } from '../session/client.ts'
import { useOrganization } from '../session/session.tsx'
import { changesTexts } from '../texts/changes.ts'
import { RequestList } from './request-list.tsx'
import type { Status } from './state-tabs.tsx'

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
      <Top title={changesTexts.title} />
      <RequestList query={list} status={status} onStatus={setStatus} />
    </Frame>
  )
}
