/** Where a site sends its readers: to paths of its own host, or to an address that an author has set. */
import { readFile } from 'node:fs/promises'
import { SignJWT } from 'jose'
import { describe, expect, test } from 'vitest'
import { onSameOrigin, pathFrom, segmentsOf } from '../../../src/core/url-paths.ts'
import { eachBackend } from '../../kit/backends.ts'
import { useKit } from '../../kit/server.ts'
import { asker, cookiesOf, paramsOf, publishedSite, tokenFor } from './site-kit.ts'

const hostile = ['%2Fevil.example/', '%2F%2Fevil.example/', '%5Cevil.example/', '/evil.example/', '%09/evil.example/']

eachBackend((backend) => {
  const kit = useKit(backend)

  test('no path leads to another host', async () => {
    const site = await publishedSite(kit, [{ title: 'Start' }])
    await kit.as.admin.updateSiteById({ ...paramsOf(site), body: { hostname: 'docs.located.org' } })
    const ask = await asker(kit)
    for (const path of hostile) {
      const { headers } = await ask(`/${path}`, { headers: { host: 'docs.located.org' } })
      const { location } = headers
      if (location !== undefined) expect(new URL(location, 'http://docs.located.org').host).toBe('docs.located.org')
    }
  })

  test('a form sent without a script leads back to this site, whatever the browser says it came from', async () => {
    const site = await publishedSite(kit, [{ title: 'Start' }])
    await kit.as.admin.updateSiteById({ ...paramsOf(site), body: { hostname: 'docs.forms.org' } })
    const answer = await (await asker(kit))('/~feedback', {
      method: 'POST',
      headers: {
        host: 'docs.forms.org',
        referer: 'http://docs.forms.org//evil.example/x',
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: 'rating=good',
    })
    expect(answer.status).toBe(303)
    expect(new URL(answer.headers.location ?? '', 'http://docs.forms.org').host).toBe('docs.forms.org')
  })

  describe('signing in', () => {
    const gated = async () => {
      const site = await publishedSite(kit, [{ title: 'Start' }], { visibility: 'visitor-auth' })
      const body = { backend: 'custom' as const, fallbackURL: 'https://www.readers.org/login' }
      await kit.as.admin.updateSitePublishingAuthById({ ...paramsOf(site), body })
      return site
    }

    test('is told a clean path that begins with one slash', async () => {
      const site = await gated()
      for (const path of ['', '/a/b', '/@evil.example/x', '/%0d%0aSet-Cookie:x', ...hostile.map((one) => `/${one}`)]) {
        const { headers } = await site.ask(path)
        const wanted = new URL(headers.location ?? '').searchParams.get('location') ?? ''
        expect(wanted).toMatch(/^\/(?![/\\])[\x21-\x7e]*$/)
        expect(new URL(wanted, 'https://docs.readers.org').host).toBe('docs.readers.org')
      }
    })

    test('takes tokens that no cookie can hold', async () => {
      const site = await gated()
      const token = await tokenFor(kit, site, { groups: 'g'.repeat(6_000) })
      const entered = await site.ask(`/start?jwt_token=${token}`)
      const [cookie = ''] = entered.headers['set-cookie'] ?? []
      expect(cookie.length).toBeLessThan(4_096)
      const sent = { headers: { cookie: cookiesOf(entered) } }
      expect((await site.ask('/start', sent)).status).toBe(200)
      expect((await (await gated()).ask('/start', sent)).status).toBe(302)
      kit.clock.advance(20 * 60 * 1000)
      expect((await site.ask('/start', sent)).status).toBe(302)
    })
  })
})

test('paths keep their segments', () => {
  expect(segmentsOf('/a/%2Fb/%5Cc/d%20e/%E2%82%AC/%zz')).toEqual(['a', '%2Fb', '%5Cc', 'd e', '€', '%zz'])
  expect(segmentsOf(pathFrom(['a b', '€', 'c']))).toEqual(['a b', '€', 'c'])
  for (const path of ['//evil', '/\\evil', '\\\\evil', '/\t/evil', ' //evil', 'https://evil', '@evil'])
    expect(new URL(onSameOrigin(path), 'https://docs.readers.org').host).toBe('docs.readers.org')
})

test('the sample of the guide gives its token to no other origin', async () => {
  const guide = await readFile(new URL('../../../docs/guide/visitors/sign-in.md', import.meta.url), 'utf8')
  const [, sample = ''] = /```js\n(import \{ SignJWT \}[\s\S]*?)```/.exec(guide) ?? []
  const source = sample.replace(/^import .*$/m, '').replace('export async', 'return async')
  const docsAddress = new Function('SignJWT', 'process', source)(SignJWT, { env: { DOCS_VISITOR_KEY: 'k'.repeat(43) } })
  for (const location of [
    '@evil.example/x',
    '//evil.example',
    '/\\evil.example',
    'https://evil.example',
    '.evil.example',
    'http://[',
  ])
    expect(new URL(await docsAddress({}, location)).origin).toBe('https://docs.example.org')
  expect(new URL(await docsAddress({}, '/a/b')).pathname).toBe('/a/b')
})
