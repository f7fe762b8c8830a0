/** SAML: providers by the API, and that nobody gets in by an answer that is not exactly right. */
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { claimDomain } from '../../../src/domain/sso/domains.ts'
import { eachBackend } from '../../kit/backends.ts'
import {
  certificateOf,
  encoded,
  makeResponse,
  type Response,
  readRequest,
  signed,
} from '../../kit/identity-provider.ts'
import { scenarios } from '../../kit/scenarios.ts'
import { type Kit, useKit } from '../../kit/server.ts'
import { snapshotOf } from '../../kit/snapshot.ts'

const issuer = 'https://idp-one.test/metadata'
const complete = (k: Pick<Kit, 'organization'> | undefined = undefined) => ({
  label: k ? 'Main' : 'Okta',
  entityID: issuer,
  ssoURL: 'https://idp-one.test/sso',
  certificate: certificateOf('one'),
})

eachBackend((backend) => {
  const kit = useKit(backend)
  const org = (k: Kit) => ({ organizationId: k.organization })

  // biome-ignore format: a table reads best as one.
  scenarios(kit, 'createOrganizationSAMLProvider', {
    'needs a token':            { as: 'nobody',   answers: 401 },
    'hides the organization':   { as: 'stranger', answers: 404 },
    'hides other teams':        { as: 'admin', body: { label: 'x', defaultTeam: 'nosuchteam0000000000' }, answers: 404 },
    'needs an admin':           { as: 'create',   answers: 403 },
    'needs a label':            { as: 'admin', body: {}, answers: 400, field: 'label' },
    'takes no other certificate': { as: 'admin', body: { label: 'x', certificate: 'nonsense' }, answers: 400, field: 'certificate' },
    'takes no third certificate': { as: 'admin', body: { label: 'x', certificate: certificateOf('one') + certificateOf('two') + certificateOf('three') }, answers: 400, field: 'certificate' },
    'takes no other address':   { as: 'admin', body: { label: 'x', ssoURL: 'javascript:alert(1)' }, answers: 400, field: 'ssoURL' },
    'is pending at first':      { as: 'admin', answers: 201, writes: ['ssoProvider'], gives: (k, body) => { expect(body.service).toEqual({ acsURL: `http://lectern.test/sso/${body.id}/acs`, startURL: `http://lectern.test/sso/${body.id}`, entityID: `http://lectern.test/sso/${body.id}/metadata` }); return { object: 'saml-provider', label: 'Okta', status: 'pending', ssoURL: '', defaultRole: 'read', urls: { location: `http://lectern.test/v1/orgs/${k.organization}/saml/${body.id}` } } } },
    'is active when complete':  { as: 'admin', body: { ...complete(), defaultRole: null }, answers: 201, gives: { status: 'active', defaultRole: null, entityID: issuer } },
    'takes two certificates':   { as: 'admin', body: { ...complete(), certificate: certificateOf('one') + certificateOf('two') }, answers: 201, gives: { status: 'active' } },
  }, { params: org, body: { label: 'Okta' } })

  describe('a provider', () => {
    test('takes back what it shows, also while it is pending, and is pending again without', async () => {
      const { organization: organizationId } = kit
      const made = await kit.as.admin.createOrganizationSAMLProvider({ organizationId, body: { label: 'Later' } })
      const params = { organizationId, samlProviderId: made.id }
      const change = ({ label, ssoURL, entityID, certificate }: typeof made) =>
        kit.as.admin.updateOrganizationSAMLProvider({ ...params, body: { label, ssoURL, entityID, certificate } })
      expect(await change(made)).toEqual(made)
      const whole = await change({ ...made, ...complete() })
      expect(whole.status).toBe('active')
      expect(await change(whole)).toEqual(whole)
      expect(await change({ ...whole, certificate: '' })).toMatchObject({ certificate: '', status: 'pending' })
      await kit.as.admin.deleteOrganizationSAMLProvider(params)
    })

    test('costs a list no statement of its own, however many have a team', async () => {
      const { organization: organizationId } = kit
      const made: string[] = []
      const add = async (count: number) => {
        for (let i = 0; i < count; i++) {
          const team = await kit.as.admin.createOrganizationTeam({ organizationId, body: { title: `Newcomers ${i}` } })
          const body = { label: `Of ${i}`, defaultTeam: team.id }
          made.push((await kit.as.admin.createOrganizationSAMLProvider({ organizationId, body })).id)
        }
      }
      const list = () => kit.as.admin.listSAMLProvidersInOrganizationById({ organizationId, query: { limit: 50 } })
      const statements = async () => {
        // From then on the organization is known.
        await list()
        const all = vi.spyOn(kit.db, 'all')
        const { items } = await list()
        expect(items.filter(({ id, defaultTeam }) => made.includes(id) && defaultTeam)).toHaveLength(made.length)
        const { length } = all.mock.calls
        all.mockRestore()
        return length
      }
      await add(1)
      const alone = await statements()
      await add(6)
      expect(alone).toBeGreaterThan(0)
      expect(await statements()).toBe(alone)
      for (const samlProviderId of made)
        await kit.as.admin.deleteOrganizationSAMLProvider({ organizationId, samlProviderId })
    })

    test('is shown, listed, changed and deleted by admins, and its way in by members', async () => {
      const { organization: organizationId } = kit
      const team = await kit.as.admin.createOrganizationTeam({ organizationId, body: { title: 'Writers' } })
      const made = await kit.as.admin.createOrganizationSAMLProvider({
        organizationId,
        body: { label: 'Two', defaultTeam: team.id },
      })
      expect(made.defaultTeam).toMatchObject({ object: 'team', title: 'Writers' })
      const key = { organizationId, samlProviderId: made.id }
      const before = await kit.as.read.listSSOProviderLoginsInOrganization({ organizationId })
      expect(before.items.map(({ id }) => id)).not.toContain(made.id)
      const changed = await kit.as.admin.updateOrganizationSAMLProvider({ ...key, body: complete() })
      expect(changed).toMatchObject({ label: 'Okta', status: 'active', defaultTeam: { id: team.id } })
      expect(await kit.as.admin.getOrganizationSAMLProviderById(key)).toEqual(changed)
      const after = await kit.as.read.listSSOProviderLoginsInOrganization({ organizationId })
      expect(after.items).toContainEqual({ id: made.id, label: 'Okta', startURL: `http://lectern.test/sso/${made.id}` })
      const listed = await kit.as.admin.listSAMLProvidersInOrganizationById({ organizationId })
      expect(listed.items.find(({ id }) => id === made.id)).toEqual(changed)
      await expect(kit.as.create.getOrganizationSAMLProviderById(key)).rejects.toMatchObject({ status: 404 })
      await expect(kit.as.create.listSAMLProvidersInOrganizationById({ organizationId })).rejects.toMatchObject({
        status: 403,
      })
      const inOther = { organizationId: kit.otherOrganization, samlProviderId: made.id }
      await expect(kit.as.stranger.getOrganizationSAMLProviderById(inOther)).rejects.toMatchObject({ status: 404 })
      await kit.as.admin.deleteOrganizationSAMLProvider(key)
      await expect(kit.as.admin.getOrganizationSAMLProviderById(key)).rejects.toMatchObject({ status: 404 })
    })

    test('has metadata for whoever sets it up', async () => {
      const { id } = await provider(kit)
      const answer = await kit.server.app.inject({ url: `/sso/${id}/metadata` })
      expect(answer.headers['content-type']).toContain('application/samlmetadata+xml')
      expect(answer.payload).toContain(`entityID="http://lectern.test/sso/${id}/metadata"`)
      expect(answer.payload).toContain(`Location="http://lectern.test/sso/${id}/acs"`)
    })
  })

  describe('a domain', () => {
    test('is proven by its record, once, and for one organization', async () => {
      const { organization: organizationId } = kit
      await kit.as.admin.updateOrganizationById({
        organizationId,
        body: { emailDomains: ['proof.test', 'lectern.test'] },
      })
      const listed = await kit.as.admin.listEmailDomains({ organizationId })
      const [domain] = listed.items
      expect(domain).toMatchObject({
        domain: 'proof.test',
        verified: false,
        record: { type: 'TXT', name: '_lectern-email.proof.test' },
      })
      const verify = () => kit.as.admin.verifyEmailDomain({ organizationId, emailDomain: 'proof.test' })
      const records: Record<string, string[][]> = {}
      const { hostnames } = kit.env
      kit.env.hostnames = { ...hostnames, resolveTxt: async (name) => records[name] ?? [] }
      await expect(verify()).rejects.toMatchObject({ status: 409 })
      records['_lectern-email.proof.test'] = [['other=1'], [domain?.record.value ?? '']]
      expect(await verify()).toMatchObject({ verified: true })
      const stranger = { organizationId: kit.otherOrganization }
      await kit.as.stranger.updateOrganizationById({ ...stranger, body: { emailDomains: ['proof.test'] } })
      const theirs = (await kit.as.stranger.listEmailDomains(stranger)).items[0]?.record.value ?? ''
      expect(theirs).not.toBe(domain?.record.value)
      await expect(kit.as.stranger.verifyEmailDomain({ ...stranger, emailDomain: 'proof.test' })).rejects.toMatchObject(
        { status: 409 },
      )
      records['_lectern-email.proof.test']?.push([theirs])
      await expect(kit.as.stranger.verifyEmailDomain({ ...stranger, emailDomain: 'proof.test' })).rejects.toMatchObject(
        { status: 409, type: 'already_exists' },
      )
      kit.env.hostnames = hostnames
      // Whoever names it no more has it no more.
      await kit.as.admin.updateOrganizationById({ organizationId, body: { emailDomains: ['lectern.test'] } })
      await kit.as.admin.updateOrganizationById({
        organizationId,
        body: { emailDomains: ['proof.test', 'lectern.test'] },
      })
      expect((await kit.as.admin.listEmailDomains({ organizationId })).items[0]).toMatchObject({ verified: false })
    })
  })

  describe('an answer of the provider', () => {
    let one: Provider
    let other: Provider
    beforeAll(async () => {
      const { organization: organizationId, otherOrganization } = kit
      await kit.as.admin.updateOrganizationById({
        organizationId,
        body: { emailDomains: ['lectern.test', 'people.test'] },
      })
      await kit.as.stranger.updateOrganizationById({
        organizationId: otherOrganization,
        body: { emailDomains: ['elsewhere.test'] },
      })
      await verified(kit, organizationId, 'people.test')
      await verified(kit, otherOrganization, 'elsewhere.test')
      one = await provider(kit)
      const made = await kit.as.stranger.createOrganizationSAMLProvider({
        organizationId: otherOrganization,
        body: { ...complete(), entityID: 'https://idp-two.test/metadata', certificate: certificateOf('two') },
      })
      other = { id: made.id, service: made.service }
    })

    test('signs in whom it names, makes them a member, and goes where they were going', async () => {
      const team = await kit.as.admin.createOrganizationTeam({
        organizationId: kit.organization,
        body: { title: 'New' },
      })
      const made = await provider(kit, { defaultRole: 'comment', defaultTeam: team.id })
      const { cookie, request } = await setOut(kit, made, '/app/spaces')
      const answer = await answered(kit, made, {
        nameId: 'Ada@people.test',
        requestId: request.id,
        attributes: { first_name: 'Ada', last_name: 'Byron' },
      })
      expect(answer.statusCode).toBe(303)
      const session = await finish(kit, answer, cookie)
      expect([session.statusCode, session.headers.location]).toEqual([303, '/app/spaces'])
      const user = await kit.request({
        method: 'GET',
        url: '/v1/user',
        headers: { cookie: sessionIn(session), 'sec-fetch-site': 'same-origin' },
      })
      expect(user.json()).toMatchObject({ displayName: 'Ada Byron', email: 'ada@people.test' })
      const member = await kit.as.admin.getMemberInOrganizationById({
        organizationId: kit.organization,
        userId: user.json().id,
      })
      expect(member).toMatchObject({ role: 'comment', sso: true, teams: 1 })
      // Whoever comes again is the same person, with the role they have by now.
      const again = await setOut(kit, made, '/app')
      const second = await answered(kit, made, { nameId: 'ada@people.test', requestId: again.request.id, sign: 'both' })
      expect((await finish(kit, second, again.cookie)).statusCode).toBe(303)
    })

    test('is taken when the response is signed instead, and with either of two certificates', async () => {
      const made = await provider(kit, { certificate: certificateOf('three') + certificateOf('one') })
      for (const key of ['one', 'three'] as const) {
        const { cookie, request } = await setOut(kit, made, '/app')
        const answer = await answered(kit, made, {
          nameId: 'bob@people.test',
          requestId: request.id,
          sign: 'response',
          key,
        })
        expect((await finish(kit, answer, cookie)).statusCode).toBe(303)
      }
    })

    /** Each gets a genuine answer for ada, and makes of it something that must not be taken. */
    const swap = (xml: string, from: string | RegExp, to: string): string => {
      const changed = xml.replace(from, () => to)
      if (changed === xml) throw new Error(`Nothing to change: ${from}`)
      return changed
    }
    const evil = 'mallory@people.test'
    const assertionOf = (xml: string): string => /<saml:Assertion[\s\S]*<\/saml:Assertion>/.exec(xml)?.[0] ?? ''
    const signatureOf = (xml: string): string => /<ds:Signature[\s\S]*<\/ds:Signature>/.exec(xml)?.[0] ?? ''
    const forged = (xml: string, id = '_evil'): string =>
      swap(swap(assertionOf(xml), signatureOf(xml), ''), 'ada@people.test', evil).replace(/ ID="[^"]+"/, ` ID="${id}"`)
    const withNamespace = (xml: string): string =>
      xml.replace('<saml:Assertion', '<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"')

    const wrapped: [string, (xml: string) => string][] = [
      [
        'XSW1: a forged response around the signed one',
        (xml) =>
          swap(swap(xml, signatureOf(xml), ''), '</samlp:Response>', `${signatureOf(xml)}${xml}</samlp:Response>`),
      ],
      [
        'XSW2: the signed response beside its detached signature',
        (xml) =>
          swap(
            xml,
            '</samlp:Response>',
            `<samlp:Response ID="_x">${assertionOf(xml)}</samlp:Response></samlp:Response>`,
          ),
      ],
      [
        'XSW3: a forged assertion before the signed one',
        (xml) => swap(xml, '<saml:Assertion', `${forged(xml)}<saml:Assertion`),
      ],
      [
        'XSW4: the signed assertion inside a forged one',
        (xml) =>
          swap(xml, assertionOf(xml), swap(forged(xml), '</saml:Assertion>', `${assertionOf(xml)}</saml:Assertion>`)),
      ],
      [
        'XSW5: a changed assertion, the signed one at the end',
        (xml) =>
          swap(
            swap(xml, assertionOf(xml), swap(forged(xml), '<saml:Subject>', `${signatureOf(xml)}<saml:Subject>`)),
            '</samlp:Response>',
            `${assertionOf(xml)}</samlp:Response>`,
          ),
      ],
      [
        'XSW6: the signed assertion inside the signature of a forged one',
        (xml) =>
          swap(
            xml,
            assertionOf(xml),
            swap(
              forged(xml),
              '<saml:Subject>',
              `${swap(signatureOf(xml), '</ds:Signature>', `${assertionOf(xml)}</ds:Signature>`)}<saml:Subject>`,
            ),
          ),
      ],
      [
        'XSW7: a forged assertion in Extensions',
        (xml) => swap(xml, '<samlp:Status>', `<samlp:Extensions>${forged(xml)}</samlp:Extensions><samlp:Status>`),
      ],
      [
        'XSW8: the signed assertion in an Object',
        (xml) =>
          swap(
            xml,
            assertionOf(xml),
            swap(
              forged(xml),
              '<saml:Subject>',
              `${swap(signatureOf(xml), '</ds:Signature>', `<ds:Object>${assertionOf(xml)}</ds:Object></ds:Signature>`)}<saml:Subject>`,
            ),
          ),
      ],
      [
        'an id that comes twice',
        (xml) => swap(xml, '<saml:Subject>', `<saml:Subject ID="${/<saml:Assertion ID="([^"]+)"/.exec(xml)?.[1]}">`),
      ],
      [
        'an assertion in another namespace',
        (xml) => swap(xml, '<saml:Assertion', '<x:Assertion xmlns:x="urn:x"/><saml:Assertion'),
      ],
      [
        'an assertion in the Advice of the signed one',
        (xml) =>
          swap(xml, '</saml:Conditions>', `</saml:Conditions><saml:Advice>${withNamespace(forged(xml))}</saml:Advice>`),
      ],
      ['a changed name', (xml) => swap(xml, 'ada@people.test', evil)],
    ]
    test.each(wrapped)('threat 1: is refused with %s', async (_name, change) => {
      await refused(kit, one, (response) => change(makeResponse(response)))
    })

    const spelt: [string, (xml: string) => string | Buffer][] = [
      ['a comment in the name', (xml) => swap(xml, 'ada@people.test', 'ada@people.test<!---->.evil.test')],
      ['a processing instruction in the name', (xml) => swap(xml, 'ada@people.test', 'ada<?x y?>@people.test')],
      ['CDATA in the name', (xml) => swap(xml, 'ada@people.test', '<![CDATA[ada@people.test]]>')],
      ['a character reference in the name', (xml) => swap(xml, 'ada@', '&#97;da@')],
      ['a document type', (xml) => `<!DOCTYPE x>${xml}`],
      ['an entity', (xml) => `<!DOCTYPE x [<!ENTITY e "ada">]>${swap(xml, 'ada@', '&e;@')}`],
      ['an entity nobody has declared', (xml) => swap(xml, 'ada@', '&ada;@')],
      ['UTF-16', (xml) => Buffer.from(`\ufeff${xml}`, 'utf16le')],
      ['UTF-7', (xml) => `<?xml version="1.0" encoding="UTF-7"?>${xml}`],
      ['a NUL', (xml) => swap(xml, 'ada@', 'ada\0@')],
      [
        'an attribute that comes twice',
        (xml) => swap(xml, '<saml:Conditions ', '<saml:Conditions NotOnOrAfter="2099-01-01T00:00:00Z" '),
      ],
      ['a name of parts', (xml) => swap(xml, 'ada@people.test', 'ada@people.test<saml:b>.evil.test</saml:b>')],
      [
        'a thousand levels',
        (xml) => swap(xml, '<samlp:Status>', `${'<samlp:a>'.repeat(1000)}${'</samlp:a>'.repeat(1000)}<samlp:Status>`),
      ],
    ]
    test.each(spelt)('threat 2: is refused with %s before any signature is looked at', async (_name, change) => {
      expect(await refused(kit, one, (response) => change(makeResponse(response)))).not.toMatch(bySignature)
    })

    const unsigned: [string, (response: Response) => string][] = [
      ['no signature', (response) => makeResponse({ ...response, sign: 'nothing' })],
      ['the key of another provider', (response) => makeResponse({ ...response, key: 'two' })],
      ['the key that stands in it', (response) => makeResponse({ ...response, key: 'three' })],
      [
        'a SHA-1 signature',
        (response) =>
          makeResponse({ ...response, algorithms: { signature: 'http://www.w3.org/2000/09/xmldsig#rsa-sha1' } }),
      ],
      [
        'a SHA-1 digest',
        (response) => makeResponse({ ...response, algorithms: { digest: 'http://www.w3.org/2000/09/xmldsig#sha1' } }),
      ],
      [
        'an HMAC',
        (response) =>
          makeResponse(response).replace(
            'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
            'http://www.w3.org/2000/09/xmldsig#hmac-sha1',
          ),
      ],
      [
        'an encrypted assertion beside the signed one (CVE-2026-2092)',
        (response) => makeResponse(response).replace('<saml:Assertion', '<saml:EncryptedAssertion/><saml:Assertion'),
      ],
      [
        'an unsigned assertion in a signed response, changed after',
        (response) => makeResponse({ ...response, sign: 'response' }).replace('ada@', 'mallory@'),
      ],
      [
        'a right signature of the assertion and a wrong one of the response',
        (response) => signed(makeResponse(response), 'Response', { key: 'two' }),
      ],
    ]
    test.each(unsigned)('threat 3: is refused with %s', async (_name, make) => {
      await refused(kit, one, make)
    })

    test('threat 3: of one organization’s provider never signs in to another', async () => {
      const { cookie, request } = await setOut(kit, one, '/app')
      // The other's genuine answer, made for our request, at our address and at its own.
      const theirs = {
        nameId: 'ada@people.test',
        requestId: request.id,
        issuer: 'https://idp-two.test/metadata',
        key: 'two' as const,
      }
      for (const to of [one, other]) {
        for (const about of [one, other]) {
          const xml = makeResponse({ ...theirs, acsUrl: about.service.acsURL, audience: about.service.entityID })
          expect((await post(kit, to, encoded(xml))).statusCode).toBe(403)
        }
      }
      expect(cookie).toBeTruthy()
    })

    const past = () => new Date(kit.clock.now().getTime() - 10 * 60_000)
    const stale: [string, (response: Response) => string][] = [
      ['an expired assertion', (response) => makeResponse({ ...response, now: past() })],
      [
        'only its conditions expired',
        (response) =>
          makeResponse({
            ...response,
            before: (xml) =>
              swap(
                xml,
                /(<saml:Conditions [^>]*NotOnOrAfter=")[^"]+/,
                `<saml:Conditions NotOnOrAfter="${past().toISOString()}`,
              ),
          }),
      ],
      [
        'only its confirmation expired',
        (response) =>
          makeResponse({
            ...response,
            before: (xml) =>
              swap(
                xml,
                /<saml:SubjectConfirmationData NotOnOrAfter="[^"]+/,
                `<saml:SubjectConfirmationData NotOnOrAfter="${past().toISOString()}`,
              ),
          }),
      ],
      [
        'a start in the future',
        (response) => makeResponse({ ...response, now: new Date(kit.clock.now().getTime() + 120_000) }),
      ],
      ['another audience', (response) => makeResponse({ ...response, audience: 'https://other.test' })],
      ['another recipient', (response) => makeResponse({ ...response, recipient: 'https://other.test/acs' })],
      ['another destination', (response) => makeResponse({ ...response, destination: 'https://other.test/acs' })],
      ['another issuer', (response) => makeResponse({ ...response, issuer: 'https://other.test/metadata' })],
      ['a status that is not success', (response) => makeResponse({ ...response, status: 'Responder' })],
      ['a request that nobody made', (response) => makeResponse({ ...response, requestId: '_nobody' })],
      [
        'no request',
        (response) => makeResponse({ ...response, before: (xml) => xml.replace(/ InResponseTo="[^"]+"/g, '') }),
      ],
    ]
    test.each(stale)('threat 4: is refused with %s, however well signed', async (_name, make) => {
      expect(await refused(kit, one, make)).not.toMatch(bySignature)
    })

    test('threat 4: is refused the second time, also for another request', async () => {
      const first = await setOut(kit, one, '/app')
      const xml = makeResponse(
        responseFor(kit, one, { nameId: 'carol@people.test', requestId: first.request.id, assertionId: '_once' }),
      )
      const answer = await post(kit, one, encoded(xml))
      expect((await post(kit, one, encoded(xml))).statusCode).toBe(403)
      expect((await finish(kit, answer, first.cookie)).statusCode).toBe(303)
      expect((await finish(kit, answer, first.cookie)).statusCode).toBe(403)
      expect((await post(kit, one, encoded(xml))).statusCode).toBe(403)
      const second = await setOut(kit, one, '/app')
      const reused = await answered(kit, one, {
        nameId: 'carol@people.test',
        requestId: second.request.id,
        assertionId: '_once',
      })
      expect(reused.statusCode).toBe(403)
    })

    test('threat 4: goes on to our own origin only, whatever RelayState says', async () => {
      const { cookie, request } = await setOut(kit, one, 'https://evil.test/')
      expect(request.relayState ?? '').toBe('')
      const xml = makeResponse(responseFor(kit, one, { nameId: 'ada@people.test', requestId: request.id }))
      const answer = await post(kit, one, encoded(xml), 'https://evil.test/')
      expect(answer.headers.location).toMatch(/^\/sso\/finish\?code=[\w-]{43}$/)
      expect((await finish(kit, answer, cookie)).headers.location).toBe('/app')
    })

    test('threat 22: signs in only the browser that set out', async () => {
      const { request } = await setOut(kit, one, '/app')
      const answer = await answered(kit, one, { nameId: 'ada@people.test', requestId: request.id })
      const victim = await setOut(kit, one, '/app')
      const slipped = await finish(kit, answer, victim.cookie)
      expect(slipped.statusCode).toBe(403)
      expect(slipped.headers['set-cookie']).toBeUndefined()
      expect((await finish(kit, answer, undefined)).statusCode).toBe(403)
    })

    const outside: [string, string][] = [
      ['an account of others', 'stranger@elsewhere.test'],
      ['the admin, in a domain that is named but not proven', 'admin@lectern.test'],
      ['an address that nobody has', 'new@nowhere.test'],
      ['an address that only looks like one', 'ada@people.test@evil.test'],
      ['no address', 'ada'],
    ]
    test.each(outside)('threat 5: reaches no account outside the proven domains: %s', async (_name, nameId) => {
      expect(await refused(kit, one, (response) => makeResponse({ ...response, nameId }))).toMatch(
        /proven domains|address/,
      )
    })

    test('threat 5: does not reach one whose domain was proven once', async () => {
      const { organization: organizationId } = kit
      const body = (emailDomains: string[]) => ({ organizationId, body: { emailDomains } })
      await kit.as.admin.updateOrganizationById(body(['lectern.test', 'people.test', 'gone.test']))
      await verified(kit, organizationId, 'gone.test')
      const { cookie, request } = await setOut(kit, one, '/app')
      const answer = await answered(kit, one, { nameId: 'dora@gone.test', requestId: request.id })
      expect((await finish(kit, answer, cookie)).statusCode).toBe(303)
      await kit.as.admin.updateOrganizationById(body(['lectern.test', 'people.test']))
      await refused(kit, one, (response) => makeResponse({ ...response, nameId: 'dora@gone.test' }))
    })

    test('threat 22: that is nonsense is noted ten times, then answered 429', async () => {
      await kit.db.script('delete from "signinGuess"')
      const noted = async () =>
        (await kit.db.all({ sql: `select 1 from "event" where "action" = 'sso_sign_in_refused'`, name: '' }, [])).length
      const before = await noted()
      const answers = []
      for (let at = 0; at < 12; at++) answers.push(await post(kit, one, 'bm9uc2Vuc2U='))
      expect(answers.map(({ statusCode }) => statusCode)).toEqual([...Array(10).fill(403), 429, 429])
      expect(Number(answers.at(-1)?.headers['retry-after'])).toBeGreaterThan(0)
      expect((await noted()) - before).toBe(10)
      await kit.db.script('delete from "signinGuess"')
    })

    test('is refused for a member who is disabled', async () => {
      await refused(
        kit,
        one,
        (response) => makeResponse({ ...response, nameId: 'erin@people.test' }),
        async () => {
          const person = await kit.addPerson({ email: 'erin@people.test', role: 'read' })
          await kit.db.transaction((tx) =>
            tx.run({ sql: `update "member" set "disabled" = 1 where "userId" = '${person.id}'`, name: '' }, []),
          )
        },
      )
    })
  })

  describe('an organization that asks for single sign-on', () => {
    test('lets in sessions that came from it, and tokens, but no others', async () => {
      const { organization: organizationId } = kit
      const person = await kit.addPerson({ email: 'frank@people.test', role: 'admin' })
      const made = await provider(kit)
      const headers = { 'sec-fetch-site': 'same-origin', 'x-lectern-app': '1' }
      const plain = await kit.request({
        method: 'POST',
        url: '/v1/sessions',
        headers,
        payload: { token: person.token },
      })
      const get = (cookie: string, url = `/v1/orgs/${organizationId}/members`) =>
        kit.request({ method: 'GET', url, headers: { ...headers, cookie } })
      expect((await get(sessionIn(plain))).statusCode).toBe(200)
      await kit.as.admin.updateOrganizationById({ organizationId, body: { sso: true } })
      await sleep(600)
      const shut = await get(sessionIn(plain))
      expect([shut.statusCode, shut.json().error.type]).toEqual([403, 'sso_required'])
      const space = await kit.as.admin.createSpace({ organizationId, body: { title: 'Inside' } })
      expect((await get(sessionIn(plain), `/v1/spaces/${space.id}`)).statusCode).toBe(403)
      expect((await get(sessionIn(plain), '/v1/user')).statusCode).toBe(200)
      const invite = await kit.as.admin.createOrganizationInvite({ organizationId, body: { role: 'edit' } })
      const join = { method: 'POST' as const, url: `/v1/join/${invite.id}` }
      const joined = await kit.request({ ...join, headers: { ...headers, cookie: sessionIn(plain) } })
      expect([joined.statusCode, joined.json().error.type]).toEqual([403, 'sso_required'])
      expect((await kit.client(person.token).listMembersInOrganizationById({ organizationId })).count).toBeGreaterThan(
        0,
      )
      const { cookie, request } = await setOut(kit, made, '/app')
      const session = await finish(
        kit,
        await answered(kit, made, { nameId: person.email, requestId: request.id }),
        cookie,
      )
      expect((await get(sessionIn(session))).statusCode).toBe(200)
      await kit.as.admin.updateOrganizationById({ organizationId, body: { sso: false } })
      await sleep(600)
      // Frank signed in that way once and is marked for it; from now on only that way counts for him.
      expect((await get(sessionIn(plain))).statusCode).toBe(403)
      // With the provider go the sessions that came from it.
      await kit.as.admin.deleteOrganizationSAMLProvider({ organizationId, samlProviderId: made.id })
      await sleep(600)
      expect((await get(sessionIn(session))).statusCode).toBe(401)
    })

    test('is found by the domain of an address on the sign-in page', async () => {
      const made = await provider(kit)
      const send = (email: string) =>
        kit.server.app.inject({
          method: 'POST',
          url: '/signin',
          headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'http://lectern.test' },
          payload: new URLSearchParams({ email, next: '/app/x', with: 'sso' }).toString(),
        })
      const page = await send('anyone@people.test')
      expect(page.payload).toContain(`href="/sso/${made.id}?next=%2Fapp%2Fx"`)
      expect((await send('anyone@nowhere.test')).statusCode).toBe(400)
      // Named, but not proven.
      expect((await send('anyone@lectern.test')).statusCode).toBe(400)
    })
  })
})

