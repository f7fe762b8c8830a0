/** Single sign-on: providers, who their people are here, sign-ins under way, and the domains that are proven. */
import type { Connection } from '../database.ts'
import { beyond, countAll, type Page } from '../paging.ts'
import { all, dynamic, first, inserter, run, updater } from '../query.ts'
import type { SsoProviderTable } from '../tables.ts'

export type SsoProviderRow = SsoProviderTable

export const insertProvider = inserter('ssoProvider')
export const updateProvider = updater('ssoProvider')

export const findProvider = first((b, p: { id: string }) =>
  b.selectFrom('ssoProvider').selectAll().where('id', '=', p.id),
)

export const deleteProvider = run((b, p: { id: string }) => b.deleteFrom('ssoProvider').where('id', '=', p.id))

export const listProviders = (
  db: Connection,
  { organizationId, kind }: { organizationId: string; kind: SsoProviderRow['kind'] },
  page: Page,
): Promise<SsoProviderRow[]> =>
  dynamic(db, (b) =>
    b
      .selectFrom('ssoProvider')
      .selectAll()
      .where('organizationId', '=', organizationId)
      .where('kind', '=', kind)
      .where(beyond({ key: 'createdAt', id: 'id' }, page))
      .orderBy('createdAt', page.order)
      .orderBy('id', page.order)
      .limit(page.limit),
  )

const providerCount = all((b, p: { organizationId: string; kind: SsoProviderRow['kind'] }) =>
  b
    .selectFrom('ssoProvider')
    .select(countAll)
    .where('organizationId', '=', p.organizationId)
    .where('kind', '=', p.kind),
)

export const countProviders = async (
  db: Connection,
  of: { organizationId: string; kind: SsoProviderRow['kind'] },
): Promise<number> => (await providerCount(db, of))[0]?.count ?? 0

export const providersOf = all((b, p: { organizationId: string }) =>
  b
    .selectFrom('ssoProvider')
    .selectAll()
    .where('organizationId', '=', p.organizationId)
    .orderBy('createdAt')
    .orderBy('id')
    .limit(100),
)

/** Of the organization that has proven this domain. */
export const providersForDomain = all((b, p: { domain: string }) =>
  b
    .selectFrom('verifiedDomain')
    .innerJoin('emailDomain', (join) =>
      join
        .onRef('emailDomain.domain', '=', 'verifiedDomain.domain')
        .onRef('emailDomain.organizationId', '=', 'verifiedDomain.organizationId'),
    )
    .innerJoin('ssoProvider', 'ssoProvider.organizationId', 'verifiedDomain.organizationId')
    .selectAll('ssoProvider')
    .where('verifiedDomain.domain', '=', p.domain)
    .orderBy('ssoProvider.createdAt')
    .limit(20),
)

/** One to which the address of somebody here could lead: it is complete, and its organization has proven a domain. */
export const findReachableProvider = first((b) =>
  b
    .selectFrom('ssoProvider')
    .innerJoin('verifiedDomain', 'verifiedDomain.organizationId', 'ssoProvider.organizationId')
    .innerJoin('emailDomain', (join) =>
      join
        .onRef('emailDomain.domain', '=', 'verifiedDomain.domain')
        .onRef('emailDomain.organizationId', '=', 'verifiedDomain.organizationId'),
    )
    .select('ssoProvider.id')
    .where((eb) =>
      eb.or([
        eb.and([eb('ssoUrl', 'is not', null), eb('entityId', 'is not', null), eb('certificate', 'is not', null)]),
        eb.and([eb('issuer', 'is not', null), eb('clientId', 'is not', null), eb('clientSecret', 'is not', null)]),
      ]),
    )
    .limit(1),
)

/** Domains that an organization names and has proven. */
export const verifiedDomainsOf = all((b, p: { organizationId: string }) =>
  b
    .selectFrom('verifiedDomain')
    .innerJoin('emailDomain', (join) =>
      join
        .onRef('emailDomain.domain', '=', 'verifiedDomain.domain')
        .onRef('emailDomain.organizationId', '=', 'verifiedDomain.organizationId'),
    )
    .select(['verifiedDomain.domain', 'verifiedDomain.verifiedAt'])
    .where('verifiedDomain.organizationId', '=', p.organizationId),
)

