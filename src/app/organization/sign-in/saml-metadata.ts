/**
 * What a provider's metadata say of it: its entity id, where people are sent, and its certificates. Read by patterns, since the
 * page parses no XML; what is stored is checked by the server.
 */
export interface Metadata {
  entityID: string
  ssoURL: string
  certificate: string
}

/** As much as anyone pastes. */
const most = 200_000

export function readMetadata(xml: string): Metadata | undefined {
  if (xml.length > most) return undefined
  const entityID = attributeOf(/<(?:\w+:)?EntityDescriptor\b[^>]*>/.exec(xml)?.[0] ?? '', 'entityID')
  const own = /<(?:\w+:)?IDPSSODescriptor\b[\s\S]*?<\/(?:\w+:)?IDPSSODescriptor>/.exec(xml)?.[0] ?? ''
  const services = own.match(/<(?:\w+:)?SingleSignOnService\b[^>]*>/g) ?? []
  const service = services.find((one) => attributeOf(one, 'Binding')?.endsWith(':HTTP-Redirect'))
  const ssoURL = service && attributeOf(service, 'Location')
  if (!entityID || !ssoURL) return undefined
  return { entityID, ssoURL, certificate: certificatesIn(own).join('\n') }
}

/** Keys that sign, or do everything; the first two, while the provider changes its key. */
function certificatesIn(descriptor: string): string[] {
  const keys = descriptor.match(/<(?:\w+:)?KeyDescriptor\b[\s\S]*?<\/(?:\w+:)?KeyDescriptor>/g) ?? []
  const signing = keys.filter((key) => attributeOf(key.slice(0, key.indexOf('>') + 1), 'use') !== 'encryption')
  const found = signing.flatMap((key) =>
    [...key.matchAll(/<(?:\w+:)?X509Certificate\b[^>]*>([^<]*)</g)].map(([, text = '']) => text.replace(/\s+/g, '')),
  )
  return [...new Set(found)].slice(0, 2).map(pemOf)
}

const pemOf = (base64: string): string =>
  ['-----BEGIN CERTIFICATE-----', ...(base64.match(/.{1,64}/g) ?? []), '-----END CERTIFICATE-----'].join('\n')

function attributeOf(tag: string, name: string): string | undefined {
  const found = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(tag)
  const value = found?.[1] ?? found?.[2]
  return value
    ?.replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&amp;', '&')
}