interface Provider {
  id: string
  service: { acsURL: string; startURL: string; entityID: string }
}

async function provider(kit: Kit, body: Record<string, unknown> = {}): Promise<Provider> {
  return kit.as.admin.createOrganizationSAMLProvider({
    organizationId: kit.organization,
    body: { ...complete(kit), ...body },
  })
}

const verified = (kit: Kit, organizationId: string, domain: string) =>
  kit.db.transaction((tx) =>
    claimDomain(tx, { domain, organizationId, proof: 'operator', verifiedAt: new Date().toISOString() }),
  )

/** What a browser does first; its cookie, and what the provider is asked. */
async function setOut(kit: Kit, { id }: Provider, next: string) {
  const answer = await kit.server.app.inject({ url: `/sso/${id}?next=${encodeURIComponent(next)}` })
  expect(answer.statusCode).toBe(303)
  return {
    cookie: String(answer.headers['set-cookie']).split(';')[0] ?? '',
    request: readRequest(String(answer.headers.location)),
  }
}

const responseFor = (kit: Kit, { service }: Provider, given: Partial<Response>): Response => ({
  key: 'one',
  issuer,
  acsUrl: service.acsURL,
  audience: service.entityID,
  requestId: '',
  nameId: '',
  now: kit.clock.now(),
  ...given,
})

