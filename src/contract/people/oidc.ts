/** Providers of single sign-on that speak OpenID Connect, beside those of SAML. Beyond the specification. */
import { z } from 'zod'
import { DELETE, GET, PATCH, POST } from '../operation.ts'
import { Id, List, Location, O, optionalBody, P, RoleOrGuest, Timestamp, Url, WebUrl } from '../shapes.ts'
import { Team } from './people.ts'

const OidcProvider = z
  .object({
    object: z.literal('oidc-provider'),
    id: Id,
    label: z.string(),
    issuer: z.string(),
    clientID: z.string(),
    hasClientSecret: z.boolean().describe('Whether one is stored; it is never shown.'),
    defaultTeam: Team.optional(),
    defaultRole: RoleOrGuest,
    createdAt: Timestamp,
    status: z
      .enum(['active', 'pending'])
      .describe('`pending` until `issuer`, `clientID` and `clientSecret` are there.'),
    service: z.object({ redirectURL: Url, startURL: Url }).describe('`redirectURL` is what the provider is told.'),
    urls: Location,
  })
  .meta({ id: 'OIDCProvider' })

const Label = z.string().min(1).max(64)
const ProviderFields = {
  issuer: WebUrl.optional().describe('Must describe itself at `/.well-known/openid-configuration`.'),
  clientID: z.string().min(1).max(1024).optional(),
  clientSecret: z.string().min(1).max(2048).optional().describe('Stored encrypted.'),
  defaultTeam: Id.nullable().optional(),
  defaultRole: RoleOrGuest.optional(),
}

// biome-ignore format: a table reads best as one.
export const oidc = {
  listOIDCProviders:  GET   (`${O}/oidc`,                  'organization.admin', { query: P, ok: List(OidcProvider) }),
  createOIDCProvider: POST  (`${O}/oidc`,                  'organization.admin', { body: z.object({ label: Label, ...ProviderFields }), created: OidcProvider }),
  getOIDCProvider:    GET   (`${O}/oidc/{oidcProviderId}`, 'organization.admin', { ok: OidcProvider }),
  deleteOIDCProvider: DELETE(`${O}/oidc/{oidcProviderId}`, 'organization.admin'),
  updateOIDCProvider: PATCH (`${O}/oidc/{oidcProviderId}`, 'organization.admin', { body: optionalBody({ label: Label.optional(), ...ProviderFields }), ok: OidcProvider }),
}
