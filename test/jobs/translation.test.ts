/** Translations against servers that speak the protocols of the engines, with their faults, on both databases. */
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { translation } from '../../src/jobs/translation/job.ts'
import { makeWorker } from '../../src/jobs/worker.ts'
import { readConfig } from '../../src/platform/config.ts'
import { makeLog } from '../../src/platform/log.ts'
import { makeTranslator } from '../../src/platform/translate/make.ts'
import { listJobs } from '../../src/store/jobs.ts'
import { eachBackend } from '../kit/backends.ts'
import { type Kit, useKit } from '../kit/server.ts'

/** What the server does to the next request, and to texts that hold a word. */
type Fault = 'busy' | 'broken' | 'slow' | 'malformed'
const faults: Fault[] = []
let damaged: string | undefined
let sent: string[] = []
let server: Server

const shout = (text: string): string =>
  text.replace(/<[^>]*>|&\w+;|[a-z]/g, (part) => (part.length > 1 ? part : part.toUpperCase()))
const answerTo = (text: string): string =>
  damaged !== undefined && text.includes(damaged) ? shout(text).replace(/<[^>]*>/, '') : shout(text)

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const body = JSON.parse(await bodyOf(request))
    const fault = faults.shift()
    const json = (status: number, value: unknown, headers = {}) =>
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value))
    if (fault === 'busy') return json(429, { error: { message: 'Slow down.' } }, { 'retry-after': '0.05' })
    if (fault === 'broken') return json(500, { error: 'Something broke.' }, { 'retry-after': '0' })
    if (fault === 'slow') return void setTimeout(() => json(200, {}), 3000).unref()
    if (fault === 'malformed') return void response.end('<html>Oh no</html>')
    if (request.url === '/v2/translate' && request.headers.authorization === 'DeepL-Auth-Key key') {
      sent.push(...body.text)
      return json(200, { translations: body.text.map((text: string) => ({ text: answerTo(text) })) })
    }
    if (request.url === '/translate' && body.api_key === 'key') {
      sent.push(...body.q)
      return json(200, { translatedText: body.q.map(answerTo) })
    }
    if (request.url === '/chat/completions' && request.headers.authorization === 'Bearer key' && body.model === 'm') {
      const { texts } = JSON.parse(body.messages[1].content) as { texts: { id: number; text: string }[] }
      sent.push(...texts.map(({ text }) => text))
      const translations = texts.map(({ id, text }) => ({ id, text: answerTo(text) })).reverse()
      return json(200, { choices: [{ message: { content: JSON.stringify({ translations }) } }] })
    }
    return json(403, { error: { message: 'Wrong key.' } })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterAll(() => void server.close())
beforeEach(() => {
  sent = []
  faults.length = 0
  damaged = undefined
})

const engineOf = (engine: string, extra: Record<string, string> = {}) =>
  makeTranslator(
    readConfig({
      LECTERN_TRANSLATE: engine,
      LECTERN_TRANSLATE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      LECTERN_TRANSLATE_KEY: 'key',
      LECTERN_TRANSLATE_MODEL: 'm',
      LECTERN_TRANSLATE_TIMEOUT: '1',
      ...extra,
    }).translate,
  )

eachBackend((backend) => {
  const kit = useKit(backend)
  const organizationId = () => kit.organization

  for (const engine of ['openai', 'libretranslate', 'deepl']) {
    test(`${engine}: busy, broken, slow and malformed answers cost time, and nothing else`, async () => {
      kit.env.translator = engineOf(engine)
      faults.push('busy', 'broken', 'slow', 'malformed')
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
      expect(new Set(sent).size).toBe(sent.length)
    })
  }

  test('a refusal fails the run with a sentence; no engine says what to set', async () => {
    kit.env.translator = engineOf('deepl', { LECTERN_TRANSLATE_KEY: 'wrong' })
    const refused = await translated(kit, await filled(kit, 1))
    expect(refused).toMatchObject({ status: 'failed', error: { message: expect.stringContaining('Wrong key.') } })
    kit.env.translator = undefined
    const none = await translated(kit, await filled(kit, 1))
    expect(none).toMatchObject({ status: 'failed', error: { message: expect.stringContaining('LECTERN_TRANSLATE') } })
    kit.env.translator = engineOf('deepl')
    await kit.as.admin.runTranslation({ organizationId: organizationId(), translationId: none.id })
    expect(await finished(kit, none.id)).toMatchObject({ status: 'completed' })
  })

  test('a text whose markup is dropped stays as it is, alone, and is tried again', async () => {
    kit.env.translator = engineOf('deepl')
    damaged = 'of 1.'
    const made = await translated(kit, await filled(kit, 2))
    expect(made.status).toBe('completed')
    expect(made.error?.message).toContain('One page has texts')
    const spaceId = String(made.result?.space)
    const markdown = async (path: string) =>
      (await kit.call('admin', 'getPageByPath', { spaceId, pagePath: path, query: { format: 'markdown' } })).body
        .markdown
    expect(await markdown('page-1')).toContain('See **the next**')
    expect(await markdown('page-0')).toContain('SEE **THE NEXT**')
    damaged = undefined
    sent = []
    await kit.as.admin.runTranslation({ organizationId: organizationId(), translationId: made.id })
    expect((await finished(kit, made.id)).error).toBeUndefined()
    expect(await markdown('page-1')).toContain('SEE **THE NEXT**')
    expect(sent).toHaveLength(1)
  })

  test('a merge sends what it changed, only that; the translated space takes no edits', async () => {
    kit.env.translator = engineOf('deepl')
    const source = await filled(kit, 5)
    const made = await translated(kit, source)
    sent = []
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
    expect(sent.sort()).toEqual(['Also 0.', 'Also 1.', 'Also 2.'])
    const refused = await kit.call('admin', 'updateSpaceContent', {
      spaceId: String(made.result?.space),
      body: { changes: [{ operation: 'insert_page', title: 'Mine', document: { markdown: 'Mine.' } }] },
    })
    expect(refused).toMatchObject({ status: 409, body: { error: { type: 'space_translated' } } })
    const gone = { organizationId: organizationId(), translationId: made.id }
    expect((await kit.call('admin', 'deleteTranslation', gone)).status).toBe(205)
    expect((await kit.call('admin', 'deleteTranslation', gone)).status).toBe(204)
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
  const answer = await kit.call('admin', 'updateSpaceContent', { spaceId: space.id, body: { changes } })
  expect(answer.status).toBe(200)
  return space.id
}

/** A translation into German, after its first run. */
async function translated(kit: Kit, space: string) {
  const body = { source: { space, language: 'en' }, language: 'de' }
  const made = await kit.call('admin', 'createTranslation', { organizationId: kit.organization, body })
  expect(made).toMatchObject({ status: 201, body: { status: 'pending', stats: { runs: 0 } } })
  return finished(kit, String(made.body.id))
}

async function finished(kit: Kit, translationId: string) {
  const worker = makeWorker({ db: kit.db, env: kit.env, log: makeLog('silent'), handlers: { translation } })
  await worker.start()
  await vi.waitFor(async () => expect(await listJobs(kit.db, { kind: 'translation' })).toEqual([]), { timeout: 20_000 })
  await worker.stop()
  return kit.as.admin.getTranslation({ organizationId: kit.organization, translationId })
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const part of request.setEncoding('utf8')) text += part
  return text
}
