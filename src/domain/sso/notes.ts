/** What single sign-on leaves in the audit log of the provider's organization, where no caller is known yet. */
import type { Connection } from '../../store/database.ts'
import type { SsoProviderRow } from '../../store/people/sso.ts'
import type { Environment } from '../environment.ts'
import { type EventAction, type NotedBy, note } from '../events/note.ts'

interface Parts {
  db: Connection
  env: Environment
  now: string
}

/** Nobody is known by then: the provider itself stands for who acted. */
export const noteRefusal = (
  parts: Parts,
  provider: SsoProviderRow,
  { reason, address }: { reason: string; address: string },
): Promise<number> => noteSignOn(parts, provider, { id: provider.id }, 'sso_sign_in_refused', { reason, address })

export const noteJoined = (parts: Parts, provider: SsoProviderRow, user: { id: string }): Promise<number> =>
  noteSignOn(parts, provider, user, 'member_added', { role: provider.defaultRole, provider: provider.id })

function noteSignOn(
  { db, env, now }: Parts,
  provider: SsoProviderRow,
  who: { id: string },
  action: EventAction,
  { address, ...data }: Record<string, unknown>,
): Promise<number> {
  const base: NotedBy = {
    db,
    env,
    now,
    actor: { user: { id: who.id }, credential: { kind: 'session', id: provider.id } },
    address: typeof address === 'string' ? address : undefined,
  }
  const target =
    action === 'member_added' ? { type: 'member', id: who.id } : { type: `${provider.kind}-provider`, id: provider.id }
  return note(base, { organizationId: provider.organizationId, action, target, data })
}
