/**
 * What a SAML response must be like before its signatures are looked at, and what it says.
 *
 * One response, one assertion directly in it, at least one signature, each a direct child of what it signs and naming that
 * by an id that nothing else has. There is then one way to read who is meant, and no place to hide another assertion.
 * Everything the library that checks signatures leaves open is checked here: status, issuer, recipient, destination,
 * request, audience, times.
 */

import { SsoRefused } from '../sso-refused.ts'
import { cutTo } from '../text.ts'
import { type Element, everyElement, readXml } from './xml.ts'

const ns = {
  protocol: 'urn:oasis:names:tc:SAML:2.0:protocol',
  assertion: 'urn:oasis:names:tc:SAML:2.0:assertion',
  signature: 'http://www.w3.org/2000/09/xmldsig#',
}
const success = 'urn:oasis:names:tc:SAML:2.0:status:Success'
const bearer = 'urn:oasis:names:tc:SAML:2.0:cm:bearer'
const exclusive = 'http://www.w3.org/2001/10/xml-exc-c14n#'
const transforms = new Set(['http://www.w3.org/2000/09/xmldsig#enveloped-signature', exclusive])
const signatureMethods = /^http:\/\/www\.w3\.org\/2001\/04\/xmldsig-more#(?:rsa|ecdsa)-sha(?:256|384|512)$/
const digestMethods =
  /^(?:http:\/\/www\.w3\.org\/2001\/04\/xmlenc#sha(?:256|512)|http:\/\/www\.w3\.org\/2001\/04\/xmldsig-more#sha384)$/

export interface Expected {
  /** The provider's entity id. */
  issuer: string
  /** Our own. */
  audience: string
  acsUrl: string
  now: Date
  /** By how much the provider's clock may differ. */
  toleranceMilliseconds: number
}

export interface SamlClaims {
  assertionId: string
  /** The request of ours that it answers. */
  requestId: string
  nameId: string
  /** The first value of each attribute. */
  attributes: Readonly<Record<string, string>>
  /** Until when the assertion could be shown again. */
  expiresAt: string
  isResponseSigned: boolean
  isAssertionSigned: boolean
}

/** Throws `SsoRefused` or `XmlRefused`, whose messages are for the log only. */
export function readSamlResponse(xml: string, expected: Expected): SamlClaims {
  const response = readXml(xml)
  must(response.local === 'Response' && response.namespace === ns.protocol, 'no response')
  must(response.attributes.get('Version') === '2.0', 'another version')
  const assertion = onlyAssertion(response)
  checkIds(response)
  const signed = checkSignatures(response, assertion)
  checkEnvelope(response, expected)
  must(textOf(child(assertion, ns.assertion, 'Issuer')) === expected.issuer, 'another issuer')
  const conditions = checkConditions(assertion, expected)
  const { nameId, requestId } = checkSubject(assertion, expected)
  must(response.attributes.get('InResponseTo') === requestId, 'another request')
  checkStatements(assertion, expected)
  return {
    assertionId: assertion.attributes.get('ID') ?? '',
    requestId,
    nameId,
    attributes: attributesOf(assertion),
    expiresAt: new Date(conditions + expected.toleranceMilliseconds).toISOString(),
    ...signed,
  }
}

/** Whom an assertion that stands for itself names: for what is left once the signature is checked. */
export function readAssertion(xml: string): Pick<SamlClaims, 'assertionId' | 'nameId' | 'attributes'> {
  const assertion = readXml(xml)
  must(assertion.local === 'Assertion' && assertion.namespace === ns.assertion, 'no assertion')
  return {
    assertionId: assertion.attributes.get('ID') ?? '',
    nameId: textOf(child(child(assertion, ns.assertion, 'Subject'), ns.assertion, 'NameID')),
    attributes: attributesOf(assertion),
  }
}

function onlyAssertion(response: Element): Element {
  const all = [...everyElement(response)]
  // By name alone: one in a namespace of its own is no assertion, and has no business here either.
  const assertions = all.filter(({ local }) => local === 'Assertion')
  must(!all.some(({ local }) => /^Encrypted/.test(local)), 'something encrypted')
  must(
    !all.some(({ local }) => ['Extensions', 'Object', 'Advice', 'Evidence'].includes(local)),
    'a place to hide things',
  )
  const [assertion] = assertions
  must(
    assertions.length === 1 && assertion?.namespace === ns.assertion && assertion.parent === response,
    'not exactly one assertion',
  )
  must(all.filter(({ local }) => local === 'Response').length === 1, 'a response in a response')
  return assertion as Element
}

/** Attributes by which a signature could name an element: each value once in the whole document. */
function checkIds(response: Element): void {
  const seen = new Set<string>()
  for (const { attributes } of everyElement(response)) {
    for (const [name, value] of attributes) {
      if (!/^(?:.*:)?id$/i.test(name)) continue
      must(name === 'ID' || name === 'Id', 'an id of another kind')
      must(/^[\w.-]{1,256}$/.test(value) && !seen.has(value), 'an id that comes twice')
      seen.add(value)
    }
  }
}

function checkSignatures(response: Element, assertion: Element) {
  const signatures = [...everyElement(response)].filter(({ local }) => local === 'Signature')
  const signs = (owner: Element): boolean => {
    const own = signatures.filter(({ parent }) => parent === owner)
    must(own.length <= 1, 'two signatures of one element')
    for (const signature of own) checkSignature(signature, owner)
    return own.length === 1
  }
  const isResponseSigned = signs(response)
  const isAssertionSigned = signs(assertion)
  must(isResponseSigned || isAssertionSigned, 'no signature')
  must(signatures.length === Number(isResponseSigned) + Number(isAssertionSigned), 'a signature elsewhere')
  return { isResponseSigned, isAssertionSigned }
}

function checkSignature(signature: Element, owner: Element): void {
  must(signature.namespace === ns.signature, 'a signature of another kind')
  const info = child(signature, ns.signature, 'SignedInfo')
  const reference = child(info, ns.signature, 'Reference')
  must(owner.attributes.get('ID') !== undefined, 'something signed without an id')
  must(reference.attributes.get('URI') === `#${owner.attributes.get('ID')}`, 'a signature of something else')
  must(algorithm(child(info, ns.signature, 'CanonicalizationMethod')) === exclusive, 'another canonical form')
  must(signatureMethods.test(algorithm(child(info, ns.signature, 'SignatureMethod'))), 'a weak signature')
  must(digestMethods.test(algorithm(child(reference, ns.signature, 'DigestMethod'))), 'a weak digest')
  const used = child(reference, ns.signature, 'Transforms').children.map(algorithm)
  must(
    used.length <= 2 && new Set(used).size === used.length && used.every((one) => transforms.has(one)),
    'a transform',
  )
  child(signature, ns.signature, 'SignatureValue')
}

function checkEnvelope(response: Element, expected: Expected): void {
  const code = child(child(response, ns.protocol, 'Status'), ns.protocol, 'StatusCode')
  must(code.attributes.get('Value') === success, 'a status that is not success')
  const destination = response.attributes.get('Destination')
  must(destination === undefined || destination === expected.acsUrl, 'another destination')
  const issuers = response.children.filter(({ local }) => local === 'Issuer')
  must(issuers.length <= 1 && issuers.every((one) => textOf(one) === expected.issuer), 'another issuer')
}

/** The moment at which the assertion ends. */
function checkConditions(assertion: Element, expected: Expected): number {
  const conditions = child(assertion, ns.assertion, 'Conditions')
  const end = checkTimes(conditions, expected)
  const restrictions = conditions.children.filter(({ local }) => local === 'AudienceRestriction')
  must(restrictions.length > 0, 'no audience')
  for (const restriction of restrictions)
    must(
      restriction.children.some((one) => one.local === 'Audience' && textOf(one) === expected.audience),
      'another audience',
    )
  return end
}

function checkSubject(assertion: Element, expected: Expected) {
  const subject = child(assertion, ns.assertion, 'Subject')
  const confirmation = child(subject, ns.assertion, 'SubjectConfirmation')
  must(confirmation.attributes.get('Method') === bearer, 'another confirmation')
  const data = child(confirmation, ns.assertion, 'SubjectConfirmationData')
  must(data.attributes.get('Recipient') === expected.acsUrl, 'another recipient')
  checkTimes(data, expected)
  const requestId = data.attributes.get('InResponseTo') ?? ''
  must(requestId !== '', 'an answer to no request')
  const name = child(subject, ns.assertion, 'NameID')
  must(name.children.length === 0, 'a name of parts')
  const nameId = textOf(name)
  must(nameId !== '' && nameId.length <= 254, 'no name')
  return { nameId, requestId }
}

function checkStatements(assertion: Element, expected: Expected): void {
  const statements = assertion.children.filter(({ local }) => local === 'AuthnStatement')
  must(statements.length > 0, 'no statement of a sign-in')
  for (const { attributes } of statements) {
    const end = attributes.get('SessionNotOnOrAfter')
    must(
      end === undefined || timeOf(end) + expected.toleranceMilliseconds > expected.now.getTime(),
      'a session that is over',
    )
  }
}

function checkTimes({ attributes }: Element, { now, toleranceMilliseconds }: Expected): number {
  const start = attributes.get('NotBefore')
  const end = timeOf(attributes.get('NotOnOrAfter') ?? '')
  must(start === undefined || timeOf(start) - toleranceMilliseconds <= now.getTime(), 'an assertion of the future')
  must(end + toleranceMilliseconds > now.getTime(), 'an assertion that has expired')
  return end
}

function attributesOf(assertion: Element): Record<string, string> {
  const found: [string, string][] = []
  for (const element of everyElement(assertion)) {
    const name = element.attributes.get('Name')
    if (element.local !== 'Attribute' || element.namespace !== ns.assertion || name === undefined) continue
    const [value] = element.children
    if (value?.local === 'AttributeValue' && value.children.length === 0) found.push([name, cutTo(textOf(value), 254)])
  }
  return Object.fromEntries(found)
}

function child(of: Element, namespace: string, local: string): Element {
  const found = of.children.filter((one) => one.local === local)
  const [only] = found
  must(found.length === 1 && only?.namespace === namespace, `not exactly one ${local}`)
  return only as Element
}

const textOf = ({ text }: Element): string => text.trim()
const algorithm = ({ attributes }: Element): string => attributes.get('Algorithm') ?? ''

/** Times of SAML are in UTC, and end with Z. */
function timeOf(text: string): number {
  must(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/.test(text), 'no time')
  return Date.parse(text)
}

function must(condition: boolean, reason: string): asserts condition {
  if (!condition) throw new SsoRefused(reason)
}
