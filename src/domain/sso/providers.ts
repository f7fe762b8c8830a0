/** What a provider of single sign-on is made of, and where it finds us. */
import type { Urls } from '../../core/urls.ts'
import type { OidcClient } from '../../platform/oidc.ts'
import { readCertificates, type SamlParties } from '../../platform/saml.ts'
import type { SsoProviderRow } from '../../store/people/sso.ts'
import type { Environment } from '../environment.ts'

export const serviceOf = (urls: Urls, id: string) => ({
  acsURL: `${urls.app}/sso/${id}/acs`,
  startURL: `${urls.app}/sso/${id}`,
  entityID: `${urls.app}/sso/${id}/metadata`,
})

/** What messages to and from a SAML provider need; undefined while something is missing. */
export function partiesOf(provider: SsoProviderRow, urls: Urls): SamlParties | undefined {
  const { kind, ssoUrl, entityId, certificate } = provider
  if (kind !== 'saml' || ssoUrl === null || entityId === null || certificate === null) return undefined
  const certificates = readCertificates(certificate)
  if (!certificates) return undefined
  const service = serviceOf(urls, provider.id)
  return { ssoUrl, entityId, certificates, ownEntityId: service.entityID, acsUrl: service.acsURL }
}

export const oidcServiceOf = (urls: Urls, id: string) => ({
  redirectURL: `${urls.app}/sso/${id}/callback`,
  startURL: `${urls.app}/sso/${id}`,
})

type Secrets = Pick<Environment, 'signer'>

export const hideClientSecret = ({ signer }: Secrets, providerId: string, secret: string): string =>
  signer.hide(`oidc-client-secret ${providerId}`, secret)

/**
 * What messages to and from a provider of OpenID Connect need; undefined while something is missing. `renewed` is the
 * secret under the present key, where it still lay under a former one, which ends some day.
 */
export function oidcClientOf(
  { env }: { env: Secrets & { urls: Urls } },
  provider: SsoProviderRow,
): { client: OidcClient; renewed?: string } | undefined {
  const { id, kind, issuer, clientId, clientSecret } = provider
  if (kind !== 'oidc' || issuer === null || clientId === null || clientSecret === null) return undefined
  const secret = env.signer.reveal(`oidc-client-secret ${id}`, clientSecret)
  if (!secret) return undefined
  const client = { issuer, clientId, clientSecret: secret.text, redirectUrl: oidcServiceOf(env.urls, id).redirectURL }
  return { client, ...(secret.isFormer ? { renewed: hideClientSecret(env, id, secret.text) } : {}) }
}

/** Whether people can sign in with it. */
export const isActive = (provider: SsoProviderRow): boolean =>
  provider.kind === 'saml'
    ? provider.ssoUrl !== null && provider.entityId !== null && provider.certificate !== null
    : provider.issuer !== null && provider.clientId !== null && provider.clientSecret !== null
