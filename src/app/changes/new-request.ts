/** Starts a change request and leads into it. */
import { useLocation } from 'wouter'
import { paths } from '../frame/paths.ts'
import { call, useAction } from '../session/client.ts'

export function useNewChangeRequest(spaceId: string) {
  const [, navigate] = useLocation()
  return useAction(
    ({ subject }: { subject?: string; page?: string }) =>
      call('createChangeRequest', { spaceId, body: subject === undefined ? {} : { subject } }),
    {
      refreshes: ['listChangeRequestsForSpace', 'listChangeRequestsForOrganization', 'getSpaceById'],
      onDone: ({ number }, { page }) =>
        navigate(page === undefined ? paths.changeRequest(spaceId, number, 'edit') : paths.page(spaceId, page, number)),
    },
  )
}
