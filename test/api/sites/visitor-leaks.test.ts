/** What a visitor does not see has no other way out: links, files, customization, redirects, and a site whose adaptive content is off. */
import { Readable } from 'node:stream'
import { SignJWT } from 'jose'
import { beforeAll, describe, expect, test } from 'vitest'
import { operations } from '../../../src/contract/index.ts'
import { actAs } from '../../../src/domain/act-as.ts'
import { noSteps } from '../../../src/domain/import/apply.ts'
import { importRepository } from '../../../src/domain/import/commit.ts'
import { bytesFile } from '../../../src/jobs/import/bytes-file.ts'
import { showGitSync } from '../../../src/store/git/sync.ts'
import { findUser } from '../../../src/store/people/users.ts'
import { eachBackend } from '../../kit/backends.ts'
import { useKit } from '../../kit/server.ts'
import { asker } from '../../site/serve/site-kit.ts'
import { inputFor } from '../fixtures.ts'
import { makeSpace, published, type SiteParams, visitAt } from './site-things.ts'

const beta = 'visitor.claims.beta == true'

eachBackend((backend) => {
  const kit = useKit(backend)
  const addressOf = async (params: SiteParams) => (await kit.as.admin.getSiteById(params)).urls.published ?? ''
  const asBeta = async (params: SiteParams) => {
    const { privateKey } = await kit.as.admin.getSitePublishingAuthById(params)
    const token = new SignJWT({ beta: true }).setProtectedHeader({ alg: 'HS256' }).setExpirationTime('1h')
    const jwtToken = await token.sign(Buffer.from(privateKey))
    return (await visitAt(kit, await addressOf(params), { jwtToken })).client
  }
  const asAnyone = async (params: SiteParams) => (await visitAt(kit, await addressOf(params))).client

  test('the repository of a space is told where the site links to it, and nowhere else', async () => {
    const spaceId = await makeSpace(kit, 'From a repository', [])
    const user = await findUser(kit.db, { id: kit.people.admin.id })
    if (!user) throw new Error('There is no admin.')
    const base = actAs(kit, user, 'test')
    const files = [bytesFile('README.md', Buffer.from('# Start'))]
    await importRepository(base, { space: spaceId }, files, { remove: 'own', strict: false, steps: noSteps })
    const url = 'https://git.example/secret-team/docs'
    await showGitSync(kit.db, { spaceId, gitSync: JSON.stringify({ installationProvider: 'github', url }) })
    const site = await published(kit, { spaces: [spaceId] })
    const seen = async () => {
      const client = await asAnyone(site)
      const query = { metadata: true }
      const [pageId = ''] = (await client.listPages({ spaceId })).pages.map((page) => page.id)
      const space = JSON.stringify([await client.getSpaceById({ spaceId }), await client.getSiteStructure(site)])
      const { pages } = await client.listPages({ spaceId, query })
      return [
        space.includes(url),
        pages[0]?.git !== undefined,
        (await client.getPageById({ spaceId, pageId, query })).git !== undefined,
      ]
    }
    expect(await seen()).toEqual([false, false, false])
    const customization = await kit.as.admin.getSiteCustomizationById(site)
    const body = { ...customization, git: { showEditLink: true } }
    await kit.as.admin.updateSiteCustomizationById({ ...site, body })
    expect(await seen()).toEqual([true, true, true])
    expect((await kit.as.read.getSpaceById({ spaceId })).gitSync).toMatchObject({ url })
  })

  describe('the last section of a site', () => {
    const sectioned = async (condition: string) => {
      const made = await makeSpace(kit, 'Moonshot', [{ title: 'Plans' }])
      const site = await published(kit, { spaces: [] })
      const { id } = await kit.as.admin.addSectionToSite({ ...site, body: { spaceId: made } })
      await kit.as.admin.updateSiteSectionById({ ...site, siteSectionId: id, body: { condition } })
      const [place] = (await kit.as.admin.listSiteSpaces(site)).items
      return { site, section: { ...site, siteSectionId: id }, place: { ...site, siteSpaceId: place?.id ?? '' } }
    }
    const reads = async (site: SiteParams) => {
      const ask = await asker(kit)
      return (await ask(new URL(await addressOf(site)).pathname)).text
    }

    test('leaves its condition with its spaces when it is deleted', async () => {
      const { site, section, place } = await sectioned('visitor.claims.beta == true || visitor.claims.staff == true')
      await kit.as.admin.updateSiteSpaceById({ ...place, body: { condition: 'visitor.claims.open == true' } })
      expect(await reads(site)).not.toContain('Words.')
      await kit.as.admin.deleteSiteSectionById(section)
      expect(await reads(site)).not.toContain('Words.')
      const [left] = (await kit.as.admin.listSiteSpaces(site)).items
      const whole = '(visitor.claims.beta == true || visitor.claims.staff == true) && (visitor.claims.open == true)'
      expect(left?.condition).toBe(whole)
    })

    test('stays when its condition and that of a space do not fit into one', async () => {
      const long = (claim: string) => `visitor.claims.${claim} == "${'x'.repeat(600)}"`
      const { site, section, place } = await sectioned(long('a'))
      await kit.as.admin.updateSiteSpaceById({ ...place, body: { condition: long('b') } })
      const refused = kit.as.admin.deleteSiteSectionById(section)
      await expect(refused).rejects.toMatchObject({ status: 409, message: expect.stringContaining('moonshot') })
      expect((await kit.as.admin.listSiteSections(site)).items).toHaveLength(1)
    })
  })

  describe('the page of a site', () => {
    let site: SiteParams
    let spaceId = ''
    const ids: Record<string, string> = {}

    beforeAll(async () => {
      spaceId = await makeSpace(kit, 'Manual', [])
      const txt = (name: string) => ({
        name,
        ref: name,
        contentType: 'text/plain',
        base64: Buffer.from(name).toString('base64'),
      })
      const files = ['open.txt', 'secret.txt', 'part.txt', 'loose.txt', 'both.txt', 'linked.txt']
      const { insertedFiles } = await kit.as.admin.updateSpaceContent({
        spaceId,
        body: { changes: [{ operation: 'insert_files', files: files.map(txt) }] },
      })
      for (const { ref, file } of insertedFiles) ids[ref ?? ''] = file.id
      const add = async (title: string, markdown: string, condition?: string) => {
        const { changes } = await kit.as.admin.updateSpaceContent({
          spaceId,
          body: {
            changes: [{ operation: 'insert_page', title, document: { markdown }, ...(condition ? { condition } : {}) }],
          },
        })
        const [made] = changes
        return made?.object === 'created_page' ? made.page.id : ''
      }
      const file = (name: string) => `{% file src="/files/${ids[name]}" %}`
      const paragraphs = (...lines: string[]) => lines.join('\n\n')
      ids.hidden = await add(
        'Moonshot plans',
        paragraphs(file('secret.txt'), file('both.txt'), file('linked.txt')),
        beta,
      )
      const shown = paragraphs(
        `See [more](/pages/${ids.hidden}) and [a part](/pages/${ids.hidden}#goals).`,
        `{% content-ref url="/pages/${ids.hidden}" %}\n[plans](/pages/${ids.hidden})\n{% endcontent-ref %}`,
        file('open.txt'),
        file('both.txt'),
        `{% if ${beta} %}\n${file('part.txt')}\n{% endif %}`,
      )
      ids.open = await add('Start', shown)
      site = await published(kit, { spaces: [spaceId] })
    })

    test('tells no path or title of a page that it links and they do not see', async () => {
      const query = (refs: 'relative' | 'stable', format: 'markdown' | 'document') => ({
        format,
        'format.markdown.refs': refs,
      })
      for (const refs of ['relative', 'stable'] as const) {
        for (const format of ['markdown', 'document'] as const) {
          const params = { spaceId, pageId: ids.open ?? '', query: query(refs, format) }
          expect(JSON.stringify(await (await asAnyone(site)).getPageById(params))).not.toMatch(/moonshot/i)
        }
      }
      const whole = await (await asBeta(site)).getPageById({ spaceId, pageId: ids.open ?? '' })
      expect(whole.markdown).toContain('(moonshot-plans.md)')
    })

    test('tells nobody for whom it is', async () => {
      const pageId = ids.hidden ?? ''
      const client = await asBeta(site)
      const [page, tree] = [await client.getPageById({ spaceId, pageId }), await client.listPages({ spaceId })]
      expect(JSON.stringify([page, tree])).toContain('Moonshot')
      expect(JSON.stringify([page, tree])).not.toContain('visitor.claims')
    })

    test('is found by no trail and in no level that they do not see', async () => {
      const [anyone, admitted] = [await asAnyone(site), await asBeta(site)]
      const pageId = ids.hidden ?? ''
      await expect(anyone.getPageTrail({ spaceId, pageId })).rejects.toMatchObject({ status: 404 })
      const byPath = { spaceId, pagePath: 'moonshot-plans' }
      await expect(anyone.getPageTrailByPath(byPath)).rejects.toMatchObject({ status: 404 })
      await expect(anyone.listChildPages({ spaceId, query: { parent: pageId } })).rejects.toMatchObject({ status: 404 })
      expect(JSON.stringify(await anyone.listChildPages({ spaceId }))).not.toMatch(/moonshot|visitor\.claims/i)
      expect((await admitted.getPageTrailByPath(byPath)).pages).toHaveLength(1)
      expect(JSON.stringify(await admitted.listChildPages({ spaceId }))).toMatch(/moonshot/i)
      expect(JSON.stringify(await admitted.listChildPages({ spaceId }))).not.toContain('visitor.claims')
    })

    test('opens the files it shows, and no others', async () => {
      const [anyone, admitted] = [await asAnyone(site), await asBeta(site)]
      const gets = async (client: typeof anyone, name: string) =>
        client.getFileById({ spaceId, fileId: ids[name] ?? '' }).then(
          (file) => file.name,
          (error: { status: number; message: string }) => [error.status, error.message],
        )
      const gone = (name: string) => [404, `There is no file ${ids[name]} in this content.`]
      expect(await gets(anyone, 'open.txt')).toBe('open.txt')
      expect(await gets(anyone, 'both.txt')).toBe('both.txt')
      expect(await gets(anyone, 'loose.txt')).toBe('loose.txt')
      for (const name of ['secret.txt', 'part.txt', 'linked.txt']) {
        expect(await gets(anyone, name)).toEqual(gone(name))
        expect(await gets(admitted, name)).toBe(name)
      }
      // A link of the site itself opens it for everyone.
      const customization = await kit.as.admin.getSiteCustomizationById(site)
      const link = { title: 'Terms', to: { kind: 'file' as const, file: ids['linked.txt'] ?? '', space: spaceId } }
      const footer = { ...customization.footer, groups: [{ title: 'More', links: [link] }] }
      await kit.as.admin.updateSiteCustomizationById({ ...site, body: { ...customization, footer } })
      expect(await gets(anyone, 'linked.txt')).toBe('linked.txt')
      expect(await gets(anyone, 'secret.txt')).toEqual(gone('secret.txt'))
    })

    test('has a header and a footer without what is not for them', async () => {
      const customization = await kit.as.admin.getSiteCustomizationById(site)
      const to = { kind: 'page' as const, page: ids.hidden ?? '', space: spaceId }
      const web = { kind: 'url' as const, url: 'https://example.org/' }
      const links = [
        { title: 'Moonshot', to },
        { title: 'Moonshot menu', to: null, links: [{ title: 'Moonshot inside', to }] },
        { title: 'Moonshot beta', to: web, condition: beta },
        { title: 'Home', to: web },
      ]
      const groups = [
        { title: 'Moonshot group', links: [{ title: 'Moonshot link', to }] },
        { title: 'Legal', links: [{ title: 'Imprint', to: web }] },
      ]
      const announcement = {
        enabled: true,
        message: 'Soon',
        style: 'info' as const,
        link: { title: 'Moonshot news', to },
      }
      const body = {
        ...customization,
        announcement,
        header: { ...customization.header, links },
        footer: { ...customization.footer, groups },
      }
      await kit.as.admin.updateSiteCustomizationById({ ...site, body })
      const seen = await (await asAnyone(site)).getPublishedContentSite(site)
      expect(JSON.stringify(seen)).not.toMatch(/moonshot/i)
      expect(seen.customizations.site).toMatchObject({
        header: { links: [{ title: 'Home' }] },
        footer: { groups: [{ title: 'Legal' }] },
        announcement: { message: 'Soon' },
      })
      const whole = await (await asBeta(site)).getPublishedContentSite(site)
      expect(whole.customizations.site.header.links).toHaveLength(4)
      expect(whole.customizations.site.announcement?.link?.title).toBe('Moonshot news')
      expect(JSON.stringify(whole)).not.toContain('visitor.claims')
    })

    test('is not named by a redirect', async () => {
      const redirect = (source: string, path: string) =>
        kit.as.admin.createSiteRedirect({ ...site, body: { source, destination: { kind: 'path', path } } })
      await redirect('/old-plans', '/moonshot-plans')
      await redirect('/old-start', '/start')
      const anyone = await asAnyone(site)
      await expect(anyone.getSiteRedirectBySource({ ...site, query: { source: '/old-plans' } })).rejects.toMatchObject({
        status: 404,
      })
      const target = async (client: typeof anyone, source: string) =>
        (await client.getSiteRedirectBySource({ ...site, query: { source } })).target
      expect(await target(anyone, '/old-start')).toMatch(/\/start$/)
      expect(await target(await asBeta(site), '/old-plans')).toMatch(/\/moonshot-plans$/)
    })

    test('tells nothing of the work on it, or of other sites', async () => {
      await kit.as.admin.postCommentInSpace({ spaceId, body: { body: { markdown: 'Hm.' } } })
      await kit.as.admin.createChangeRequest({ spaceId, body: { subject: 'Later' } })
      const other = await published(kit, { title: 'Internal desk', spaces: [spaceId], visibility: 'unlisted' })
      const [place] = (await (await asAnyone(other)).getPublishedContentSite(other)).structure.structure
      expect(place).toMatchObject({
        space: { comments: 0, changeRequests: 0, changeRequestsDraft: 0, visibility: 'unlisted' },
      })
      const text = JSON.stringify(await (await asAnyone(site)).getPublishedContentSite(site))
      expect(text).not.toContain('internal-desk')
    })
  })

  describe('with adaptive content off', () => {
    const shy = [
      beta,
      'visitor.claims.beta != true',
      '!visitor.claims.beta',
      'visitor?.claims?.beta != true',
      '!visitor',
      'visitor.claims.unsigned.gold == true || true',
    ]

    test('whatever asks for the visitor is hidden from all of them', async () => {
      const pages = shy.map((condition, index) => ({ title: `Page ${index}`, condition }))
      const open = {
        title: 'Open',
        markdown: `Hello <code class="expression">visitor.claims.beta</code>!\n\n{% if !visitor.claims.beta %}\nNo.\n{% endif %}`,
      }
      const spaceId = await makeSpace(kit, 'Adaptive', [open, { title: 'Always', condition: 'true' }, ...pages])
      const site = await published(kit, { spaces: [spaceId] })
      const titles = async (client: Awaited<ReturnType<typeof asBeta>>) =>
        (await client.listPages({ spaceId })).pages.map((page) => page.title)
      expect(await titles(await asBeta(site))).toEqual(['Open', 'Always', 'Page 0', 'Page 5'])
      expect((await titles(await asAnyone(site))).length).toBeGreaterThan(3)
      await kit.as.admin.updateSiteById({ ...site, body: { adaptiveContent: { enabled: false } } })
      for (const client of [await asBeta(site), await asAnyone(site)]) {
        expect(await titles(client)).toEqual(['Open', 'Always'])
        const { pages } = await client.listPages({ spaceId })
        const { markdown } = await client.getPageById({ spaceId, pageId: pages[0]?.id ?? '' })
        expect(markdown).toContain('Hello !')
        expect(markdown).not.toContain('No.')
        expect((await client.searchSiteContent({ ...site, body: { query: 'page' } })).count).toBe(0)
      }
      await kit.as.admin.updateSiteById({ ...site, body: { adaptiveContent: { enabled: true } } })
      expect(await titles(await asBeta(site))).toHaveLength(4)
    })
  })

  test('a file in a reusable content is there for whoever sees a page that includes it', async () => {
    const spaceId = await makeSpace(kit, 'Reuse', [])
    const file = (path: string, text: string) => ({
      path,
      size: Buffer.byteLength(text),
      open: () => Readable.from([Buffer.from(text)]),
    })
    const include = (name: string) => `{% include ".gitbook/includes/${name}.md" %}`
    const base = actAs({ db: kit.db, env: kit.env, now: kit.clock.now() }, await userNamed(kit.people.admin.id), 'test')
    const files = [
      file('README.md', `# Start\n\n${include('open')}`),
      file('plans.md', `---\nif: ${beta}\n---\n\n# Plans\n\n${include('shut')}`),
      file('.gitbook/includes/open.md', '---\ntitle: Open\n---\n\n{% file src="../assets/open.txt" %}'),
      file('.gitbook/includes/shut.md', '---\ntitle: Shut\n---\n\n{% file src="../assets/shut.txt" %}'),
      file('.gitbook/includes/unused.md', '---\ntitle: Unused\n---\n\n{% file src="../assets/unused.txt" %}'),
      ...['open', 'shut', 'unused'].map((name) => file(`.gitbook/assets/${name}.txt`, name)),
    ]
    const steps = { begin: () => {}, advance: () => {} }
    await importRepository(base, { space: spaceId }, files, { remove: 'own', strict: false, steps })
    const site = await published(kit, { spaces: [spaceId] })
    const { items } = await kit.as.admin.listFiles({ spaceId })
    const gets = async (client: Awaited<ReturnType<typeof asBeta>>) => {
      const found = await Promise.all(
        items.map(({ id, name }) =>
          client.getFileById({ spaceId, fileId: id }).then(
            () => name,
            () => '',
          ),
        ),
      )
      return found.filter((name) => name !== '').toSorted()
    }
    expect(await gets(await asAnyone(site))).toEqual(['open.txt'])
    expect(await gets(await asBeta(site))).toEqual(['open.txt', 'shut.txt'])
  })

  const userNamed = async (id: string) => {
    const user = await findUser(kit.db, { id })
    if (!user) throw new Error('The kit made this account.')
    return user
  }

  test('a visitor reaches no operation but those of readers, whatever they name', async () => {
    const spaceId = await makeSpace(kit, 'Shown')
    const site = await published(kit, { spaces: [spaceId] })
    const client = (await asAnyone(site)) as unknown as Record<string, (input: unknown) => Promise<unknown>>
    const readers = operations.filter(([, row]) => row.fields.visitors && !row.twinOf).map(([name]) => name as string)
    expect(readers.toSorted()).toEqual([
      'getEmbedByUrlInSpace',
      'getFileById',
      'getPageById',
      'getPageByPath',
      'getPageDocument',
      'getPageMetaLinks',
      'getPageTrail',
      'getPageTrailByPath',
      'getPublishedContentSite',
      'getSiteRedirectBySource',
      'getSiteStructure',
      'getSpaceById',
      'getSpacePDF',
      'listChildPages',
      'listPageOpenAPISpecs',
      'listPages',
      'listSiteIntegrationScripts',
      'searchSiteContent',
      'trackEventsInSiteById',
    ])
    for (const [name, row] of operations) {
      if (readers.includes(name) || row.needs === 'anyone') continue
      const { params, query, body } = await inputFor(kit, name, row)
      const own = { ...params, ...('siteId' in params ? site : {}), ...('spaceId' in params ? { spaceId } : {}) }
      await expect(client[name]?.({ ...own, query, body }), name).rejects.toMatchObject({ status: 404 })
    }
  }, 120_000)
})
