/** Sign-ins that were refused, for the audit log of the provider's organization. */
import type { Database } from '../../store/database.ts'
import { insertEvent } from '../../store/events.ts'
import type { SsoProviderRow } from '../../store/sso.ts'
import type { Environment } from '../scope.ts'

/** Nobody is known by then: the provider itself stands for who acted. */
export const noteRefusal = (
  { db, env, now }: { db: Database; env: Environment; now: string },
  provider: SsoProviderRow,
  data: { reason: string; address: string },
): Promise<number> =>
  db.transaction((tx) =>
    insertEvent(tx, {
      id: env.newId(),
      organizationId: provider.organizationId,
      action: 'sso_sign_in_refused',
      actorId: provider.id,
      targetType: 'sso-provider',
      targetId: provider.id,
      data: JSON.stringify(data),
      occurredAt: now,
    }),
  )
