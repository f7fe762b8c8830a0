/** Bringing docs in: where they are, what they are, where they go. What is known already is named by the address. */
import { FileInput } from 'lucide-react'
import { Redirect, useSearch } from 'wouter'
import { Frame, Top } from '../frame/frame.tsx'
import { paths } from '../frame/paths.ts'
import { HomeSide } from '../home/home-side.tsx'
import { Empty, Failed, Waiting } from '../kit/empty.tsx'
import { useCall } from '../session/client.ts'
import { useOrganization } from '../session/session.tsx'
import { importTexts as words } from '../texts/imports.ts'
import { NewImportForm } from './new-import-form.tsx'

export default function NewImportScreen() {
  const organization = useOrganization()
  const organizationId = organization.id
  const given = new URLSearchParams(useSearch())
  const space = given.get('space') ?? ''
  const number = given.get('changeRequest') ?? ''
  const again = given.get('again') ?? ''
  const spaces = useCall('listSpacesInOrganizationById', { organizationId, query: { limit: 1000 } })
  const run = useCall('getImportRun', { organizationId, importRunId: again }, { enabled: again !== '' })
  const isInRequest = space !== '' && number !== ''
  const request = useCall('getChangeRequestById', { spaceId: space, changeRequestId: number }, { enabled: isInRequest })
  const failed = [spaces, ...(isInRequest ? [request] : [])].find(({ error }) => error !== null)
  const canCreate = organization.permissions.createContent
  const writable = spaces.data?.items.filter(({ permissions }) => permissions.edit) ?? []
  const isKnown = space === '' || writable.some(({ id }) => id === space)
  const isOpen = request.data?.status !== 'merged' && request.data?.status !== 'archived'
  return (
    <Frame side={<HomeSide />}>
      <Top title={words.new} crumbs={[{ label: words.title, href: paths.imports(organizationId) }]} />
      {failed ? (
        <Failed error={failed.error} onRetry={() => failed.refetch()} />
      ) : !spaces.data || (isInRequest && !request.data) || (again !== '' && run.isPending) ? (
        <Waiting />
      ) : !canCreate && writable.length === 0 ? (
        <Empty icon={FileInput} title={words.nowhere} text={words.nowhereText} />
      ) : isKnown && isOpen ? (
        <NewImportForm
          organizationId={organizationId}
          spaces={writable}
          canCreate={canCreate}
          request={isInRequest ? request.data : undefined}
          given={{ space, type: run.data?.source.type ?? '', url: run.data?.source.url ?? '' }}
        />
      ) : (
        <Redirect to={paths.newImport(organizationId)} replace />
      )}
    </Frame>
  )
}
