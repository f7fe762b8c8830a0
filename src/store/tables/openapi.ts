/** Row types: OpenAPI specs and their versions. */
import type { OneOf, specErrorCodes, specStates } from '../../core/enumerations.ts'
export interface OpenapiSpecTable {
  id: string
  organizationId: string
  /** What begins with `~` is no slug that anyone could send: the spec of an address or a file that a page shows. */
  slug: string
  sourceURL: string | null
  /** The text that was sent, where there is no address. */
  sourceBlob: string | null
  visibility: 'private' | 'public'
  processingState: OneOf<typeof specStates>
  lastVersionId: string | null
  lastProcessedAt: string | null
  errorCode: OneOf<typeof specErrorCodes> | null
  /** JSON: a list of messages. */
  errors: string | null
  createdBy: string
  createdAt: string
  updatedAt: string
}

export interface OpenapiVersionTable {
  id: string
  specId: string
  url: string
  /** Every document by its address, as JSON. */
  contentBlob: string
  /** The first of them alone. */
  rootBlob: string
  /** The spec in parts that are read one by one: core/openapi/pack.ts. */
  partsBlob: string
  createdAt: string
}
