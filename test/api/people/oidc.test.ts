/** OpenID Connect: providers by the API, and that nobody gets in by an answer that is not exactly right. */
import { SignJWT, UnsecuredJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { claimDomain } from '../../../src/domain/sso/domains.ts'
import { makeSigner } from '../../../src/platform/signer.ts'
import { eachBackend } from '../../kit/backends.ts'
import { type Crooked, type CrookedProvider, startCrookedProvider } from '../../kit/openid-provider.ts'
import { scenarios } from '../../kit/scenarios.ts'
import { type Kit, useKit } from '../../kit/server.ts'
import { snapshotOf } from '../../kit/snapshot.ts'

let idp: CrookedProvider
beforeAll(async () => {
  idp = await startCrookedProvider()
})
afterAll(() => idp.close())

const complete = () => ({ label: 'Main', issuer: idp.issuer, clientID: idp.clientID, clientSecret: idp.clientSecret })

eachBackend((backend) => {
  const kit = useKit(backend, { settings: { LECTERN_ALLOW_PRIVATE_FETCH: '1' } })
  const strict = useKit(backend)
  const org = (k: Kit) => ({ organizationId: k.organization })

  // biome-ignore format: a table reads best as one.
  scenarios(kit, 'createOIDCProvider', {
    'needs a token':            { as: 'nobody',   answers: 401 },
    'hides the organization':   { as: 'stranger', answers: 404 },
    'hides other teams':        { as: 'admin', body: { label: 'x', defaultTeam: 'nosuchteam0000000000' }, answers: 404 },
    'needs an admin':           { as: 'create',   answers: 403 },
    'needs a label':            { as: 'admin', body: {}, answers: 400, field: 'label' },
    'takes no other address':   { as: 'admin', body: { label: 'x', issuer: 'javascript:alert(1)' }, answers: 400, field: 'issuer' },
    'takes no query':           { as: 'admin', body: { label: 'x', issuer: 'https://idp.test/?a=b' }, answers: 400, field: 'issuer' },
    'takes none that is silent': { as: 'admin', body: { label: 'x', issuer: 'http://127.0.0.1:9' }, answers: 400, field: 'issuer' },
    'is pending at first':      { as: 'admin', answers: 201, writes: ['ssoProvider'], gives: (k, body) => { expect(body.service).toEqual({ redirectURL: `http://lectern.test/sso/${body.id}/callback`, startURL: `http://lectern.test/sso/${body.id}` }); return { object: 'oidc-provider', label: 'Okta', status: 'pending', issuer: '', hasClientSecret: false, defaultRole: 'read', urls: { location: `http://lectern.test/v1/orgs/${k.organization}/oidc/${body.id}` } } } },
  }, { params: org, body: { label: 'Okta' } })

  describe('a provider', () => {
    test('is shown without its secret, listed, changed and deleted by admins, and its way in by members', async () => {
      const organizationId = kit.organization
      const made = await kit.as.admin.createOIDCProvider({ organizationId, body: { ...complete(), defaultRole: null } })
      expect(made).toMatchObject({ status: 'active', hasClientSecret: true, clientID: 'lectern', defaultRole: null })
      const key = { organizationId, oidcProviderId: made.id }
      expect((await kit.as.admin.listOIDCProviders({ organizationId })).items.map(({ id }) => id)).toContain(made.id)
      expect((await kit.as.admin.listSAMLProvidersInOrganizationById({ organizationId })).items).toEqual([])
      expect((await kit.as.read.listSSOProviderLoginsInOrganization({ organizationId })).items).toEqual([
        { id: made.id, label: 'Main', startURL: made.service.startURL },
      ])
      expect(
        (await kit.call('admin', 'getOrganizationSAMLProviderById', { organizationId, samlProviderId: made.id }))
          .status,
      ).toBe(404)
      expect((await kit.as.admin.updateOIDCProvider({ ...key, body: { label: 'Other' } })).label).toBe('Other')
      await kit.as.admin.updateOIDCProvider({ ...key, body: { clientSecret: 'another-secret' } })
      for (const table of ['ssoProvider', 'event']) {
        const rows = JSON.stringify(await kit.db.all({ sql: `select * from "${table}"`, name: '' }, []))
        expect(rows).not.toMatch(/shared-secret|another-secret/)
      }
      await kit.as.admin.deleteOIDCProvider(key)
      expect((await kit.call('admin', 'getOIDCProvider', key)).status).toBe(404)
    })

    test('that gets another issuer needs another secret: the old one goes nowhere else', async () => {
      const other = await startCrookedProvider()
      const organizationId = kit.organization
      const made = await kit.as.admin.createOIDCProvider({ organizationId, body: complete() })
      const key = { organizationId, oidcProviderId: made.id }
      const moved = await kit.as.admin.updateOIDCProvider({ ...key, body: { issuer: other.issuer } })
      expect(moved).toMatchObject({ status: 'pending', hasClientSecret: false })
      expect((await kit.server.app.inject({ url: `/sso/${made.id}` })).statusCode).toBe(404)
      await kit.as.admin.deleteOIDCProvider(key)
      await other.close()
    })

    test('threat 14: on a private address, or over plain http, is refused before anything is asked', async () => {
      for (const issuer of [
        idp.issuer,
        'https://127.0.0.1',
        'https://169.254.169.254',
        'https://[::1]',
        'https://idp.localhost',
      ]) {
        const answer = await strict.call('admin', 'createOIDCProvider', {
          ...org(strict),
          body: { label: 'x', issuer },
        })
        expect([issuer, answer.status]).toEqual([issuer, 400])
      }
    })

    test('that stands for many tenants is refused: anybody could name any address there', async () => {
      idp.next = { metadata: { issuer: 'https://login.microsoftonline.com/{tenantid}/v2.0' } }
      const answer = await kit.call('admin', 'createOIDCProvider', { ...org(kit), body: complete() })
      idp.next = {}
      expect([answer.status, answer.body.error?.details?.[0]?.field]).toEqual([400, 'issuer'])
    })
  })

  describe('an answer of the provider', () => {
    let id: string
    beforeAll(async () => {
      const organizationId = kit.organization
      await kit.as.admin.updateOrganizationById({ organizationId, body: { emailDomains: ['people.test'] } })
      await kit.db.transaction((tx) =>
        claimDomain(tx, {
          domain: 'people.test',
          organizationId,
          proof: 'operator',
          verifiedAt: new Date().toISOString(),
        }),
      )
      const team = await kit.as.admin.createOrganizationTeam({ organizationId, body: { title: 'New' } })
      const body = { ...complete(), defaultRole: 'comment' as const, defaultTeam: team.id }
      id = (await kit.as.admin.createOIDCProvider({ organizationId, body })).id
    })

    test('signs in whom it names, makes them a member, and goes where they were going', async () => {
      const { cookie, asked } = await setOut(kit, id, '/app/spaces')
      expect(Object.fromEntries(new URL(asked).searchParams)).toMatchObject({
        client_id: 'lectern',
        response_type: 'code',
        code_challenge_method: 'S256',
        redirect_uri: `http://lectern.test/sso/${id}/callback`,
        scope: 'openid email profile',
      })
      idp.next = {}
      const answer = await back(kit, asked, cookie, { given_name: 'Ada', family_name: 'Byron' })
      const session = await finish(kit, answer, cookie)
      expect([session.statusCode, session.headers.location]).toEqual([303, '/app/spaces'])
      const user = await whoIs(kit, session)
      expect(user).toMatchObject({ displayName: 'Ada Byron', email: 'ada@people.test' })
      const key = { organizationId: kit.organization, userId: String(user.id) }
      expect(await kit.as.admin.getMemberInOrganizationById(key)).toMatchObject({
        role: 'comment',
        sso: true,
        teams: 1,
      })
    })

    test('may leave the address to its userinfo, and knows who comes again by their subject', async () => {
      idp.next = { claims: ({ email: _, ...rest }) => rest, userinfo: { sub: 'ada', email: 'ada@people.test' } }
      const { cookie, asked } = await setOut(kit, id, '/app')
      const session = await finish(kit, await back(kit, asked, cookie), cookie)
      expect((await whoIs(kit, session)).email).toBe('ada@people.test')
    })

    const now = () => Math.floor(Date.now() / 1000)
    const wrong: [string, Crooked, RegExp][] = [
      ['the nonce of another request', { claims: (right) => ({ ...right, nonce: 'other' }) }, /nonce/],
      ['no nonce', { claims: ({ nonce: _, ...rest }) => rest }, /nonce/],
      ['another audience', { claims: (right) => ({ ...right, aud: 'other' }) }, /aud/],
      ['another issuer', { claims: (right) => ({ ...right, iss: 'https://other.test' }) }, /iss/],
      ['an end that is past', { claims: (right) => ({ ...right, exp: now() - 120 }) }, /exp|timestamp/],
      ['no end', { claims: ({ exp: _, ...rest }) => rest }, /exp/],
      ['the key of somebody else', { foreignKey: true }, /signature/],
      ['no signature', { token: (claims) => new UnsecuredJWT(claims).encode() }, /alg|JWS|signature/i],
      [
        'an HMAC by its own secret',
        {
          token: (claims) =>
            new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(idp.clientSecret)),
        },
        /alg/i,
      ],
      ['something that is no token', { token: () => 'nonsense' }, /JWT|token/i],
      ['an address that is not verified', { claims: (right) => ({ ...right, email_verified: false }) }, /not verified/],
      ['no address', { claims: ({ email: _, ...rest }) => rest, userinfo: { sub: 'ada' } }, /no e-mail/],
      [
        'the userinfo of another subject',
        { claims: ({ email: _, ...rest }) => rest, userinfo: { sub: 'eve', email: 'ada@people.test' } },
        /sub/,
      ],
      [
        'threat 5: an address outside the proven domains',
        { claims: (right) => ({ ...right, sub: 'x', email: 'admin@lectern.test' }) },
        /proven domains/,
      ],
      ['a failure of the token endpoint', { status: 500 }, /response|server_error/],
    ]
    test.each(wrong)('is refused with %s', async (_name, crooked, reason) => {
      idp.next = crooked
      const { cookie, asked } = await setOut(kit, id, '/app')
      expect(await refused(kit, idp.answer(asked, ada), cookie)).toMatch(reason)
    })

    test('is refused with a code of another request, and with none', async () => {
      idp.next = {}
      const [one, two] = [await setOut(kit, id, '/app'), await setOut(kit, id, '/app')]
      const address = idp.answer(one.asked, ada)
      const { state } = Object.fromEntries(new URL(two.asked).searchParams)
      address.searchParams.set('state', state ?? '')
      expect(await refused(kit, address, two.cookie)).toMatch(/invalid_grant/)
      const denied = new URL(`http://lectern.test/sso/${id}/callback?error=access_denied&state=${state}`)
      expect(await refused(kit, denied, two.cookie)).toMatch(/access_denied/)
    })

    test('threat 4: is refused the second time, and without a request of ours', async () => {
      idp.next = {}
      const { cookie, asked } = await setOut(kit, id, '/app')
      const address = idp.answer(asked, ada)
      expect((await follow(kit, address, cookie)).statusCode).toBe(303)
      expect(await refused(kit, address, cookie)).toMatch(/no request of ours/)
      for (const state of ['', '%00', '_x', `_${'x'.repeat(43)}`])
        expect(await refused(kit, new URL(`/sso/${id}/callback?code=x&state=${state}`, address), cookie)).toMatch(
          /no request/,
        )
    })

    test('threat 22: signs in only the browser that set out, and asks the provider nothing for others', async () => {
      idp.next = {}
      const { asked } = await setOut(kit, id, '/app')
      const other = await setOut(kit, id, '/app')
      const before = idp.exchanges()
      expect(await refused(kit, idp.answer(asked, ada), other.cookie)).toMatch(/did not set out/)
      expect(await refused(kit, idp.answer(asked, ada), undefined)).toMatch(/did not set out/)
      expect(idp.exchanges()).toBe(before)
    })

    test('threat 3: of one provider does not count for another', async () => {
      idp.next = {}
      const organizationId = kit.organization
      const second = await kit.as.admin.createOIDCProvider({ organizationId, body: complete() })
      const { cookie, asked } = await setOut(kit, id, '/app')
      const address = idp.answer(asked, ada)
      address.pathname = `/sso/${second.id}/callback`
      expect(await refused(kit, address, cookie)).toMatch(/no request of ours/)
      await kit.as.admin.deleteOIDCProvider({ organizationId, oidcProviderId: second.id })
    })
  })
})

