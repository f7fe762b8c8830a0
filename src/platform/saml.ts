/** Signatures of SAML, by a library that reads only the bytes which were signed. What they say is read by `core/saml`. */
import { X509Certificate } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { type Expected, readAssertion, readSamlResponse, type SamlClaims } from '../core/saml/response.ts'
import { XmlRefused } from '../core/saml/xml.ts'
import { SsoRefused } from '../core/sso-refused.ts'

/** Provider and own addresses, as far as messages need them. */
export interface SamlParties {
  ssoUrl: string
  /** The provider's. */
  entityId: string
  /** One, or two while the provider changes its key. */
  certificates: readonly string[]
  ownEntityId: string
  acsUrl: string
}

export interface Saml {
  /** Where the browser goes with our request. */
  requestUrl(parties: SamlParties, requestId: string): Promise<string>
  /** What a response says, once everything about it is right; throws `SsoRefused`, whose reason is for the log. */
  read(parties: SamlParties, encoded: string, now: Date): Promise<SamlClaims>
  metadata(parties: Pick<SamlParties, 'ownEntityId' | 'acsUrl'>): string
}

const toleranceMilliseconds = 60_000
const emailFormat = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress'

export function makeSaml(): Saml {
  // Loaded when somebody first signs in this way.
  const library = () => import('@node-saml/node-saml')
  return {
    async requestUrl(parties, requestId) {
      const { SAML } = await library()
      const saml = new SAML({ ...settingsOf(parties), generateUniqueId: () => requestId })
      return saml.getAuthorizeUrlAsync('', undefined, {})
    },
    async read(parties, encoded, now) {
      const xml = decode(encoded)
      const claims = refusing(() => readSamlResponse(xml, expectedOf(parties, now)))
      const { SAML } = await library()
      const saml = new SAML({
        ...settingsOf(parties),
        // Whatever signature there is must be right.
        wantAuthnResponseSigned: claims.isResponseSigned,
        wantAssertionsSigned: claims.isAssertionSigned,
        // The times were checked, by the clock that the caller gives.
        acceptedClockSkewMs: -1,
      })
      const { profile } = await saml.validatePostResponseAsync({ SAMLResponse: encoded }).catch((error: unknown) => {
        throw new SsoRefused(error instanceof Error ? error.message : 'a signature that is not right')
      })
      // What counts is what was signed: read from those bytes alone, it must say the same, to the library and to us.
      const bytes = profile?.getAssertionXml?.() ?? ''
      const { assertionId, nameId, attributes } = refusing(() => readAssertion(bytes))
      const isSame =
        assertionId === claims.assertionId && nameId === claims.nameId && profile?.nameID?.trim() === nameId
      if (!isSame || !isDeepStrictEqual(attributes, claims.attributes)) throw new SsoRefused('not what was signed')
      return claims
    },
    metadata: ({ ownEntityId, acsUrl }) => `<?xml version="1.0" encoding="UTF-8"?>
<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${escaped(ownEntityId)}">
  <SPSSODescriptor AuthnRequestsSigned="false" WantAssertionsSigned="true" protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
    <NameIDFormat>${emailFormat}</NameIDFormat>
    <AssertionConsumerService index="0" isDefault="true" Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="${escaped(acsUrl)}"/>
  </SPSSODescriptor>
</EntityDescriptor>
`,
  }
}

/** The certificates of a provider as PEM; undefined when the text is something else than one or two with usable keys. */
export function readCertificates(text: string): string[] | undefined {
  const blocks = text.includes('-----BEGIN')
    ? (text.match(/-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g) ?? [])
    : [text]
  if (blocks.length < 1 || blocks.length > 2) return undefined
  try {
    return blocks.map((block) => {
      const body = block.replace(/-----[^-]+-----|\s/g, '')
      if (!/^[A-Za-z0-9+/]+=*$/.test(body)) throw new Error('not base64')
      const { publicKey } = new X509Certificate(Buffer.from(body, 'base64'))
      const bits = publicKey.asymmetricKeyDetails?.modulusLength
      if (publicKey.asymmetricKeyType !== 'ec' && !(publicKey.asymmetricKeyType === 'rsa' && (bits ?? 0) >= 2048))
        throw new Error('a weak key')
      return `-----BEGIN CERTIFICATE-----\n${(body.match(/.{1,64}/g) ?? []).join('\n')}\n-----END CERTIFICATE-----\n`
    })
  } catch {
    return undefined
  }
}

const settingsOf = (parties: SamlParties) => ({
  entryPoint: parties.ssoUrl,
  idpCert: [...parties.certificates],
  idpIssuer: parties.entityId,
  issuer: parties.ownEntityId,
  audience: parties.ownEntityId,
  callbackUrl: parties.acsUrl,
  identifierFormat: emailFormat,
  disableRequestedAuthnContext: true,
})

const expectedOf = (parties: SamlParties, now: Date): Expected => ({
  issuer: parties.entityId,
  audience: parties.ownEntityId,
  acsUrl: parties.acsUrl,
  now,
  toleranceMilliseconds,
})

function decode(encoded: string): string {
  const compact = encoded.replace(/\s/g, '')
  if (compact.length > 700_000 || !/^[A-Za-z0-9+/]+={0,2}$/.test(compact)) throw new SsoRefused('not base64')
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(compact, 'base64'))
  } catch {
    throw new SsoRefused('not UTF-8')
  }
}

function refusing<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof XmlRefused) throw new SsoRefused(error.message)
    throw error
  }
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
