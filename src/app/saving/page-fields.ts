/** Saving what stands around the text of a page: title, description, icon, slug and the like. */
import type { Client } from '../../client/client.ts'
import { randomKey } from '../editor/random-key.ts'
import type { PageAddress } from './remote.ts'

type Body = NonNullable<NonNullable<Parameters<Client['updateSpaceContent']>[0]>['body']>
type Change = Extract<Body['changes'][number], { operation: 'update_page' }>
export type PageFields = Omit<Change, 'operation' | 'page' | 'document'>

/** Answers with the new revision. Safe to repeat with the same key. */
export async function savePageFields(
  client: Client,
  { space, changeRequest, page }: PageAddress,
  fields: PageFields,
  idempotencyKey = randomKey(24),
): Promise<void> {
  const change: Change = { operation: 'update_page', page, ...fields }
  const input = { spaceId: space, body: { changes: [change] }, idempotencyKey }
  if (changeRequest === undefined) await client.updateSpaceContent(input)
  else await client.updateChangeRequestContent({ ...input, changeRequestId: changeRequest })
}
