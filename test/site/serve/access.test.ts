/** Who is let into which site, what they bring, and what stays with them. */
import { describe, expect, test } from 'vitest'
import { eachBackend } from '../../kit/backends.ts'
import { type Kit, useKit } from '../../kit/server.ts'
import {
  asker,
  cookiesOf,
  edit,
  type PublishedSite,
  pageIds,
  paramsOf,
  publishedSite,
  type SiteGiven,
  shareLink,
  tokenFor,
} from './site-kit.ts'

const secret = 'Only for some.'

async function previewPath(kit: Kit, site: PublishedSite, query = {}): Promise<string> {
  const { previewURL } = await kit.as.admin.getSitePublishingPreviewById({ ...paramsOf(site), query })
  return new URL(previewURL).pathname.slice(site.base.length)
}

type Coming = (kit: Kit, site: PublishedSite) => Promise<{ path?: string; cookie?: string }>

const comings: Record<string, Coming> = {
  nothing: async () => ({}),
  'a share key': async (kit, site) => {
    const { path } = await shareLink(kit, site)
    return { cookie: cookiesOf(await site.ask(path)) }
  },
  'the share key of another site': async (kit, site) => {
    const other = await publishedSite(kit, [{ title: 'Start' }], { visibility: 'share-link' })
    const { path } = await shareLink(kit, other)
    return { cookie: cookiesOf(await other.ask(path)), site: site.siteId }
  },
  'a revoked share key': async (kit, site) => {
    const { id, path } = await shareLink(kit, site)
    const cookie = cookiesOf(await site.ask(path))
    await kit.as.admin.updateSiteShareLinkById({ ...paramsOf(site), shareLinkId: id, body: { active: false } })
    return { cookie }
  },
  'a token': async (kit, site) => ({ cookie: `lectern-visitor-token=${await tokenFor(kit, site)}` }),
  'an expired token': async (kit, site) => ({
    cookie: `lectern-visitor-token=${await tokenFor(kit, site, {}, { seconds: -120 })}`,
  }),
  'a token under another key': async (kit, site) => ({
    cookie: `lectern-visitor-token=${await tokenFor(kit, site, {}, { key: 'x'.repeat(43) })}`,
  }),
  'a preview': async (kit, site) => ({ cookie: cookiesOf(await site.ask(await previewPath(kit, site))) }),
  'an altered preview': async (kit, site) => {
    const path = await previewPath(kit, site)
    return { cookie: `lectern-preview=${path.split('/').at(-1)}x` }
  },
}

const kinds: Record<string, SiteGiven> = {
  unpublished: { isPublished: false },
  public: {},
  unlisted: { visibility: 'unlisted' },
  'share-link': { visibility: 'share-link' },
  'visitor-auth': { visibility: 'visitor-auth' },
}

const [yes, no, signIn] = [200, 404, 401]
// biome-ignore format: a table reads best as one.
const table: Record<string, Record<keyof typeof kinds, number>> = {
  'nothing':                       { unpublished: no,  public: yes, unlisted: yes, 'share-link': no,  'visitor-auth': signIn },
  'a share key':                   { unpublished: no,  public: yes, unlisted: yes, 'share-link': yes, 'visitor-auth': signIn },
  'the share key of another site': { unpublished: no,  public: yes, unlisted: yes, 'share-link': no,  'visitor-auth': signIn },
  'a revoked share key':           { unpublished: no,  public: yes, unlisted: yes, 'share-link': no,  'visitor-auth': signIn },
  'a token':                       { unpublished: no,  public: yes, unlisted: yes, 'share-link': no,  'visitor-auth': yes },
  'an expired token':              { unpublished: no,  public: yes, unlisted: yes, 'share-link': no,  'visitor-auth': signIn },
  'a token under another key':     { unpublished: no,  public: yes, unlisted: yes, 'share-link': no,  'visitor-auth': signIn },
  'a preview':                     { unpublished: yes, public: yes, unlisted: yes, 'share-link': yes, 'visitor-auth': yes },
  'an altered preview':            { unpublished: no,  public: yes, unlisted: yes, 'share-link': no,  'visitor-auth': signIn },
}

