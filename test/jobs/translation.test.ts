/** Translations against servers that speak the protocols of the engines, on both databases. */
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { readConfig } from '../../src/platform/config.ts'
import { updateSpace } from '../../src/store/content/spaces.ts'
import { first } from '../../src/store/query.ts'
import { eachBackend } from '../kit/backends.ts'
import { bundleChild, startChild } from '../kit/child.ts'
import { type EngineServer, startEngineServer } from '../kit/engine-server.ts'
import { type Kit, useKit } from '../kit/server.ts'
import { asker } from '../site/serve/site-kit.ts'
import { bodyOfPage, documentOf, filled, finished, hurry, prune, settled, translated } from './translation-kit.ts'

let engines: EngineServer
beforeAll(async () => {
  engines = await startEngineServer()
})
afterAll(() => engines.close())
beforeEach(() => engines.reset())

eachBackend((backend) => {
  const kit = useKit(backend)
  const organizationId = () => kit.organization

  test('a merge sends what it changed, only that; the translated space takes no edits', async () => {
    kit.env.translator = engines.engineOf('deepl')
    const source = await filled(kit, 5)
    const made = await translated(kit, source)
    engines.sent = []
    const { pages } = await kit.as.admin.listPages({ spaceId: source })
    const request = await kit.as.admin.createChangeRequest({ spaceId: source, body: { subject: 'Three' } })
    const changes = pages.slice(0, 3).map(({ id }, index) => ({
      operation: 'update_page' as const,
      page: id,
      document: { markdown: `${bodyOfPage(index)}\n\nAlso ${index}.` },
    }))
    const where = { spaceId: source, changeRequestId: request.id }
    await kit.call('admin', 'updateChangeRequestContent', { ...where, body: { changes } })
    expect((await kit.call('admin', 'mergeChangeRequest', where)).status).toBe(200)
    const waiting = await kit.as.admin.getTranslation({ organizationId: organizationId(), translationId: made.id })
    expect(waiting.status).toBe('pending')
    const after = await finished(kit, made.id)
    expect(after).toMatchObject({ status: 'completed', stats: { runs: 2, latestPages: 3, latestWords: 6 } })
    expect(engines.sent.sort()).toEqual(['Also 0.', 'Also 1.', 'Also 2.'])
    const refused = await kit.call('admin', 'updateSpaceContent', {
      spaceId: String(made.result?.space),
      body: { changes: [{ operation: 'insert_page', title: 'Mine', document: { markdown: 'Mine.' } }] },
    })
    expect(refused).toMatchObject({ status: 409, body: { error: { type: 'space_translated' } } })
    const gone = { organizationId: organizationId(), translationId: made.id }
    expect((await kit.call('admin', 'deleteTranslation', gone)).status).toBe(205)
    expect((await kit.call('admin', 'deleteTranslation', gone)).status).toBe(204)
  })

  test('a page names its translation as that is now, in the past and in a change request too', async () => {
    kit.env.translator = engines.engineOf('deepl')
    const spaceId = await filled(kit, 1)
    const revisionId = (await kit.as.admin.getSpaceById({ spaceId })).revision
    const made = await translated(kit, spaceId)
    const [page] = (await kit.as.admin.listPages({ spaceId })).pages
    const pageId = String(page?.id)
    const { id: changeRequestId } = await kit.as.admin.createChangeRequest({ spaceId, body: { subject: 'New' } })
    const body = { changes: [{ operation: 'insert_page' as const, title: 'New', document: { markdown: 'New.' } }] }
    const where = { spaceId, changeRequestId }
    await kit.as.admin.updateChangeRequestContent({ ...where, body })
    const { pages } = await kit.as.admin.listPagesInChangeRequest(where)
    const added = pages.find(({ title }) => title === 'New')
    const alternates = [{ kind: 'page', page: pageId, space: made.result?.space }]
    expect(await kit.as.admin.getPageMetaLinks({ spaceId, pageId })).toEqual({ alternates })
    expect(await kit.as.admin.getPageMetaLinksInRevision({ spaceId, revisionId, pageId })).toEqual({ alternates })
    expect(await kit.as.admin.getPageMetaLinksInChangeRequest({ ...where, pageId })).toEqual({ alternates })
    const newPage = { ...where, pageId: String(added?.id) }
    expect(await kit.as.admin.getPageMetaLinksInChangeRequest(newPage)).toEqual({ alternates: [] })
  })

  test('a block that is translated anew keeps its key, which comments hang on', async () => {
    kit.env.translator = engines.engineOf('deepl')
    const source = await filled(kit, 1)
    const made = await translated(kit, source)
    const { pages } = await kit.as.admin.listPages({ spaceId: source })
    const pageId = String(pages[0]?.id)
    const blocks = async () => {
      const where = { spaceId: String(made.result?.space), pageId }
      const { document } = await kit.as.admin.getPageById({ ...where, query: { format: 'document' } })
      return (document?.nodes ?? []).map((node) => [node.key, JSON.stringify(node)])
    }
    const before = await blocks()
    const markdown = bodyOfPage(0).replace('See', 'Now see')
    const changes = [{ operation: 'update_page', page: pageId, document: { markdown } }]
    expect((await kit.call('admin', 'updateSpaceContent', { spaceId: source, body: { changes } })).status).toBe(200)
    await hurry(kit)
    await finished(kit, made.id)
    const after = await blocks()
    expect(after[0]?.[1]).not.toBe(before[0]?.[1])
    expect(after.map(([key]) => key)).toEqual(before.map(([key]) => key))
  })

  for (const engine of ['openai', 'libretranslate', 'deepl']) {
    test(`${engine}: the glossary decides its words, and instructions go along; what is new in them is sent, and no more`, async () => {
      kit.env.translator = engines.engineOf(engine)
      // A glossary is for all translations of the organization: here there is one.
      for (const { id } of (await kit.as.admin.listTranslations({ organizationId: organizationId() })).items)
        await kit.as.admin.deleteTranslation({ organizationId: organizationId(), translationId: id })
      await hurry(kit)
      await settled(kit)
      const glossary = (entries: object[]) =>
        kit.call('admin', 'updateTranslationsGlossary', { organizationId: organizationId(), body: { entries } })
      expect((await glossary([{ term: 'the next', translations: { de: 'die nächste' } }])).status).toBe(200)
      const made = await translated(kit, await filled(kit, 2), { instructions: documentOf('Say du.') })
      const markdown = async () => {
        const query = { format: 'markdown' }
        const at = { spaceId: made.result?.space, pagePath: 'page-0', query }
        return (await kit.call('admin', 'getPageByPath', at)).body.markdown
      }
      expect(await markdown()).toContain('SEE **die nächste** [PAGE]')
      expect(engines.instructions.every((told) => told.includes('Say du.'))).toBe(engine !== 'libretranslate')
      expect(engines.sent.join()).not.toContain('the next')

      // Another word of the glossary: only the texts that hold it go out again, with no run asked for.
      engines.reset()
      const where = { organizationId: organizationId(), translationId: made.id }
      await glossary([{ term: 'the next', translations: { de: 'die folgende' } }])
      expect((await kit.as.admin.getTranslation(where)).status).toBe('pending')
      await hurry(kit)
      expect(await finished(kit, made.id)).toMatchObject({ status: 'completed' })
      expect(await markdown()).toContain('SEE **die folgende** [PAGE]')
      expect(engines.sent).toHaveLength(2)
      engines.reset()
      await glossary([{ term: 'the next', translations: { de: 'die folgende' } }])
      expect((await kit.as.admin.getTranslation(where)).status).toBe('completed')

      // Other instructions: everything again, unless the engine takes none.
      await kit.call('admin', 'updateTranslation', { ...where, body: { instructions: documentOf('Say Sie.') } })
      expect((await kit.as.admin.getTranslation(where)).status).toBe('pending')
      await hurry(kit)
      expect(await finished(kit, made.id)).toMatchObject({ status: 'completed' })
      expect(engines.sent).toHaveLength(engine === 'libretranslate' ? 0 : 4)
      if (engine !== 'libretranslate') expect(engines.instructions[0]).toContain('Say Sie.')

      // What the rules of before gave is forgotten, and what is in use is not.
      expect(await prune(kit, made.id)).toBe(engine === 'libretranslate' ? 2 : 6)
      expect(await prune(kit, made.id)).toBe(0)
      engines.reset()
      await kit.as.admin.runTranslation(where)
      expect(await finished(kit, made.id)).toMatchObject({ status: 'completed', stats: { latestWords: 0 } })
      expect(engines.sent).toEqual([])
      await glossary([])
      await hurry(kit)
      await finished(kit, made.id)
    })
  }

  test('what it writes stays in its organization until the translation is deleted', async () => {
    kit.env.translator = engines.engineOf('deepl')
    const made = await translated(kit, await filled(kit, 1))
    const spaceId = String(made.result?.space)
    const where = { organizationId: organizationId(), translationId: made.id }
    const target = await kit.as.admin.createOrganization({ body: { title: 'Target' } })
    const body = { organization: target.id }
    const collection = await kit.as.admin.createCollection({
      organizationId: organizationId(),
      body: { title: 'Shelf' },
    })
    await kit.as.admin.moveSpace({ spaceId, body: { parent: collection.id } })
    for (const [name, input] of [
      ['transferSpace', { spaceId }],
      ['transferCollection', { collectionId: collection.id }],
    ] as const) {
      const refused = await kit.call('admin', name, { ...input, body })
      expect(refused).toMatchObject({ status: 412, body: { error: { type: 'precondition_failed' } } })
      expect(refused.body.error?.message).toContain('Delete the translation first')
    }
    // One that was transferred before that was refused is left alone.
    await updateSpace(kit.db, spaceId, { organizationId: target.id, parentId: null })
    await kit.as.admin.runTranslation(where)
    const failed = await finished(kit, made.id)
    expect(failed.status).toBe('failed')
    expect(failed.error?.message).toContain('belongs to another organization')
    await updateSpace(kit.db, spaceId, { organizationId: organizationId() })
    await kit.as.admin.deleteTranslation(where)
    expect((await kit.as.admin.transferSpace({ spaceId, body })).organization).toBe(target.id)
  })

  test('a run that is killed goes on where it was, and sends nothing again that was stored', async () => {
    const script = await bundleChild('test/jobs/killed-translation.ts')
    const space = await filled(kit, 200)
    const body = { source: { space, language: 'en' }, language: 'fr' }
    const made = await kit.call('admin', 'createTranslation', { organizationId: organizationId(), body })
    const translationId = String(made.body.id)
    const settings = { ...place(kit), ...engines.settingsOf('openai') }
    const documents = await countDocuments(kit)
    engines.delay = 60
    const first = startChild(script, [], settings)
    // Three of the five groups of pages are through: one is under way.
    await vi.waitFor(() => expect(engines.sent.length).toBeGreaterThan(250), { timeout: 60_000, interval: 5 })
    await first.kill()
    const before = [...engines.sent]
    engines.reset()
    expect((await kit.as.admin.getTranslation({ organizationId: organizationId(), translationId })).status).toBe(
      'running',
    )
    // What was translated is stored as documents too, a group of forty pages at a time, before the run ends.
    const stored = (await countDocuments(kit)) - documents
    expect(stored).toBeGreaterThanOrEqual(120)
    expect(stored % 40).toBe(0)
    const second = startChild(script, [], settings)
    expect(await second.ended).toBe(0)
    const after = await kit.as.admin.getTranslation({ organizationId: organizationId(), translationId })
    expect(after).toMatchObject({ status: 'completed', stats: { runs: 1, latestPages: 200 } })
    expect(after.error).toBeUndefined()
    const { pages } = await kit.as.admin.listPages({ spaceId: String(after.result?.space) })
    expect(pages.map(({ title }) => title)).toEqual(Array.from({ length: 200 }, (_, index) => `PAGE ${index}`))
    // Sent twice is at most what was on its way (four requests of twenty texts) and what was answered but not stored yet.
    const again = before.filter((text) => engines.sent.includes(text))
    expect(again.length).toBeLessThanOrEqual(160)
    expect(new Set([...before, ...engines.sent]).size).toBe(400)
    expect(new Set(engines.sent).size).toBe(engines.sent.length)
  }, 120_000)

  // One database is enough: what it shows is that time follows the change.
  if (backend.name === 'sqlite')
    test('1,000 pages of which three change are translated in a time that follows the three', async () => {
      kit.env.translator = engines.engineOf('deepl')
      const space = await filled(kit, 1000)
      const made = await translated(kit, space)
      expect(made.stats).toMatchObject({ latestPages: 1000 })
      engines.reset()
      const { pages } = await kit.as.admin.listPages({ spaceId: space })
      const changes = [pages[10], pages[500], pages[990]].map((page, index) => ({
        operation: 'update_page' as const,
        page: page?.id ?? '',
        document: { markdown: `Changed ${index}.` },
      }))
      await kit.as.admin.updateSpaceContent({ spaceId: space, body: { changes } })
      await hurry(kit)
      const after = await finished(kit, made.id)
      expect(after).toMatchObject({ status: 'completed', stats: { latestPages: 3 } })
      expect(engines.sent.sort()).toEqual(['Changed 0.', 'Changed 1.', 'Changed 2.'])
      const [whole, three] = [made.stats.latestRunDuration, after.stats.latestRunDuration]
      console.log(`1,000 pages: ${whole} ms; three of them: ${three} ms`)
      expect(three).toBeLessThan(whole / 10)
    }, 120_000)

  test('is read on a site beside its source: in its language, from right to left, each naming the other', async () => {
    kit.env.translator = engines.engineOf('deepl')
    const source = await filled(kit, 2)
    await kit.as.admin.updateSpaceById({ spaceId: source, body: { language: 'en' } })
    const made = await translated(kit, source, { language: 'ar' })
    const site = await kit.as.admin.createSite({
      organizationId: organizationId(),
      body: { title: 'Two languages', spaces: [source, String(made.result?.space)] },
    })
    const params = { organizationId: organizationId(), siteId: site.id }
    await kit.as.admin.publishSite(params)
    const { items } = await kit.as.admin.listSiteSpaces(params)
    const addressOf = (space: string) => `${items.find((one) => one.space.id === space)?.urls.published}/page-1`
    const ask = await asker(kit)
    const [english, arabic] = [addressOf(source), addressOf(String(made.result?.space))]
    for (const [address, html, copy] of [
      [english, '<html lang="en"', 'Copy page'],
      [arabic, '<html lang="ar" dir="rtl"', 'نسخ الصفحة'],
    ] as const) {
      const page = await ask(new URL(address).pathname)
      expect(page.status).toBe(200)
      expect(page.text).toContain(html)
      expect(page.text).toContain(copy)
      expect(page.text).toContain(`hreflang="en" href="${english}"`)
      expect(page.text).toContain(`hreflang="ar" href="${arabic}"`)
    }
  })

  test('takes what it can translate, and says what is wrong with the rest', async () => {
    const space = await filled(kit, 1)
    const create = async (body: object) =>
      (await kit.call('admin', 'createTranslation', { organizationId: organizationId(), body })).status
    const source = { space, language: 'en' }
    expect(await create({ source, language: 'en' })).toBe(400)
    expect(await create({ source, language: 'xx' })).toBe(400)
    expect(await create({ language: 'de' })).toBe(400)
    expect(await create({ source: { space: 'nowhere', language: 'en' }, language: 'de' })).toBe(404)
    const nodes = [{ object: 'block', type: 'nonsense' }]
    expect(await create({ source, language: 'de', instructions: { object: 'document', data: {}, nodes } })).toBe(400)
    expect(await create({ source, language: 'ar' })).toBe(201)
    expect(await create({ source, language: 'ar' })).toBe(400)
  })
})

describe('settings', () => {
  test('name what they lack', () => {
    expect(() => readConfig({ LECTERN_TRANSLATE: 'deepl' })).toThrow('LECTERN_TRANSLATE_KEY')
    expect(() => readConfig({ LECTERN_TRANSLATE: 'openai', LECTERN_TRANSLATE_KEY: 'k' })).toThrow('_MODEL')
    expect(() => readConfig({ LECTERN_TRANSLATE: 'other' })).toThrow('must be openai')
    expect(() => readConfig({ LECTERN_TRANSLATE_KEY: 'k' })).toThrow('which engine')
    expect(readConfig({}).translate).toBeUndefined()
  })
})

const place = (kit: Kit): Record<string, string> => ({
  DATABASE_URL: kit.location,
  LECTERN_DATA: kit.folder,
  LECTERN_URL: 'http://lectern.test',
})

const documentCount = first((b) => b.selectFrom('document').select((e) => e.fn.countAll<number>().as('count')))
const countDocuments = async (kit: Kit): Promise<number> => Number((await documentCount(kit.db))?.count)
