/** What a provider of single sign-on is made of, and where it finds us. */
import type { Urls } from '../../core/urls.ts'
import { readCertificates, type SamlParties } from '../../platform/saml.ts'
import type { SsoProviderRow } from '../../store/sso.ts'

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

/** Whether people can sign in with it. */
export const isActive = (provider: SsoProviderRow): boolean =>
  provider.kind === 'saml'
    ? provider.ssoUrl !== null && provider.entityId !== null && provider.certificate !== null
    : provider.issuer !== null && provider.clientId !== null && provider.clientSecret !== null
