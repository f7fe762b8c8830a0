/** A SAML identity provider from a library that is not ours: it reads our metadata and our requests, and signs its answers. */
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { certificateOf, type KeyName, type RunningProvider } from './identity-provider.ts'

/** What we use of it. Its own types would bring those of browsers into every test. */
interface Library {
  setSchemaValidator(validator: { validate: (xml: string) => Promise<string> }): void
  ServiceProvider(settings: { entityID: string } | { metadata: string }): object
  SamlLib: {
    defaultLoginResponseTemplate: { context: string }
    replaceTagsByValue(template: string, values: Record<string, string>): string
  }
  IdentityProvider(settings: object): {
    parseLoginRequest(us: object, binding: 'redirect', request: object): Promise<Asked>
    createLoginResponse(
      us: object,
      request: object,
      binding: 'post',
      user: { email: string },
      fill: (template: string) => { id: string; context: string },
    ): Promise<{ context: string; entityEndpoint: string }>
  }
}
interface Asked {
  extract: { issuer: string; request: { id: string; assertionConsumerServiceUrl: string } }
}
const samlify: Library = createRequire(import.meta.url)('samlify')

const keyOf = (name: KeyName): string => readFileSync(new URL(`../fixtures/saml/${name}.key`, import.meta.url), 'utf8')

export async function startLibraryProvider(key: KeyName): Promise<RunningProvider> {
  // What arrives comes from our own server; its form is what the test is about.
  samlify.setSchemaValidator({ validate: async () => 'as it is' })
  const server = createServer(async (request, response) => {
    const { searchParams } = new URL(request.url ?? '/', ssoUrl)
    const [email, asked] = [searchParams.get('email'), searchParams.get('SAMLRequest') ?? '']
    response.setHeader('content-type', 'text/html; charset=utf-8')
    if (email === null) {
      response.end(
        `<title>Library</title><form><input type="hidden" name="SAMLRequest" value="${asked}"><label>Who are you? <input name="email"></label><button>Continue</button></form>`,
      )
      return
    }
    const unknown = samlify.ServiceProvider({ entityID: 'unknown' })
    const query = { SAMLRequest: asked }
    const first = await identityProvider.parseLoginRequest(unknown, 'redirect', { query })
    // Our entity id is the address of our metadata: who answers us reads there where to.
    const metadata = await (await fetch(first.extract.issuer)).text()
    const us = samlify.ServiceProvider({ metadata })
    const read = await identityProvider.parseLoginRequest(us, 'redirect', { query })
    const fill = (text: string) => filled(text, { entityId, email, read })
    const { context, entityEndpoint } = await identityProvider.createLoginResponse(us, read, 'post', { email }, fill)
    response.end(
      `<title>Library</title><form method="post" action="${entityEndpoint}"><input type="hidden" name="SAMLResponse" value="${context}"></form><script>document.forms[0].submit()</script>`,
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const ssoUrl = `http://localhost:${(server.address() as AddressInfo).port}/sso`
  const entityId = `${ssoUrl}/metadata`
  const identityProvider = samlify.IdentityProvider({
    entityID: entityId,
    signingCert: certificateOf(key),
    privateKey: keyOf(key),
    nameIDFormat: ['urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress'],
    loginResponseTemplate: { context: template, attributes: [] },
    singleSignOnService: [{ Binding: 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect', Location: ssoUrl }],
  })
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { entityId, ssoUrl, close }
}

/** The library's own template leaves out what the profile asks for: that, and when, somebody signed in. */
const template = samlify.SamlLib.defaultLoginResponseTemplate.context.replace(
  '{AuthnStatement}',
  '<saml:AuthnStatement AuthnInstant="{IssueInstant}" SessionIndex="{AssertionID}"><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>',
)

function filled(text: string, { entityId, email, read }: { entityId: string; email: string; read: Asked }) {
  const { issuer, request } = read.extract
  const [id, end] = [`_${randomUUID()}`, new Date(Date.now() + 300_000).toISOString()]
  const now = new Date().toISOString()
  const values = {
    ID: id,
    AssertionID: `_${randomUUID()}`,
    Destination: request.assertionConsumerServiceUrl,
    SubjectRecipient: request.assertionConsumerServiceUrl,
    AssertionConsumerServiceURL: request.assertionConsumerServiceUrl,
    Audience: issuer,
    EntityID: issuer,
    Issuer: entityId,
    NameIDFormat: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
    NameID: email,
    IssueInstant: now,
    ConditionsNotBefore: now,
    ConditionsNotOnOrAfter: end,
    SubjectConfirmationDataNotOnOrAfter: end,
    InResponseTo: request.id,
    StatusCode: 'urn:oasis:names:tc:SAML:2.0:status:Success',
    AttributeStatement: '',
  }
  return { id, context: samlify.SamlLib.replaceTagsByValue(text, values) }
}
