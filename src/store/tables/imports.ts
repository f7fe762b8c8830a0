/** An address that a page had before it came here; aliases are the addresses that pages had here. */
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
  source: 'website' | 'docx' | 'markdown' | 'html' | 'zip' | 'confluence' | 'github-wiki' | 'notion' | 'google-docs'
  url: string
  status: 'pending' | 'in-progress' | 'completed' | 'failed' | 'cancelled'
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
