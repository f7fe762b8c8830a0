/** Providers of single sign-on, the ways in that members are shown, and the domains that are proven. */
import { saml as rows } from '../../contract/people/saml.ts'
import { fail, invalid } from '../../core/errors.ts'
import { readCertificates } from '../../platform/saml.ts'
import {
  deleteProvider,
  insertProvider,
  providersOf,
  type SsoProviderRow,
  updateProvider,
  verifiedDomainsOf,
} from '../../store/people/sso.ts'
import { changesIn, note } from '../events/note.ts'
import { type Base, type HandlersOf, phased } from '../handler.ts'
import type { Things } from '../things.ts'
import {
  type CommonChange,
  commonChangeOf,
  emptyProvider,
  listOfProviders,
  noteProvider,
  type Team,
  teamOf,
} from './common.ts'
import { claimDomain, hasRecord, recordFor } from './domains.ts'
import { isActive, serviceOf } from './providers.ts'

type Organization = Things['organization']

interface Change extends CommonChange {
  ssoURL?: string | undefined
  entityID?: string | undefined
  certificate?: string | undefined
}

export const samlHandlers: HandlersOf<typeof rows> = {
  async listSAMLProvidersInOrganizationById({ organization, query, ...base }) {
    return listOfProviders(base, organization, 'saml', query, (row, team) =>
      presentProvider(base, organization, row, team),
    )
  },

  async createOrganizationSAMLProvider({ organization, body, ...base }) {
    const row = {
      ...emptyProvider(base, organization, { kind: 'saml', label: body.label }),
      ...(await changeOf(base, organization, body)),
    }
    await insertProvider(base.db, row)
    await noteProvider(base, row, 'saml_provider_created')
    return presentProvider(base, organization, row, await teamOf(base, organization, row))
  },

  async getOrganizationSAMLProviderById({ organization, samlProvider, ...base }) {
    return presentProvider(base, organization, samlProvider, await teamOf(base, organization, samlProvider))
  },

  async updateOrganizationSAMLProvider({ organization, samlProvider, body, ...base }) {
    const change = await changeOf(base, organization, body)
    if (Object.keys(change).length > 0) {
      await updateProvider(base.db, samlProvider.id, change)
      await noteProvider(base, samlProvider, 'saml_provider_updated', changesIn<SsoProviderRow>(samlProvider, change))
    }
    const row = { ...samlProvider, ...change }
    return presentProvider(base, organization, row, await teamOf(base, organization, row))
  },

  async deleteOrganizationSAMLProvider({ samlProvider, ...base }) {
    await deleteProvider(base.db, { id: samlProvider.id })
    await noteProvider(base, samlProvider, 'saml_provider_deleted')
    return undefined
  },

  async listSSOProviderLoginsInOrganization({ db, env, organization }) {
    const found = await providersOf(db, { organizationId: organization.id })
    return {
      items: found.filter(isActive).map(({ id, label }) => ({ id, label, startURL: serviceOf(env.urls, id).startURL })),
    }
  },

  async listEmailDomains({ organization, ...base }) {
    const domains: string[] = JSON.parse(organization.emailDomains)
    const verified = await verifiedDomainsOf(base.db, { organizationId: organization.id })
    return { items: domains.map((domain) => presentDomain(base, organization, domain, verified)) }
  },

  verifyEmailDomain: phased(rows.verifyEmailDomain, {
    async prepare({ organization, params, env }) {
      const domain = namedDomain(organization, params.emailDomain)
      if (!(await hasRecord(env, { organizationId: organization.id, domain })))
        throw fail(
          'conflict',
          `There is no such TXT record at ${recordFor(env, { organizationId: organization.id, domain }).name} yet.`,
        )
      return domain
    },
    async commit({ organization, ...base }, domain) {
      await claimDomain(base.db, { domain, organizationId: organization.id, proof: 'dns', verifiedAt: base.now })
      const target = { type: 'organization', id: organization.id }
      await note(base, { organizationId: organization.id, action: 'email_domain_verified', target, data: { domain } })
      return presentDomain(base, organization, domain, [{ domain, verifiedAt: base.now }])
    },
  }),
}

async function changeOf(base: Base, organization: Organization, body: Change): Promise<Partial<SsoProviderRow>> {
  const change = await commonChangeOf(base, organization, body)
  if (body.ssoURL !== undefined) change.ssoUrl = body.ssoURL || null
  if (body.entityID !== undefined) change.entityId = body.entityID || null
  if (body.certificate === '') change.certificate = null
  else if (body.certificate !== undefined) {
    const certificates = readCertificates(body.certificate)
    if (!certificates)
      throw invalid(
        'certificate',
        'must be one or two X.509 certificates in PEM, with RSA keys of 2048 bits or EC keys',
      )
    change.certificate = certificates.join('')
  }
  return change
}

const presentProvider = ({ env }: Base, organization: Organization, row: SsoProviderRow, team: Team) => ({
  object: 'saml-provider' as const,
  id: row.id,
  label: row.label,
  ssoURL: row.ssoUrl ?? '',
  entityID: row.entityId ?? '',
  certificate: row.certificate ?? '',
  ...(team ? { defaultTeam: team } : {}),
  defaultRole: row.defaultRole,
  createdAt: row.createdAt,
  status: isActive(row) ? ('active' as const) : ('pending' as const),
  service: serviceOf(env.urls, row.id),
  urls: { location: env.urls.api(`/orgs/${organization.id}/saml/${row.id}`) },
})

function namedDomain(organization: Organization, wanted: string): string {
  const domains: string[] = JSON.parse(organization.emailDomains)
  const domain = wanted.toLowerCase()
  if (!domains.includes(domain)) throw fail('not_found', `${domain} is not among the emailDomains of the organization.`)
  return domain
}

function presentDomain(
  { env }: Base,
  organization: Organization,
  domain: string,
  verified: readonly { domain: string; verifiedAt: string }[],
) {
  const proof = verified.find((one) => one.domain === domain)
  return {
    object: 'email-domain' as const,
    domain,
    verified: proof !== undefined,
    ...(proof ? { verifiedAt: proof.verifiedAt } : {}),
    record: recordFor(env, { organizationId: organization.id, domain }),
  }
}
