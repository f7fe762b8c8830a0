/**
 * Domains of e-mail addresses. Anyone may name a domain in `emailDomains`; single sign-on reaches accounts of a domain only
 * once it is proven, by a TXT record or by the operator of the installation. A domain is proven for one organization.
 */
import { fail } from '../../core/errors.ts'
import type { Connection } from '../../store/database.ts'
import { findDomainOwner, putVerifiedDomain, verifiedDomainsOf } from '../../store/people/sso.ts'
import type { Environment } from '../environment.ts'

export const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1).toLowerCase()

/** The record that proves it; others cannot guess its value. */
export const recordFor = (
  { signer }: Pick<Environment, 'signer'>,
  { organizationId, domain }: { organizationId: string; domain: string },
) => ({
  type: 'TXT' as const,
  name: `_lectern-email.${domain}`,
  value: `lectern-email=${signer.derive('email-domain', `${organizationId} ${domain}`)}`,
})

/** Asks the domain's name servers: never inside a transaction. */
export async function hasRecord(env: Environment, of: { organizationId: string; domain: string }): Promise<boolean> {
  const { name, value } = recordFor(env, of)
  const records = await env.hostnames.resolveTxt(name).catch(() => [])
  return records.some((parts) => parts.join('') === value)
}

export async function claimDomain(
  tx: Connection,
  claim: { domain: string; organizationId: string; proof: 'dns' | 'operator'; verifiedAt: string },
): Promise<void> {
  const owner = await findDomainOwner(tx, { domain: claim.domain })
  // The operator decides; a record only where nobody has proven the domain before.
  if (owner && owner.organizationId !== claim.organizationId && claim.proof !== 'operator')
    throw fail('already_exists', 'Another organization has proven this domain.')
  await putVerifiedDomain(tx, claim)
}

export const isVerifiedFor = async (db: Connection, organizationId: string, email: string): Promise<boolean> =>
  (await verifiedDomainsOf(db, { organizationId })).some(({ domain }) => domain === domainOf(email))
