/** How the change would look to readers, where a site shows the space. */
import { call, useCall } from '../session/client.ts'
import { useSpace } from '../spaces/space-context.tsx'
import type { ChangeRequest } from './row.tsx'

export function usePreview(request: ChangeRequest) {
  const { space } = useSpace()
  const organizationId = space.organization
  const sites = useCall('listSites', { organizationId, query: { space: space.id, limit: 10 } })
  const site = sites.data?.items.find(({ permissions }) => permissions.edit)
  return {
    canPreview: site !== undefined,
    async open(): Promise<void> {
      if (!site) return
      // Opened before asking: a window that comes later is stopped as a pop-up.
      const window = globalThis.open('about:blank', '_blank')
      const query = { space: space.id, changeRequest: request.id }
      const { previewURL } = await call('getSitePublishingPreviewById', { organizationId, siteId: site.id, query })
      if (window) window.location.href = previewURL
    },
  }
}