test('a secret that was hidden is found again by the key that hid it, also after that was replaced', () => {
  const [one, two] = [Buffer.alloc(32, 1).toString('base64url'), Buffer.alloc(32, 2).toString('base64url')]
  const before = makeSigner({ present: one, former: [] })
  const hidden = before.hide('a', 'secret')
  expect(hidden).not.toBe(before.hide('a', 'secret'))
  expect(before.reveal('a', hidden)).toEqual({ text: 'secret', isFormer: false })
  expect(before.reveal('b', hidden)).toBeUndefined()
  expect(before.reveal('a', `${hidden.slice(0, -2)}AA`)).toBeUndefined()
  expect(makeSigner({ present: two, former: [{ key: one }] }).reveal('a', hidden)).toEqual({
    text: 'secret',
    isFormer: true,
  })
  expect(makeSigner({ present: two, former: [] }).reveal('a', hidden)).toBeUndefined()
})

const ada = { sub: 'ada', email: 'ada@people.test', email_verified: true }

/** What a browser does first; its cookie, and where it is sent. */
async function setOut(kit: Kit, id: string, next: string) {
  const answer = await kit.server.app.inject({ url: `/sso/${id}?next=${encodeURIComponent(next)}` })
  expect(answer.statusCode).toBe(303)
  const cookie = String(answer.headers['set-cookie']).split(';')[0] ?? ''
  return { cookie, asked: String(answer.headers.location) }
}

