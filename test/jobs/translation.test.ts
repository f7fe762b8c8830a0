/** Translations against servers that speak the protocols of the engines, with their faults, on both databases. */
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { makeTranslationJob } from '../../src/jobs/translation/job.ts'
import { pruneTexts } from '../../src/jobs/translation/prune.ts'
import { makeWorker } from '../../src/jobs/worker.ts'
import { readConfig } from '../../src/platform/config.ts'
import { makeLog } from '../../src/platform/log.ts'
import { listJobs } from '../../src/store/jobs.ts'
import { findTranslation } from '../../src/store/translations.ts'
import { eachBackend } from '../kit/backends.ts'
import { bundleChild, startChild } from '../kit/child.ts'
import { type EngineServer, startEngineServer } from '../kit/engine-server.ts'
import { type Kit, useKit } from '../kit/server.ts'
import { asker } from '../site/serve/site-kit.ts'

let engines: EngineServer
beforeAll(async () => {
  engines = await startEngineServer()
})
afterAll(() => engines.close())
beforeEach(() => engines.reset())

/** An engine that is busy is asked again after 20 ms instead of a second. */
const translation = makeTranslationJob({ waitMilliseconds: 20 })

eachBackend((backend) => {
  const kit = useKit(backend)
  const organizationId = () => kit.organization

  for (const engine of ['openai', 'libretranslate', 'deepl']) {
    test(`${engine}: busy, broken, slow and malformed answers cost time, and nothing else`, async () => {
      kit.env.translator = engines.engineOf(engine)
      engines.faults.push('busy', 'broken', 'slow', 'malformed')
      const made = await translated(kit, await filled(kit, 3))
      expect(made).toMatchObject({ status: 'completed', stats: { runs: 1, latestPages: 3 } })
      expect(made.error).toBeUndefined()
      const spaceId = String(made.result?.space)
      const [first] = (await kit.as.admin.listPages({ spaceId })).pages
      expect(first).toMatchObject({ title: 'PAGE 0', slug: 'page-0' })
      const { body } = await kit.call('admin', 'getPageById', {
        spaceId,
        pageId: first?.id,
        query: { format: 'markdown' },
      })
      expect(body.markdown).toContain('SEE **THE NEXT** [PAGE](page-1.md) AND `npm run x` OF 0.')
      expect(body.markdown).toContain('const untouched = 1')
      expect(new Set(engines.sent).size).toBe(engines.sent.length)
    })
  }

  test('a refusal fails the run with a sentence; no engine says what to set', async () => {
    kit.env.translator = engines.engineOf('deepl', { LECTERN_TRANSLATE_KEY: 'wrong' })
    const refused = await translated(kit, await filled(kit, 1))
    expect(refused).toMatchObject({ status: 'failed', error: { message: expect.stringContaining('Wrong key.') } })
    kit.env.translator = undefined
    const none = await translated(kit, await filled(kit, 1))
    expect(none).toMatchObject({ status: 'failed', error: { message: expect.stringContaining('LECTERN_TRANSLATE') } })
    kit.env.translator = engines.engineOf('deepl')
    await kit.as.admin.runTranslation({ organizationId: organizationId(), translationId: none.id })
    expect(await finished(kit, none.id)).toMatchObject({ status: 'completed' })
  })

  test('a text whose markup is dropped stays as it is, alone, and is tried again', async () => {
    kit.env.translator = engines.engineOf('deepl')
    engines.damaged = 'of 1.'
    const made = await translated(kit, await filled(kit, 2))
    expect(made.status).toBe('completed')
    expect(made.error?.message).toContain('One page has texts')
    const spaceId = String(made.result?.space)
    const markdown = async (path: string) =>
      (await kit.call('admin', 'getPageByPath', { spaceId, pagePath: path, query: { format: 'markdown' } })).body
        .markdown
    expect(await markdown('page-1')).toContain('See **the next**')
    expect(await markdown('page-0')).toContain('SEE **THE NEXT**')
    engines.damaged = undefined
    engines.sent = []
    await kit.as.admin.runTranslation({ organizationId: organizationId(), translationId: made.id })
    expect((await finished(kit, made.id)).error).toBeUndefined()
    expect(await markdown('page-1')).toContain('SEE **THE NEXT**')
    expect(engines.sent).toHaveLength(1)
  })

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
      expect(engines.told.every((told) => told.includes('Say du.'))).toBe(engine !== 'libretranslate')
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
      if (engine !== 'libretranslate') expect(engines.told[0]).toContain('Say Sie.')

      // What the rules of before gave is forgotten, and what is in use is not.
      const row = await findTranslation(kit.db, { id: made.id })
      if (!row) throw new Error('The translation is there.')
      const parts = { db: kit.db, env: kit.env, signal: AbortSignal.timeout(20_000) }
      expect(await pruneTexts(parts, row)).toBe(engine === 'libretranslate' ? 2 : 6)
      expect(await pruneTexts(parts, row)).toBe(0)
      engines.reset()
      await kit.as.admin.runTranslation(where)
      expect(await finished(kit, made.id)).toMatchObject({ status: 'completed', stats: { latestWords: 0 } })
      expect(engines.sent).toEqual([])
      await glossary([])
      await hurry(kit)
      await finished(kit, made.id)
    })
  }

  test('a run that is killed goes on where it was, and sends nothing again that was stored', async () => {
    const script = await bundleChild('test/jobs/killed-translation.ts')
    const space = await filled(kit, 200)
    const body = { source: { space, language: 'en' }, language: 'fr' }
    const made = await kit.call('admin', 'createTranslation', { organizationId: organizationId(), body })
    const translationId = String(made.body.id)
    // Patient: on a busy machine an answer may take its time, and would be asked for again.
    const settings = { ...place(kit), ...engines.settingsOf('openai'), LECTERN_TRANSLATE_TIMEOUT: '30' }
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
    for (const [address, html] of [
      [english, '<html lang="en"'],
      [arabic, '<html lang="ar" dir="rtl"'],
    ] as const) {
      const page = await ask(new URL(address).pathname)
      expect(page.status).toBe(200)
      expect(page.text).toContain(html)
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

const bodyOfPage = (index: number): string =>
  `See **the next** [page](page-${index + 1}.md) and \`npm run x\` of ${index}.\n\n\`\`\`js\nconst untouched = 1\n\`\`\``

const documentOf = (text: string) => ({
  object: 'document',
  data: {},
  nodes: [
    {
      object: 'block',
      type: 'paragraph',
      data: {},
      nodes: [{ object: 'text', leaves: [{ object: 'leaf', text, marks: [] }] }],
    },
  ],
})

/** What waits for a minute, in case there is more to come, need not wait here. */
const hurry = (kit: Kit) =>
  kit.db.script(`update "job" set "runAt" = '2000-01-01T00:00:00.000Z' where "kind" = 'translation'`)

const place = (kit: Kit): Record<string, string> => ({
  DATABASE_URL: kit.location,
  LECTERN_DATA: kit.folder,
  LECTERN_URL: 'http://lectern.test',
})

async function filled(kit: Kit, count: number): Promise<string> {
  const space = await kit.as.admin.createSpace({
    organizationId: kit.organization,
    body: { title: 'Source', empty: true },
  })
  const changes = Array.from({ length: count }, (_, index) => ({
    operation: 'insert_page',
    title: `Page ${index}`,
    document: { markdown: bodyOfPage(index) },
  }))
  for (let from = 0; from < count; from += 50) {
    const body = { changes: changes.slice(from, from + 50) }
    expect((await kit.call('admin', 'updateSpaceContent', { spaceId: space.id, body })).status).toBe(200)
  }
  return space.id
}

/** A translation into German, after its first run. */
async function translated(kit: Kit, space: string, more: { language?: string; instructions?: object } = {}) {
  const body = { source: { space, language: 'en' }, language: 'de', ...more }
  const made = await kit.call('admin', 'createTranslation', { organizationId: kit.organization, body })
  expect(made).toMatchObject({ status: 201, body: { status: 'pending', stats: { runs: 0 } } })
  return finished(kit, String(made.body.id))
}

async function finished(kit: Kit, translationId: string) {
  await settled(kit)
  return kit.as.admin.getTranslation({ organizationId: kit.organization, translationId })
}

async function settled(kit: Kit): Promise<void> {
  const worker = makeWorker({ db: kit.db, env: kit.env, log: makeLog('silent'), handlers: { translation } })
  await worker.start()
  await vi.waitFor(async () => expect(await listJobs(kit.db, { kind: 'translation' })).toEqual([]), { timeout: 60_000 })
  await worker.stop()
}
