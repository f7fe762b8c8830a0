/** A host name serves a site, and keeps others from it, once its owner has proved it. */
import { expect, test } from 'vitest'
import { FetchError } from '../../../src/platform/fetch.ts'
import { eachBackend } from '../../kit/backends.ts'
import { useKit } from '../../kit/server.ts'
import { asker, type PublishedSite, paramsOf, publishedSite } from '../../site/serve/site-kit.ts'

eachBackend((backend) => {
  const kit = useKit(backend, { settings: { LECTERN_HOSTNAME_PROOF: '1' } })

  const set = (hostname: string, site: PublishedSite) =>
    kit.as.admin.setCustomHostname({ hostname, body: { site: site.siteId } })
  const readAt = async (host: string) => (await (await asker(kit))('/start', { headers: { host } })).status

  /** What the domain answers, and that no file of the domain is there unless one is given. */
  const answering = (records: Record<string, string>, files: Record<string, string> = {}) => {
    kit.env.hostnames.resolveTxt = async (name) => (records[name] === undefined ? [] : [[records[name]]])
    kit.env.fetch = async (url) => {
      const text = files[url]
      if (text === undefined) throw new FetchError('FETCH_ERROR', 'nothing there', 404)
      return { url, status: 200, contentType: 'text/plain', headers: {}, bytes: Buffer.from(text) }
    }
  }

  test('a claim serves nothing and blocks nobody; a TXT record makes it the name of the site', async () => {
    answering({})
    const [one, other] = [
      await publishedSite(kit, [{ title: 'Start' }]),
      await publishedSite(kit, [{ title: 'Start' }]),
    ]
    const hostname = 'docs.proved.org'
    const claimed = await set(hostname, one)
    expect(claimed).toMatchObject({ status: 'pending', verification: { txt: { name: `_lectern.${hostname}` } } })
    expect(await kit.as.admin.getSiteById(paramsOf(one))).toMatchObject({ pendingHostname: hostname })
    expect((await kit.as.admin.getSiteById(paramsOf(one))).hostname).toBeUndefined()
    expect((await kit.as.admin.getSiteById(paramsOf(one))).urls.published).toContain('/sites/')
    expect(await readAt(hostname)).not.toBe(200)

    await expect(kit.as.read.getCustomHostname({ hostname })).rejects.toMatchObject({ status: 404 })
    expect(await kit.as.create.getCustomHostname({ hostname })).toMatchObject({ status: 'pending' })

    const second = await set(hostname, other)
    expect(second.status).toBe('pending')
    expect(second.verification?.txt.value).not.toBe(claimed.verification?.txt.value)

    // What proves the name for one site proves it for no other.
    answering({ [`_lectern.${hostname}`]: second.verification?.txt.value ?? '' })
    expect((await set(hostname, one)).status).toBe('pending')
    expect((await set(hostname, other)).status).toBe('active')
    expect(await readAt(hostname)).toBe(200)
    await expect(set(hostname, one)).rejects.toMatchObject({ status: 409 })
    expect(await kit.as.read.getCustomHostname({ hostname })).toMatchObject({ status: 'active' })
  })

  test('so does a file of the domain, on that domain only', async () => {
    answering({})
    const site = await publishedSite(kit, [{ title: 'Start' }])
    const hostname = 'docs.filed.org'
    const { verification } = await set(hostname, site)
    const { url = '', content = '' } = verification?.file ?? {}
    answering({}, { [url]: `# ours\n${content}\n` })
    const { fetch } = kit.env
    kit.env.fetch = async (asked, how) => ({ ...(await fetch(asked, how)), url: 'https://elsewhere.example/' })
    expect((await set(hostname, site)).status).toBe('pending')
    kit.env.fetch = fetch
    expect((await set(hostname, site)).status).toBe('active')
    expect(await readAt(hostname)).toBe(200)
  })

  test('PATCH of the site claims as well, keeps the name it has meanwhile, and null gives both up', async () => {
    answering({})
    const site = await publishedSite(kit, [{ title: 'Start' }])
    const { verification } = await set('docs.first.org', site)
    answering({ '_lectern.docs.first.org': verification?.txt.value ?? '' })
    await set('docs.first.org', site)
    const asked = await kit.as.admin.updateSiteById({ ...paramsOf(site), body: { hostname: 'docs.second.org' } })
    expect(asked).toMatchObject({ hostname: 'docs.first.org', pendingHostname: 'docs.second.org' })
    expect((await kit.as.read.getSiteById(paramsOf(site))).pendingHostname).toBeUndefined()
    const none = await kit.as.admin.updateSiteById({ ...paramsOf(site), body: { hostname: null } })
    expect([none.hostname, none.pendingHostname]).toEqual([undefined, undefined])
    expect(await readAt('docs.first.org')).not.toBe(200)
  })

  test('a claim that nobody proves ends after a week', async () => {
    answering({})
    const site = await publishedSite(kit, [{ title: 'Start' }])
    await set('docs.late.org', site)
    expect((await kit.call('admin', 'getCustomHostname', { hostname: 'docs.late.org' })).status).toBe(200)
    kit.clock.advance(8 * 24 * 60 * 60 * 1000)
    expect((await kit.call('admin', 'getCustomHostname', { hostname: 'docs.late.org' })).status).toBe(404)
  })
})
