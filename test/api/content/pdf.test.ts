import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { openapi } from '../../../src/jobs/openapi/job.ts'
import { makeWorker } from '../../../src/jobs/worker.ts'
import { makeLog } from '../../../src/platform/log.ts'
import { eachBackend } from '../../kit/backends.ts'
import { imagesOn, readPdf } from '../../kit/read-pdf.ts'
import { scenarios } from '../../kit/scenarios.ts'
import { type Kit, useKit } from '../../kit/server.ts'
import { asker } from '../../site/serve/site-kit.ts'
import { makeSpace, published } from '../sites/site-things.ts'

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** What would read files, run code or never end, if a word of it were taken as markup. */
const hostile = [
  '#read("/etc/passwd") #image("/etc/passwd") #while true {}',
  '$#read("/etc/passwd")$ and $\\text{"} #panic()$ and $\\frac{1}{2}$',
  '`#eval("1")` \\u{0} @preview <label> = heading',
  '| a | b |\n| --- | --- |\n| *x* | #panic("y") |',
].join('\n\n')

const pets = {
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1' },
  servers: [{ url: 'https://pets.example.org' }],
  components: {
    schemas: { Collar: { type: 'object', properties: { size: { type: 'number', description: 'Around the neck.' } } } },
  },
  paths: {
    '/pets/{name}': {
      get: {
        summary: 'Find a pet',
        parameters: [
          { name: 'name', in: 'path', required: true, description: 'How it is called.', schema: { type: 'string' } },
        ],
        responses: {
          200: {
            description: 'A pet was found.',
            content: { 'application/json': { schema: { type: 'object', properties: { weight: { type: 'number' } } } } },
          },
        },
      },
    },
  },
}

