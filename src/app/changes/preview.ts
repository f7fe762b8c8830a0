/** How the change would look to readers, where a site shows the space. */
import { call, useAction, useCall } from '../session/client.ts'
import { useSpace } from '../spaces/space-context.tsx'
import type { ChangeRequest } from './row.tsx'

export function usePreview(request: ChangeRequest) {
  const { space } = useSpace()
  const organizationId = space.organization
  const sites = useCall('listSites', { organizationId, query: { space: space.id, limit: 10 } })
  const siteId = sites.data?.items.find(({ permissions }) => permissions.edit)?.id
  const show = useAction(async (window: Window | null) => {
    const query = { space: space.id, changeRequest: request.id }
    try {
      const input = { organizationId, siteId: siteId ?? '', query }
      const { previewURL } = await call('getSitePublishingPreviewById', input)
      if (window) window.location.href = previewURL
    } catch (error) {
      window?.close()
      throw error
    }
  })
  return {
    canPreview: siteId !== undefined,
    // Opened before asking: a window that comes later is stopped as a pop-up.
    open: () => show.mutate(globalThis.open('about:blank', '_blank')),
  }
}