export const findDomainOwner = first((b, p: { domain: string }) =>
  b.selectFrom('verifiedDomain').selectAll().where('domain', '=', p.domain),
)

export const putVerifiedDomain = run(
  (b, p: { domain: string; organizationId: string; proof: 'dns' | 'operator'; verifiedAt: string }) =>
    b
      .insertInto('verifiedDomain')
      .values({ domain: p.domain, organizationId: p.organizationId, proof: p.proof, verifiedAt: p.verifiedAt })
      .onConflict((oc) =>
        oc.column('domain').doUpdateSet({ organizationId: p.organizationId, proof: p.proof, verifiedAt: p.verifiedAt }),
      ),
)

/** A domain that an organization no longer names is nobody's again. */
export const dropUnnamedDomains = run((b, p: { organizationId: string }) =>
  b
    .deleteFrom('verifiedDomain')
    .where('organizationId', '=', p.organizationId)
    .where('domain', 'not in', (eb) =>
      eb.selectFrom('emailDomain').select('domain').where('organizationId', '=', p.organizationId),
    ),
)

export const findIdentity = first((b, p: { providerId: string; subject: string }) =>
  b
    .selectFrom('ssoIdentity')
    .innerJoin('user', 'user.id', 'ssoIdentity.userId')
    .selectAll('user')
    .where('ssoIdentity.providerId', '=', p.providerId)
    .where('ssoIdentity.subject', '=', p.subject),
)

export const insertIdentity = inserter('ssoIdentity')

export const deleteIdentitiesOf = run((b, p: { providerId: string }) =>
  b.deleteFrom('ssoIdentity').where('providerId', '=', p.providerId),
)

export const insertSsoRequest = inserter('ssoRequest')

export const findSsoRequest = first((b, p: { id: string; now: string }) =>
  b.selectFrom('ssoRequest').selectAll().where('id', '=', p.id).where('expiresAt', '>', p.now),
)

/** Notes who the provider says it is; false when it has answered already. */
export const answerSsoRequest = async (
  tx: Connection,
  answer: { id: string; codeHash: string; userId: string; expiresAt: string },
): Promise<boolean> => (await answerRequest(tx, answer)) > 0

const answerRequest = run((b, p: { id: string; codeHash: string; userId: string; expiresAt: string }) =>
  b
    .updateTable('ssoRequest')
    .set({ codeHash: p.codeHash, userId: p.userId, expiresAt: p.expiresAt })
    .where('id', '=', p.id)
    .where('codeHash', 'is', null),
)

export const findAnsweredRequest = first((b, p: { codeHash: string; now: string }) =>
  b.selectFrom('ssoRequest').selectAll().where('codeHash', '=', p.codeHash).where('expiresAt', '>', p.now),
)

/** True for the one who used it up. */
export const takeSsoRequest = async (tx: Connection, request: { id: string }): Promise<boolean> =>
  (await takeRequest(tx, request)) > 0

const takeRequest = run((b, p: { id: string }) => b.deleteFrom('ssoRequest').where('id', '=', p.id))

const useAssertion = run((b, p: { providerId: string; assertionId: string; expiresAt: string }) =>
  b
    .insertInto('ssoAssertion')
    .values({ providerId: p.providerId, assertionId: p.assertionId, expiresAt: p.expiresAt })
    .onConflict((oc) => oc.doNothing()),
)

/** True the first time. */
export const takeAssertion = async (
  tx: Connection,
  assertion: { providerId: string; assertionId: string; expiresAt: string },
): Promise<boolean> => (await useAssertion(tx, assertion)) > 0

export const deleteEndedSsoRequests = run((b, p: { now: string }) =>
  b.deleteFrom('ssoRequest').where('expiresAt', '<=', p.now),
)

export const deleteEndedAssertions = run((b, p: { now: string }) =>
  b.deleteFrom('ssoAssertion').where('expiresAt', '<=', p.now),
)
