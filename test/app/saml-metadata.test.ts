/** What is read from the metadata of SAML providers, as they are pasted. */
import { expect, test } from 'vitest'
import { readMetadata } from '../../src/app/organization/sign-in/saml-metadata.ts'

const key = (use: string, text: string): string =>
  `<KeyDescriptor${use}><ds:KeyInfo xmlns:ds="d"><ds:X509Data><ds:X509Certificate>\n ${text}\n </ds:X509Certificate></ds:X509Data></ds:KeyInfo></KeyDescriptor>`
const service = (binding: string, location: string): string =>
  `<SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:${binding}" Location="${location}"/>`
const metadata = (keys: string, services: string): string =>
  `<?xml version="1.0"?><EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID='https://id.test/a?b=1&amp;c=2'><IDPSSODescriptor protocolSupportEnumeration="p">${keys}${services}</IDPSSODescriptor></EntityDescriptor>`

test('the entity id, the address for redirects and the keys that sign are found', () => {
  const xml = metadata(
    key(' use="encryption"', 'ENC') + key(' use="signing"', 'AAAA') + key('', 'BBBB') + key(' use="signing"', 'CCCC'),
    service('HTTP-POST', 'https://id.test/post') + service('HTTP-Redirect', 'https://id.test/go?x=1&amp;y=2'),
  )
  expect(readMetadata(xml)).toEqual({
    entityID: 'https://id.test/a?b=1&c=2',
    ssoURL: 'https://id.test/go?x=1&y=2',
    certificate:
      '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n-----BEGIN CERTIFICATE-----\nBBBB\n-----END CERTIFICATE-----',
  })
})

test('prefixes make no difference', () => {
  const xml = metadata(key('', 'AAAA'), service('HTTP-Redirect', 'https://id.test/go')).replace(
    /<(\/?)(EntityDescriptor|IDPSSODescriptor|KeyDescriptor|SingleSignOnService)/g,
    '<$1md:$2',
  )
  expect(readMetadata(xml)?.ssoURL).toBe('https://id.test/go')
  expect(readMetadata(xml)?.certificate).toContain('AAAA')
})

test('what is no provider gives nothing', () => {
  expect(readMetadata('')).toBeUndefined()
  expect(readMetadata('https://id.test/metadata')).toBeUndefined()
  expect(readMetadata(metadata('', service('HTTP-POST', 'https://id.test/post')))).toBeUndefined()
  expect(readMetadata(metadata('', '').replaceAll('IDPSSO', 'SPSSO'))).toBeUndefined()
})
