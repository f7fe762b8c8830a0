/** Programs keep no cookies: what lets them in comes with each request, as `Authorization: Bearer …`. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { describe, expect, test } from 'vitest'
import { eachBackend } from '../../kit/backends.ts'
import { type Kit, useKit } from '../../kit/server.ts'
import { type PublishedSite, paramsOf, portOf, publishedSite, type SiteGiven, shareLink, tokenFor } from './site-kit.ts'

const secret = 'Only for zebras.'
const pages = [{ title: 'Start', markdown: secret }]
const formats = ['', '/start.md', '/llms.txt', '/llms-full.txt', '/rss.xml', '/~search?q=zebras']

type Bringing = (kit: Kit, site: PublishedSite) => Promise<string | undefined>

const keyOf = async (kit: Kit, site: PublishedSite): Promise<string> =>
  (await shareLink(kit, site)).path.split('/').at(-1) ?? ''

const bringings: Record<string, Bringing> = {
  'no token': async () => undefined,
  'no bearer': async () => 'Basic dXNlcjpwYXNz',
  'an empty bearer': async () => 'Bearer ',
  'what is no token': async () => 'Bearer a b c',
  'a wrong token': async (kit, site) => `Bearer ${await tokenFor(kit, site, {}, { key: 'x'.repeat(43) })}`,
  'an expired token': async (kit, site) => `Bearer ${await tokenFor(kit, site, {}, { seconds: -120 })}`,
  'a token': async (kit, site) => `Bearer ${await tokenFor(kit, site)}`,
  'a token, spelt in small letters': async (kit, site) => `bearer ${await tokenFor(kit, site)}`,
  'a wrong share key': async (kit, site) => `Bearer ${(await keyOf(kit, site)).slice(0, -3)}AAA`,
  'the share key of another site': async (kit) => {
    const other = await publishedSite(kit, pages, { visibility: 'share-link' })
    return `Bearer ${await keyOf(kit, other)}`
  },
  'a share key': async (kit, site) => `Bearer ${await keyOf(kit, site)}`,
}

const kinds: Record<string, SiteGiven> = {
  'visitor-auth': { visibility: 'visitor-auth' },
  'share-link': { visibility: 'share-link' },
  unpublished: { isPublished: false },
}

const [yes, no, signIn] = [200, 404, 401]
// biome-ignore format: a table reads best as one.
const table: Record<string, Partial<Record<keyof typeof kinds, number>>> = {
  'no token':                        { 'visitor-auth': signIn, 'share-link': no,  unpublished: no },
  'no bearer':                       { 'visitor-auth': signIn, 'share-link': no,  unpublished: no },
  'an empty bearer':                 { 'visitor-auth': signIn, 'share-link': no,  unpublished: no },
  'what is no token':                { 'visitor-auth': signIn, 'share-link': no,  unpublished: no },
  'a wrong token':                   { 'visitor-auth': signIn, 'share-link': no,  unpublished: no },
  'an expired token':                { 'visitor-auth': signIn, 'share-link': no,  unpublished: no },
  'a token':                         { 'visitor-auth': yes,  'share-link': no,  unpublished: no },
  'a token, spelt in small letters': { 'visitor-auth': yes,  'share-link': no,  unpublished: no },
  'a wrong share key':               {                       'share-link': no },
  'the share key of another site':   { 'visitor-auth': signIn, 'share-link': no,  unpublished: no },
  'a share key':                     {                       'share-link': yes },
}

const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} })
const call = (authorization: string | undefined) => ({
  method: 'POST',
  headers: {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...(authorization === undefined ? {} : { authorization }),
  },
  body: list,
})

eachBackend((backend) => {
  const kit = useKit(backend)

  for (const [kind, given] of Object.entries(kinds)) {
    test(`who comes to a site that is ${kind}`, async () => {
      const site = await publishedSite(kit, pages, given)
      for (const [what, bring] of Object.entries(bringings)) {
        const expected = table[what]?.[kind]
        if (expected === undefined) continue
        const authorization = await bring(kit, site)
        const called = await site.ask('/~mcp', call(authorization))
        expect([what, called.status]).toEqual([what, expected])
        expect([what, called.text.includes('read_page')]).toEqual([what, expected === yes])
        // Nobody on the way may keep what was opened by a secret, nor that it was not.
        expect(called.headers['cache-control']).toBe('private, no-store')
        expect(called.headers['www-authenticate']).toBe(expected === signIn ? 'Bearer' : undefined)
        // Twice: also what was kept for one must open to no other.
        for (const path of [...formats, ...formats]) {
          const headers = { accept: path.startsWith('/~search') ? 'application/json' : '*/*' }
          const read = await site.ask(path, {
            headers: authorization === undefined ? headers : { ...headers, authorization },
          })
          expect([what, path, read.status]).toEqual([what, path, expected])
          if (expected === yes)
            expect([what, path, read.headers['cache-control']]).toEqual([what, path, 'private, no-store'])
          else expect(read.text).not.toMatch(/zebras|Start/)
        }
      }
    })
  }

  describe('on a site that anyone may read', () => {
    const gold = 'visitor.claims.gold == true'
    const golden = [...pages, { title: 'Goldmine', markdown: 'Nuggets.', condition: gold }]

    test('a token shows what is for its claims, and to nobody else', async () => {
      const site = await publishedSite(kit, golden)
      const authorization = `Bearer ${await tokenFor(kit, site, { gold: true })}`
      for (const _ of [1, 2, 3]) {
        expect((await site.ask('/goldmine.md')).status).toBe(404)
        const own = await site.ask('/goldmine.md', { headers: { authorization } })
        expect([own.status, own.headers['cache-control']]).toEqual([200, 'private, no-store'])
        expect((await site.ask('/llms.txt')).text).not.toContain('Goldmine')
        expect((await site.ask('/llms.txt', { headers: { authorization } })).text).toContain('Goldmine')
      }
    })

    test('what is no token of the site is as if it were not there', async () => {
      const site = await publishedSite(kit, golden)
      for (const authorization of ['Bearer of.bad.news', 'Bearer x', 'Basic dXNlcjpwYXNz']) {
        const first = await site.ask('', { headers: { authorization } })
        const second = await site.ask('', { headers: { authorization } })
        const plain = await site.ask('')
        expect([first.status, second.status]).toEqual([200, 200])
        expect([first.text, second.text]).toEqual([plain.text, plain.text])
        expect(first.headers['cache-control']).toBe(plain.headers['cache-control'])
      }
    })
  })

  test('who is sent to sign in elsewhere by browser is told so in words by program', async () => {
    const site = await publishedSite(kit, pages, { visibility: 'visitor-auth' })
    const body = { fallbackURL: 'https://login.example.com/in' }
    await kit.as.admin.updateSitePublishingAuthById({ ...paramsOf(site), body })
    const wrong = `Bearer ${await tokenFor(kit, site, {}, { key: 'x'.repeat(43) })}`
    expect((await site.ask('/~mcp', call(undefined))).status).toBe(401)
    expect((await site.ask('/start.md', { headers: { authorization: wrong } })).status).toBe(401)
    expect((await site.ask('/start.md')).status).toBe(302)
    // A proxy may add a token of its own to what browsers send.
    const browser = { accept: 'text/html,*/*;q=0.8', authorization: wrong }
    expect((await site.ask('/start', { headers: browser })).status).toBe(302)
    const cookie = `lectern-visitor-token=${await tokenFor(kit, site)}`
    expect((await site.ask('/start', { headers: { ...browser, cookie } })).status).toBe(200)
  })

  test('an assistant reads a private site by the header of its configuration', async () => {
    const site = await publishedSite(kit, pages, { visibility: 'visitor-auth' })
    const url = new URL(`http://127.0.0.1:${await portOf(kit as Kit)}${site.base}/~mcp`)
    const connect = async (authorization: string) => {
      const client = new Client({ name: 'test', version: '1' })
      await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers: { authorization } } }))
      return client
    }
    const client = await connect(`Bearer ${await tokenFor(kit, site)}`)
    const { content } = await client.callTool({ name: 'read_page', arguments: { page: '' } })
    expect(JSON.stringify(content)).toContain(secret)
    await client.close()
    await expect(connect('Bearer of.bad.news')).rejects.toThrow()
  })
})