eachBackend((backend) => {
  const kit = useKit(backend, { settings: { LECTERN_ALLOW_PRIVATE_FETCH: '1' } })
  let [space, install, guide] = ['', '', '']

  beforeAll(async () => {
    space = await makeSpace(kit, 'Widget manual')
    const { changes } = (await kit.as.admin.updateSpaceContent({
      spaceId: space,
      body: {
        changes: [
          {
            operation: 'insert_page',
            title: 'Install',
            document: { markdown: 'Run it.\n\n## With npm\n\n```ts\nconst x = 1\n```' },
          },
          { operation: 'insert_page', title: 'Guide', document: { markdown: hostile } },
          {
            operation: 'insert_page',
            title: 'Roster',
            condition: 'visitor.claims.staff == true',
            document: { markdown: 'Who is on duty.' },
          },
          {
            operation: 'insert_files',
            files: [
              { name: 'dot.png', contentType: 'image/png', base64: png },
              { name: 'broken.png', contentType: 'image/png', base64: png.slice(0, 40) },
            ],
          },
        ],
      },
    })) as unknown as { changes: { page?: { id: string } }[] }
    ;[install = '', guide = ''] = changes.flatMap((change) => change.page?.id ?? [])
    const files = (await kit.as.admin.listFiles({ spaceId: space })).items
    const images = files.map((file) => `![${file.name}](file:${file.id})`).join('\n\n')
    await kit.as.admin.updateSpaceContent({
      spaceId: space,
      body: {
        changes: [
          {
            operation: 'insert_page',
            title: 'Links',
            document: {
              markdown: `See [how](install.md#with-npm), [all](install.md), [the web](https://example.org/) and [nowhere](javascript:alert(1)).\n\n${images}\n\n{% if visitor.claims.staff %}\nOnly for staff.\n{% endif %}`,
            },
          },
        ],
      },
    })
  })

  // biome-ignore format: a table reads best as one.
  scenarios(kit, 'getSpacePDF', {
    'needs a token':             { as: 'nobody', answers: 401 },
    'is hidden from strangers':  { as: 'stranger', answers: 404 },
    'has something to print':    { as: 'read', given: async (k: Kit) => ({ params: { spaceId: (await k.as.admin.createSpace({ organizationId: k.organization, body: { title: 'Blank' } })).id } }), answers: 404 },
    'knows the page':            { as: 'read', query: { page: 'aaaaaaaaaaaaaaaaaaaa' }, answers: 404 },
    'only needs a page':         { as: 'read', query: { only: true }, answers: 400, field: 'page' },
    'gives an address':          { as: 'read', answers: 200, gives: { url: expect.stringMatching(/^http:\/\/lectern\.test\/pdf\//) } },
  }, { params: () => ({ spaceId: space }) })

  const fetchBook = async (url: string) => kit.request({ method: 'GET', url: new URL(url).pathname })

  test('the whole space is a book: cover, contents, chapters, links that lead somewhere', {
    timeout: 120_000,
  }, async () => {
    const { url } = await kit.as.read.getSpacePDF({ spaceId: space })
    const answer = await fetchBook(url)
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'application/pdf'])
    const book = await readPdf(answer.rawPayload)
    expect(book.title).toBe('Widget manual')
    expect(book.pages[0]).toContain('Widget manual')
    expect(book.bookmarks).toEqual(expect.arrayContaining(['Install', 'Guide', 'Links']))
    const text = book.pages.join('\n')
    expect(text).toContain('#read("/etc/passwd")')
    expect(text).not.toContain('root:')
    expect(text).not.toContain('Only for staff')
    expect(text).toContain('Who is on duty.')
    expect(book.urls).toEqual(['https://example.org/'])
    expect(book.leadsTo.length).toBeGreaterThanOrEqual(2)
    expect(book.leadsTo).not.toContain(0)
  })

  test('one page alone has neither cover nor contents', { timeout: 60_000 }, async () => {
    const { url } = await kit.as.read.getSpacePDF({ spaceId: space, query: { page: install, only: true } })
    const book = await readPdf((await fetchBook(url)).rawPayload)
    expect(book.pages).toHaveLength(1)
    expect(book.pages[0]).toContain('With npm')
    expect(book.pages[0]).not.toContain(guide)
  })

  test('the address ends after an hour, and cannot be changed', async () => {
    const { url } = await kit.as.read.getSpacePDF({ spaceId: space, query: { page: install, only: true } })
    const path = new URL(url).pathname
    expect((await kit.request({ method: 'GET', url: path.replace(/\/pdf\/./, '/pdf/x') })).statusCode).toBe(404)
    kit.clock.advance(61 * 60 * 1000)
    expect((await kit.request({ method: 'GET', url: path })).statusCode).toBe(404)
    kit.clock.advance(-61 * 60 * 1000)
  })

  describe('readers of a site', () => {
    test('get what they see, and nothing where PDFs are off', { timeout: 60_000 }, async () => {
      const site = await published(kit, { spaces: [space] })
      const { basename = '' } = await kit.as.admin.getSiteById(site)
      const path = `/sites/${basename}/~pdf/${space}`
      const customization = await kit.as.admin.getSiteCustomizationById(site)
      const allow = (enabled: boolean) =>
        kit.as.admin.updateSiteCustomizationById({ ...site, body: { ...customization, pdf: { enabled } } })
      await allow(true)
      const ask = await asker(kit)
      const answer = await ask(path)
      expect(answer.status).toBe(307)
      const book = await readPdf((await fetchBook(String(answer.headers.location))).rawPayload)
      expect(book.pages.join('\n')).toContain('Install')
      expect(book.pages.join('\n')).not.toContain('Only for staff')
      expect(book.pages.join('\n')).not.toMatch(/Roster|on duty/)
      await allow(false)
      expect((await ask(path)).status).toBe(404)
    })

    test('have the logo of the site on the cover, and none where it does not come', { timeout: 60_000 }, async () => {
      const images = createServer((request, response) => {
        if (request.url !== '/logo.png') return void response.writeHead(500).end()
        response.setHeader('content-type', 'image/png').end(Buffer.from(png, 'base64'))
      })
      await new Promise<void>((resolve) => images.listen(0, '127.0.0.1', resolve))
      const origin = `http://127.0.0.1:${(images.address() as AddressInfo).port}`
      const ask = await asker(kit)
      const site = await published(kit, { spaces: [space] })
      const { basename = '' } = await kit.as.admin.getSiteById(site)
      const coverWith = async (logo: string): Promise<number> => {
        const customization = await kit.as.admin.getSiteCustomizationById(site)
        const header = { ...customization.header, logo: { light: `${origin}${logo}`, dark: `${origin}${logo}` } }
        const body = { ...customization, header, pdf: { enabled: true } }
        await kit.as.admin.updateSiteCustomizationById({ ...site, body })
        const answer = await ask(`/sites/${basename}/~pdf/${space}`)
        return imagesOn((await fetchBook(String(answer.headers.location))).rawPayload, 1)
      }
      try {
        expect([await coverWith('/logo.png'), await coverWith('/none.png')]).toEqual([1, 0])
      } finally {
        images.close()
      }
    })
  })

  test('operations of a spec are printed in full, and what stands in another space is named by its address', {
    timeout: 60_000,
  }, async () => {
    await kit.as.admin.createOrUpdateOpenAPISpecBySlug({
      organizationId: kit.organization,
      specSlug: 'pets',
      body: { source: { text: JSON.stringify(pets) } },
    })
    const worker = makeWorker({ db: kit.db, env: kit.env, log: makeLog('silent'), handlers: { openapi } })
    await worker.start()
    const processed = async () =>
      (await kit.as.admin.getOpenAPISpecBySlug({ organizationId: kit.organization, specSlug: 'pets' })).lastVersion
    await vi.waitFor(async () => expect(await processed()).toBeDefined(), { timeout: 20_000, interval: 20 })
    await worker.stop()
    const own = await makeSpace(kit, 'Reference')
    await kit.as.admin.updateSpaceContent({
      spaceId: own,
      body: {
        changes: [
          {
            operation: 'insert_page',
            title: 'Pets',
            document: {
              markdown: `{% openapi-operation spec="pets" path="/pets/{name}" method="get" %}\n{% endopenapi-operation %}\n\n{% tabs %}\n{% tab title="Models" %}\n{% openapi-schemas spec="pets" schemas="Collar" %}\n{% endopenapi-schemas %}\n{% endtab %}\n{% endtabs %}\n\n{% content-ref url="/spaces/${space}" %}\n[x](/spaces/${space})\n{% endcontent-ref %}\n\n\`\`\`mermaid\ngraph TD; A-->B\n\`\`\``,
            },
          },
        ],
      },
    })
    const { url } = await kit.as.read.getSpacePDF({ spaceId: own })
    const book = await readPdf((await fetchBook(url)).rawPayload)
    const text = book.pages.join('\n')
    for (const words of ['GET', '/pets/{name}', 'How it is called.', 'A pet was found.', 'weight', 'graph TD'])
      expect(text).toContain(words)
    // Also what stands inside another block.
    expect(text).toContain('Around the neck.')
    expect(book.urls).toContain((await kit.as.read.getSpaceById({ spaceId: space })).urls.app)
    expect(book.leadsTo).not.toContain(0)
  })

  test('scripts of the world and emoji have glyphs; what no font has does not stop the book', {
    timeout: 60_000,
  }, async () => {
    const own = await makeSpace(kit, 'Scripts')
    const markdown = 'Latin ñ, Ελληνικά, Кириллица, العربية, עברית, 漢字, 🎉 and \u{10FFFD}\u{E000}.'
    await kit.as.admin.updateSpaceContent({
      spaceId: own,
      body: { changes: [{ operation: 'insert_page', title: 'Ø', document: { markdown } }] },
    })
    const { url } = await kit.as.read.getSpacePDF({ spaceId: own })
    const text = (await readPdf((await fetchBook(url)).rawPayload)).pages.join('\n')
    for (const words of ['ñ', 'Ελληνικά', 'Кириллица', '🎉']) expect(text).toContain(words)
    expect(text.normalize('NFKC')).toMatch(/[\u0600-\u06FF]{3}/)
    expect(text).toMatch(/[\u0590-\u05FF]{3}/)
  })

  test('a change request has the book of its own content', { timeout: 60_000 }, async () => {
    const { id } = await kit.as.edit.createChangeRequest({ spaceId: space, body: { subject: 'More' } })
    await kit.as.edit.updateChangeRequestContent({
      spaceId: space,
      changeRequestId: id,
      body: { changes: [{ operation: 'insert_page', title: 'Proposed', document: { markdown: 'Soon.' } }] },
    })
    const { url } = await kit.as.read.getChangeRequestPDF({ spaceId: space, changeRequestId: id })
    const book = await readPdf((await fetchBook(url)).rawPayload)
    expect(book.bookmarks).toContain('Proposed')
  })
})
