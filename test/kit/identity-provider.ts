/**
 * A SAML identity provider: reads our requests, shows a form in a browser, and answers with signed responses. It can also
 * be asked for wrong ones.
 */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { inflateRawSync } from 'node:zlib'
import { SignedXml } from 'xml-crypto'

const fixture = (name: string): string => readFileSync(new URL(`../fixtures/saml/${name}`, import.meta.url), 'utf8')

export type KeyName = 'one' | 'two' | 'three'
export const certificateOf = (name: KeyName): string => fixture(`${name}.crt`)

export interface Response {
  /** With whose key it is signed. */
  key: KeyName
  issuer: string
  acsUrl: string
  audience: string
  requestId: string
  nameId: string
  attributes?: Record<string, string>
  sign?: 'assertion' | 'response' | 'both' | 'nothing'
  now?: Date
  /** Seconds that it is good for, from now. */
  seconds?: number
  recipient?: string
  destination?: string
  status?: string
  assertionId?: string
  algorithms?: { signature?: string; digest?: string }
  /** Changes the text before it is signed. */
  before?: (xml: string) => string
}

const sha256 = 'http://www.w3.org/2001/04/xmlenc#sha256'
const rsaSha256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256'
const exclusive = 'http://www.w3.org/2001/10/xml-exc-c14n#'
const enveloped = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature'

let serial = 0

/** The XML of a response; nothing about it is wrong unless it is asked for. */
export function makeResponse(given: Response): string {
  const now = given.now ?? new Date()
  const time = (seconds: number) => new Date(now.getTime() + seconds * 1000).toISOString()
  const end = time(given.seconds ?? 300)
  const attributes = Object.entries(given.attributes ?? {})
    .map(
      ([name, value]) =>
        `<saml:Attribute Name="${name}"><saml:AttributeValue>${value}</saml:AttributeValue></saml:Attribute>`,
    )
    .join('')
  const xml = `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_r${++serial}" Version="2.0" IssueInstant="${time(0)}" Destination="${given.destination ?? given.acsUrl}" InResponseTo="${given.requestId}"><saml:Issuer>${given.issuer}</saml:Issuer><samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:${given.status ?? 'Success'}"/></samlp:Status><saml:Assertion ID="${given.assertionId ?? `_a${++serial}`}" Version="2.0" IssueInstant="${time(0)}"><saml:Issuer>${given.issuer}</saml:Issuer><saml:Subject><saml:NameID Format="urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress">${given.nameId}</saml:NameID><saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData NotOnOrAfter="${end}" Recipient="${given.recipient ?? given.acsUrl}" InResponseTo="${given.requestId}"/></saml:SubjectConfirmation></saml:Subject><saml:Conditions NotBefore="${time(-5)}" NotOnOrAfter="${end}"><saml:AudienceRestriction><saml:Audience>${given.audience}</saml:Audience></saml:AudienceRestriction></saml:Conditions><saml:AuthnStatement AuthnInstant="${time(0)}" SessionIndex="_s${++serial}"><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>${attributes === '' ? '' : `<saml:AttributeStatement>${attributes}</saml:AttributeStatement>`}</saml:Assertion></samlp:Response>`
  const sign = given.sign ?? 'assertion'
  let text = given.before?.(xml) ?? xml
  if (sign === 'assertion' || sign === 'both') text = signed(text, 'Assertion', given)
  if (sign === 'response' || sign === 'both') text = signed(text, 'Response', given)
  return text
}

export function signed(
  xml: string,
  element: 'Assertion' | 'Response',
  { key, algorithms }: Pick<Response, 'key' | 'algorithms'>,
): string {
  const signature = new SignedXml({
    privateKey: fixture(`${key}.key`),
    publicCert: certificateOf(key),
    signatureAlgorithm: algorithms?.signature ?? rsaSha256,
    canonicalizationAlgorithm: exclusive,
  })
  signature.addReference({
    xpath: `//*[local-name(.)='${element}']`,
    transforms: [enveloped, exclusive],
    digestAlgorithm: algorithms?.digest ?? sha256,
  })
  signature.computeSignature(xml, {
    prefix: 'ds',
    location: { reference: `//*[local-name(.)='${element}']/*[local-name(.)='Issuer']`, action: 'after' },
  })
  return signature.getSignedXml()
}

export const encoded = (xml: string): string => Buffer.from(xml).toString('base64')

/** What our request says, as it stands in the address that the browser was sent to. */
export function readRequest(address: string) {
  const url = new URL(address)
  const xml = inflateRawSync(Buffer.from(url.searchParams.get('SAMLRequest') ?? '', 'base64')).toString()
  const value = (form: RegExp) => form.exec(xml)?.[1] ?? ''
  return {
    id: value(/ ID="([^"]+)"/),
    acsUrl: value(/AssertionConsumerServiceURL="([^"]+)"/),
    issuer: value(/<saml:Issuer[^>]*>([^<]+)</),
    relayState: url.searchParams.get('RelayState'),
  }
}

export interface RunningProvider {
  entityId: string
  ssoUrl: string
  close(): Promise<void>
}

/** The provider as a server: a form that asks who comes, and an answer that the browser carries back by itself. */
export async function startProvider(key: KeyName, attributes: Record<string, string> = {}): Promise<RunningProvider> {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost')
    response.setHeader('content-type', 'text/html; charset=utf-8')
    const email = url.searchParams.get('email')
    const asked = url.searchParams.get('SAMLRequest') ?? ''
    if (email === null) {
      response.end(
        `<title>Provider ${key}</title><form><input type="hidden" name="SAMLRequest" value="${asked}"><label>Who are you? <input name="email"></label><button>Continue</button></form>`,
      )
      return
    }
    const { id, acsUrl, issuer } = readRequest(`http://localhost/?SAMLRequest=${encodeURIComponent(asked)}`)
    const xml = makeResponse({
      key,
      issuer: entityId,
      acsUrl,
      audience: issuer,
      requestId: id,
      nameId: email,
      attributes,
    })
    response.end(
      `<title>Provider ${key}</title><form method="post" action="${acsUrl}"><input type="hidden" name="RelayState" value="https://evil.test/"><input type="hidden" name="SAMLResponse" value="${encoded(xml)}"></form><script>document.forms[0].submit()</script>`,
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  // Another site than ours, which is at 127.0.0.1.
  const ssoUrl = `http://localhost:${port}/sso`
  const entityId = `${ssoUrl}/metadata`
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { entityId, ssoUrl, close }
}
