import { z } from 'zod'
import { DELETE, GET, PATCH, POST } from '../operation.ts'
import { Id, List, Location, O, optionalBody, P, RoleOrGuest, Timestamp, Url, WebUrl } from '../shapes.ts'
import { Team } from './people.ts'

const SamlProvider = z
  .object({
    object: z.literal('saml-provider'),
    id: Id,
    label: z.string(),
    ssoURL: z.string(),
    entityID: z.string(),
    certificate: z.string(),
    defaultTeam: Team.optional(),
    defaultRole: RoleOrGuest,
    createdAt: Timestamp,
    status: z.enum(['active', 'pending']).describe('`pending` until `ssoURL`, `entityID` and `certificate` are there.'),
    service: z.object({ acsURL: Url, startURL: Url, entityID: Url }),
    urls: Location,
  })
  .meta({ id: 'SAMLProvider' })

const SsoEntry = z.object({ id: Id, label: z.string(), startURL: Url })

const Label = z.string().min(1).max(64)
/** Empty where there is none yet, as it is shown then. */
const ProviderFields = {
  ssoURL: WebUrl.or(z.literal('')).optional(),
  entityID: z.string().max(1024).optional(),
  certificate: z.string().max(20_000).optional().describe('PEM; two of them while the provider changes its key.'),
  defaultTeam: Id.nullable().optional(),
  defaultRole: RoleOrGuest.optional(),
}

const EmailDomain = z
  .object({
    object: z.literal('email-domain'),
    domain: z.string(),
    verified: z.boolean().describe('Whether single sign-on may let in accounts with addresses of this domain.'),
    verifiedAt: Timestamp.optional(),
    record: z.object({ type: z.literal('TXT'), name: z.string(), value: z.string() }).describe('What proves it.'),
  })
  .meta({ id: 'EmailDomain' })

// biome-ignore format: held side by side with the specification, it matches line for line.
export const saml = {
  listSAMLProvidersInOrganizationById:  GET   (`${O}/saml`,                  'organization.admin', { query: P, ok: List(SamlProvider) }),
  createOrganizationSAMLProvider:       POST  (`${O}/saml`,                  'organization.admin', { body: z.object({ label: Label, ...ProviderFields }), created: SamlProvider }),
  getOrganizationSAMLProviderById:      GET   (`${O}/saml/{samlProviderId}`, 'organization.admin', { ok: SamlProvider }),
  deleteOrganizationSAMLProvider:       DELETE(`${O}/saml/{samlProviderId}`, 'organization.admin'),
  updateOrganizationSAMLProvider:       PATCH (`${O}/saml/{samlProviderId}`, 'organization.admin', { body: optionalBody({ label: Label.optional(), ...ProviderFields }), ok: SamlProvider }),
  listSSOProviderLoginsInOrganization:  GET   (`${O}/sso`,                   'organization.view',  { ok: z.object({ items: z.array(SsoEntry) }) }),

  // Beyond the specification: single sign-on reaches accounts of proven domains only.
  listEmailDomains:                     GET   (`${O}/email-domains`,                      'organization.admin', { ok: z.object({ items: z.array(EmailDomain) }) }),
  verifyEmailDomain:                    POST  (`${O}/email-domains/{emailDomain}/verify`, 'organization.admin', { ok: EmailDomain, fails: ['conflict', 'already_exists'], summary: 'Look for the TXT record that proves a domain of `emailDomains`.' }),
}