const follow = (kit: Kit, { pathname, search }: URL, cookie: string | undefined) =>
  kit.server.app.inject({
    url: `${pathname}${search}`,
    headers: { 'sec-fetch-site': 'cross-site', ...(cookie === undefined ? {} : { cookie }) },
  })

const back = (kit: Kit, asked: string, cookie: string, more = {}) =>
  follow(kit, idp.answer(asked, { ...ada, ...more }), cookie)

type Answer = Awaited<ReturnType<typeof follow>>

async function finish(kit: Kit, answer: Answer, cookie: string): Promise<Answer> {
  expect(answer.statusCode).toBe(303)
  return follow(kit, new URL(String(answer.headers.location), 'http://lectern.test'), cookie)
}

async function whoIs(kit: Kit, { headers }: Answer): Promise<Record<string, unknown>> {
  const cookie =
    [headers['set-cookie']]
      .flat()
      .find((one) => one?.startsWith('lectern_session='))
      ?.split(';')[0] ?? ''
  const same = { cookie, 'sec-fetch-site': 'same-origin' }
  return (await kit.request({ method: 'GET', url: '/v1/user', headers: same })).json()
}

/** 403, no session, no account, one event: its reason. */
async function refused(kit: Kit, address: URL, cookie: string | undefined): Promise<string> {
  await kit.db.script('delete from "signinGuess"')
  const before = await snapshotOf(kit.db)
  const answer = await follow(kit, address, cookie)
  const after = await snapshotOf(kit.db)
  expect(answer.statusCode).toBe(403)
  expect(answer.payload).toContain('You were not signed in')
  expect(answer.headers['set-cookie']).toBeUndefined()
  expect([...after.keys()].filter((name) => before.get(name) !== after.get(name))).toEqual(['event'])
  const sql = `select "data" from "event" where "action" = 'sso_sign_in_refused' order by "occurredAt" desc limit 1`
  const [event] = await kit.db.all({ sql, name: '' }, [])
  return JSON.parse(String(event?.data)).reason
}
