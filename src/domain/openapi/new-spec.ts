/** A spec that was just made, by a person or by a page that names it: nothing of it is read yet. */
import type { SpecRow } from '../../store/content/openapi.ts'
import type { Connection } from '../../store/database.ts'
import { enqueue } from '../../store/jobs.ts'

type Given = Pick<SpecRow, 'id' | 'organizationId' | 'slug' | 'sourceURL' | 'sourceBlob' | 'createdBy' | 'createdAt'>

export const newSpec = (given: Given): SpecRow => ({
  ...given,
  visibility: 'private',
  processingState: 'pending',
  lastVersionId: null,
  lastProcessedAt: null,
  errorCode: null,
  errors: null,
  updatedAt: given.createdAt,
})

/** At once, also where a job waits for its hour. */
export const enqueueProcessing = (tx: Connection, specId: string): Promise<boolean> =>
  enqueue(tx, { kind: 'openapi', payload: { spec: specId }, uniqueKey: specId })