const post = (kit: Kit, { id }: Provider, SAMLResponse: string, RelayState = '') =>
  kit.server.app.inject({
    method: 'POST',
    url: `/sso/${id}/acs`,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      origin: 'https://idp-one.test',
      'sec-fetch-site': 'cross-site',
    },
    payload: new URLSearchParams({ SAMLResponse, RelayState }).toString(),
  })

const answered = (kit: Kit, to: Provider, given: Partial<Response>) =>
  post(kit, to, encoded(makeResponse(responseFor(kit, to, given))))

type Answer = Awaited<ReturnType<typeof post>>

const finish = (kit: Kit, answer: Answer, cookie: string | undefined) =>
  kit.server.app.inject({
    url: String(answer.headers.location ?? '/sso/finish'),
    headers: { 'sec-fetch-site': 'cross-site', ...(cookie === undefined ? {} : { cookie }) },
  })

const sessionIn = ({ headers }: Answer): string =>
  [headers['set-cookie']]
    .flat()
    .find((one) => one?.startsWith('lectern_session='))
    ?.split(';')[0] ?? ''

/** A genuine request, and an answer to it that must be refused: 403, no session, no account, one event. */
async function refused(
  kit: Kit,
  to: Provider,
  make: (response: Response) => string | Buffer,
  given = async () => {},
): Promise<string> {
  await given()
  // Ten refusals are enough for one address; here each is the first.
  await kit.db.script('delete from "signinGuess"')
  const { cookie, request } = await setOut(kit, to, '/app')
  const made = make(responseFor(kit, to, { nameId: 'ada@people.test', requestId: request.id }))
  const before = await snapshotOf(kit.db)
  const answer = await post(kit, to, typeof made === 'string' ? encoded(made) : made.toString('base64'))
  const after = await snapshotOf(kit.db)
  expect(answer.statusCode).toBe(403)
  expect(answer.payload).toContain('You were not signed in')
  expect(answer.headers['set-cookie']).toBeUndefined()
  expect([...after.keys()].filter((name) => before.get(name) !== after.get(name))).toEqual(['event'])
  expect((await finish(kit, answer, cookie)).statusCode).toBe(403)
  const sql = `select "data" from "event" where "action" = 'sso_sign_in_refused' order by "occurredAt" desc limit 1`
  const [event] = await kit.db.all({ sql, name: '' }, [])
  return JSON.parse(String(event?.data)).reason
}

/** Reasons that only a look at the signature can give: what is refused earlier never gets that far. */
const bySignature = /signature|signed|key|digest/i
