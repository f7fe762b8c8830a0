/** An address that a page had before it came here; aliases are the addresses that pages had here. */
import type { importSources, importStatuses, OneOf } from '../../core/enumerations.ts'
export interface PathRedirectTable {
  spaceId: string
  /** Slugs from the root of the space. */
  path: string
  pageId: string
  createdAt: string
}

export interface ImportRunTable {
  id: string
  organizationId: string
  spaceId: string
  changeRequestId: string | null
  source: OneOf<typeof importSources>
  url: string
  status: OneOf<typeof importStatuses>
  importedResources: number
  totalResources: number
  /** JSON: what was left out, each with the reason. */
  failures: string
  errorCode: string | null
  error: string | null
  revisionId: string | null
  createdBy: string
  createdAt: string
  updatedAt: string
}