eachBackend((backend) => {
  const kit = useKit(backend)

  for (const [kind, given] of Object.entries(kinds)) {
    test(`who comes to a site that is ${kind}`, async () => {
      const site = await publishedSite(kit, [{ title: 'Start', markdown: secret }], given)
      // One that anyone may read has been read before: what is kept of it must let nobody in.
      await site.ask('')
      await site.ask('')
      const nothing = await (await asker(kit))('/sites/never-was')
      for (const [who, come] of Object.entries(comings)) {
        // A share link stands only in an address that opens; elsewhere it is made on a site that asks for one.
        if (/share key/.test(who) && kind !== 'share-link') continue
        const { cookie } = await come(kit, site)
        const answer = await site.ask('', cookie === undefined ? {} : { headers: { cookie } })
        expect([who, answer.status]).toEqual([who, table[who]?.[kind]])
        expect(answer.text.includes(secret)).toBe(answer.status === yes)
        const isOpen = (kind === 'public' || kind === 'unlisted') && who !== 'a preview' && who !== 'a token'
        expect([who, String(answer.headers['cache-control']).includes('public')]).toEqual([who, isOpen])
        if (kind !== 'public') expect(String(answer.headers['x-robots-tag'] ?? 'noindex')).toContain('noindex')
        // What is not there for them looks like what never was.
        if (answer.status === no) {
          expect(answer.text).toBe(nothing.text)
          expect(withoutDate(answer.headers)).toEqual(withoutDate(nothing.headers))
        }
      }
    })
  }

  describe('a share link', () => {
    test('leaves the address at the first visit and stays in a cookie of the site', async () => {
      const site = await publishedSite(kit, [{ title: 'Start', markdown: secret }, { title: 'Deep' }], {
        visibility: 'share-link',
      })
      const { path } = await shareLink(kit, site)
      const first = await site.ask(`${path}/deep?a=1`)
      expect([first.status, first.headers.location]).toEqual([302, `${site.base}/deep?a=1`])
      expect(first.headers['cache-control']).toBe('private, no-store')
      expect(first.headers['referrer-policy']).toBe('no-referrer')
      const [cookie = ''] = first.headers['set-cookie'] ?? []
      expect(cookie).toMatch(new RegExp(`^lectern-share=[\\w%.-]+; Path=${site.base}; HttpOnly; SameSite=Lax$`))
      const page = await site.ask('', { headers: { cookie: cookiesOf(first) } })
      expect(page.text).toContain(secret)
      expect(page.text).not.toContain(path)
      expect((await site.ask(`${path}x/deep`)).status).toBe(404)
    })
  })

  describe('a visitor with a token', () => {
    test('has it in a cookie from the first visit, for as long as it lasts', async () => {
      const site = await publishedSite(kit, [{ title: 'Start', markdown: secret }], { visibility: 'visitor-auth' })
      const token = await tokenFor(kit, site, {}, { seconds: 900 })
      const first = await site.ask(`/start?jwt_token=${token}&b=2`)
      expect([first.status, first.headers.location]).toEqual([302, `${site.base}/start?b=2`])
      const [cookie = ''] = first.headers['set-cookie'] ?? []
      expect(cookie).toMatch(/; HttpOnly; SameSite=Lax; Max-Age=8\d\d$/)
      expect((await site.ask('', { headers: { cookie: cookiesOf(first) } })).text).toContain(secret)
      await kit.as.admin.regenerateSitePublishingAuthById(paramsOf(site))
      const after = await site.ask('', { headers: { cookie: cookiesOf(first) } })
      expect(after.status).toBe(401)
      expect(after.text).not.toContain(secret)
      expect(after.headers['set-cookie']?.[0]).toContain('Max-Age=0')
    })

    test('that is none of this site’s has none, and keeps the one they have', async () => {
      const site = await publishedSite(kit, [{ title: 'Start', markdown: secret }])
      const far = { seconds: 900, key: 'x'.repeat(43) }
      const foreign = await tokenFor(kit, site, { note: 'x'.repeat(4_000) }, far)
      for (const token of ['{}', 'a.b.c', 'a.e30.c', 'x'.repeat(5_000), foreign]) {
        const answer = await site.ask(`/start?jwt_token=${encodeURIComponent(token)}`)
        expect([answer.status, answer.headers.location, answer.headers['set-cookie']]).toEqual([
          302,
          `${site.base}/start`,
          undefined,
        ])
      }
    })

    test('is forgotten when they leave', async () => {
      const site = await publishedSite(kit, [{ title: 'Start' }], { visibility: 'visitor-auth' })
      const left = await site.ask('/~logout')
      expect([left.status, left.headers.location]).toEqual([302, site.base])
      expect(left.headers['set-cookie']?.[0]).toMatch(/^lectern-visitor-token=; .*Max-Age=0$/)
      const body = { logoutURL: 'https://login.example.com/out' }
      await kit.as.admin.updateSitePublishingAuthById({ ...paramsOf(site), body })
      expect((await site.ask('/~logout')).headers.location).toBe('https://login.example.com/out')
      const hidden = await publishedSite(kit, [{ title: 'Start' }], { visibility: 'share-link' })
      expect((await hidden.ask('/~logout')).status).toBe(404)
    })

    test('is sent to sign in where there is a place for it, with the way back', async () => {
      const site = await publishedSite(kit, [{ title: 'Start' }], { visibility: 'visitor-auth' })
      const body = { fallbackURL: 'https://login.example.com/in?x=1' }
      await kit.as.admin.updateSitePublishingAuthById({ ...paramsOf(site), body })
      const { status, headers } = await site.ask('/deep/page')
      expect([status, headers.location]).toEqual([302, 'https://login.example.com/in?x=1&location=%2Fdeep%2Fpage'])
      // Stored before such addresses were refused.
      await kit.db.script(`update "site" set "fallbackURL" = 'https://xn--a/' where "id" = '${site.siteId}'`)
      await kit.as.admin.updateSiteById({ ...paramsOf(site), body: { title: 'Again' } })
      expect((await site.ask('/deep/page')).status).toBe(401)
    })
  })

  describe('conditions', () => {
    const gold = 'visitor.claims.gold == true'
    const unsigned = 'visitor.claims.unsigned.beta == true'

    test('show each visitor what is theirs, however they come', async () => {
      const site = await publishedSite(kit, [
        { title: 'Start' },
        { title: 'Goldmine', markdown: `## Nuggets\n\n${secret}`, condition: gold },
        { title: 'Betaland', markdown: 'Early.', condition: unsigned },
      ])
      const token = await tokenFor(kit, site, { gold: true })
      const golden = { headers: { cookie: `lectern-visitor-token=${token}` } }
      const early = { headers: { cookie: `lectern-visitor-public=${encodeURIComponent('{"beta":true}')}` } }
      const forged = { headers: { cookie: `lectern-visitor-public=${encodeURIComponent('{"gold":true}')}` } }
      const search = async (word: string, options: { headers?: Record<string, string> } = {}) => {
        const headers = { ...options.headers, accept: 'application/json' }
        return JSON.parse((await site.ask(`/~search?q=${word}`, { headers })).text).pages.length
      }
      for (const round of [1, 2]) {
        for (const nobody of [{}, forged]) {
          const home = await site.ask('', nobody)
          expect([round, home.text.includes('Goldmine'), home.text.includes('Betaland')]).toEqual([round, false, false])
          const missing = await site.ask('/goldmine', nobody)
          expect(missing.status).toBe(404)
          expect(missing.text).not.toMatch(/Goldmine|Only for/)
          expect(await search('nuggets', nobody)).toBe(0)
        }
        const home = await site.ask('', golden)
        expect([home.text.includes('Goldmine'), home.text.includes('Betaland')]).toEqual([true, false])
        expect(home.headers['cache-control']).toBe('private, no-cache')
        expect((await site.ask('/goldmine', golden)).text).toContain(secret)
        expect(await search('nuggets', golden)).toBe(1)
        expect((await site.ask('', early)).text).toContain('Betaland')
        expect((await site.ask('/?visitor.beta=true')).status).toBe(308)
        expect((await site.ask('?visitor.beta=true')).text).toContain('Betaland')
        expect((await site.ask('?visitor.gold=true')).text).not.toContain('Goldmine')
      }
    })

    test('decide on blocks of a page, and what was made for one is not sent to another', async () => {
      const site = await publishedSite(kit, [{ title: 'Start' }])
      const ids = await pageIds(kit, site.spaceId)
      const hidden = `{% if ${gold} %}\n${secret}\n{% endif %}\n\nFor all.`
      await edit(kit, site.spaceId, ids.Start ?? '', hidden)
      const token = await tokenFor(kit, site, { gold: true })
      const golden = { headers: { cookie: `lectern-visitor-token=${token}` } }
      const shown = async (options = {}) => (await site.ask('', options)).text.includes(secret)
      expect([await shown(), await shown(golden), await shown(), await shown(golden)]).toEqual([
        false,
        true,
        false,
        true,
      ])
      const etag = String((await site.ask('', golden)).headers.etag)
      expect((await site.ask('', { headers: { 'if-none-match': etag } })).status).toBe(200)
    })
  })

  describe('a preview', () => {
    test('of a change request shows what it proposes, to who has the link, until it ends', async () => {
      const site = await publishedSite(kit, [{ title: 'Start', markdown: 'As it is.' }])
      const ids = await pageIds(kit, site.spaceId)
      const { spaceId } = site
      const change = await kit.as.admin.createChangeRequest({ spaceId, body: { subject: 'Better' } })
      const propose = (markdown: string) =>
        kit.as.admin.updateChangeRequestContent({
          spaceId,
          changeRequestId: change.id,
          body: { changes: [{ operation: 'update_page', page: ids.Start ?? '', document: { markdown } }] },
        })
      await propose('As it may be.')
      const opened = await site.ask(await previewPath(kit, site, { space: spaceId, changeRequest: change.id }))
      const reading = { headers: { cookie: cookiesOf(opened) } }
      const draft = await site.ask('', reading)
      expect(draft.text).toContain('As it may be.')
      expect(draft.headers['cache-control']).toBe('private, no-store')
      await propose('As it may yet be.')
      expect((await site.ask('', reading)).text).toContain('As it may yet be.')
      expect((await site.ask('')).text).toContain('As it is.')
      const now = kit.clock.now()
      kit.clock.advance(3_700_000)
      expect((await site.ask('', reading)).text).toContain('As it is.')
      kit.clock.set(now)
    })
  })
})

/** Without what is of one answer only. */
const withoutDate = ({ date: _, 'x-request-id': __, ...headers }: Record<string, unknown>) => headers
