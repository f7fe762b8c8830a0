/**
 * What can go wrong with a translation engine, for each protocol, on both databases: the right result or the right failure,
 * nothing lost, and nothing sent again that was answered well.
 */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { eachBackend } from '../kit/backends.ts'
import { type EngineFault, type EngineServer, startEngineServer } from '../kit/engine-server.ts'
import { type Kit, useKit } from '../kit/server.ts'
import { filled, finished, translated } from './translation-kit.ts'

let engines: EngineServer
beforeAll(async () => {
  engines = await startEngineServer()
})
afterAll(() => engines.close())
beforeEach(() => engines.reset())

const faults: [string, EngineFault[], Record<string, string>?][] = [
  ['429 with Retry-After', ['busy', 'busy']],
  ['500', ['broken', 'broken']],
  ['no answer in time', ['silent'], { LECTERN_TRANSLATE_TIMEOUT: '2' }],
  ['no JSON', ['malformed']],
  ['JSON of another form', ['otherForm']],
  ['an answer that is cut off', ['tooFew']],
  ['one after the other', ['busy', 'broken', 'malformed', 'otherForm', 'tooFew']],
]

/** What engines do to markup. */
const damages: [string, (answer: string) => string][] = [
  ['drops a tag', (answer) => answer.replace(/<[^>]*>/, '')],
  ['drops all tags', (answer) => answer.replace(/<[^>]*>/g, '')],
  ['has a tag twice', (answer) => `${answer}${/<x[^>]*>/.exec(answer)?.[0]}`],
  ['has other numbers', (answer) => answer.replace(/id="\d+"/g, 'id="77"')],
  ['says nothing', () => ''],
]

eachBackend((backend) => {
  const kit = useKit(backend)

  for (const engine of ['openai', 'libretranslate', 'deepl']) {
    // Each alone on one database; on the other all in a row, for which it is as good.
    for (const [name, given, settings] of backend.name === 'sqlite' ? faults : faults.slice(-1))
      test(`${engine}: ${name} costs time, and nothing else`, async () => {
        kit.env.translator = engines.engineOf(engine, settings)
        engines.faults.push(...given)
        const made = await translated(kit, await filled(kit, 3))
        expect(made).toMatchObject({ status: 'completed', stats: { runs: 1, latestPages: 3 } })
        expect(made.error).toBeUndefined()
        expect(engines.faults).toEqual([])
        const { pages } = await kit.as.admin.listPages({ spaceId: String(made.result?.space) })
        expect(pages.map(({ title }) => title)).toEqual(['PAGE 0', 'PAGE 1', 'PAGE 2'])
        for (const at of [0, 1, 2]) {
          const markdown = await markdownOf(kit, made, `page-${at}`)
          expect(markdown).toMatch(`SEE **THE NEXT** [PAGE](${at < 2 ? `page-${at + 1}.md` : ''}`)
          expect(markdown).toContain(`AND \`npm run x\` OF ${at}.`)
          expect(markdown).toContain('const untouched = 1')
        }
        expect(engines.sent).toHaveLength(6)
        expect(new Set(engines.sent).size).toBe(6)
      })

    test(`${engine}: a text whose markup does not come back stays as it is, alone, and is tried again`, async () => {
      kit.env.translator = engines.engineOf(engine)
      for (const [index, [, damage]] of damages.entries()) engines.damages.set(`of ${index + 1}.`, damage)
      const made = await translated(kit, await filled(kit, damages.length + 1))
      expect(made.status).toBe('completed')
      expect(made.error?.message).toContain(`${damages.length} pages have texts`)
      expect(await markdownOf(kit, made, 'page-0')).toContain('SEE **THE NEXT**')
      for (const [index, [name]] of damages.entries()) {
        const markdown = await markdownOf(kit, made, `page-${index + 1}`)
        // The block as the source has it, in a page that is translated otherwise.
        expect(markdown, name).toContain('See **the next** [page]')
        expect(markdown, name).toContain(`of ${index + 1}.`)
        expect(markdown, name).toContain('const untouched = 1')
        // Asked for twice: with others, then alone.
        expect(engines.sent.filter((text) => text.includes(`of ${index + 1}.`))).toHaveLength(2)
      }
      const { pages } = await kit.as.admin.listPages({ spaceId: String(made.result?.space) })
      expect(pages.map(({ title }) => title)).toEqual(pages.map((_, index) => `PAGE ${index}`))
      const whole = engines.sent.filter((text) => !/of [1-9]\./.test(text))
      expect(whole).toHaveLength(damages.length + 2)
      expect(new Set(whole).size).toBe(whole.length)

      engines.reset()
      const healed = await runAgain(kit, made.id)
      expect(healed).toMatchObject({ status: 'completed', stats: { runs: 2 } })
      expect(healed.error).toBeUndefined()
      for (const index of damages.keys())
        expect(await markdownOf(kit, made, `page-${index + 1}`)).toContain('SEE **THE NEXT**')
      expect(engines.sent).toHaveLength(damages.length)
    })

    test(`${engine}: one that breaks for good fails the run; what it answered is kept, and the rest asked for`, async () => {
      kit.env.translator = engines.engineOf(engine)
      engines.brokenAfter = 80
      const failed = await translated(kit, await filled(kit, 60))
      expect(failed).toMatchObject({
        status: 'failed',
        error: { message: expect.stringContaining('500: Something broke') },
      })
      const before = [...engines.sent]
      expect(before.length).toBeGreaterThanOrEqual(80)
      engines.reset()
      const made = await runAgain(kit, failed.id)
      expect(made).toMatchObject({ status: 'completed', stats: { runs: 1, latestPages: 60 } })
      expect(made.error).toBeUndefined()
      // What the run that failed had sent is counted with the rest.
      expect(made.stats?.totalWords).toBeGreaterThan(made.stats?.latestWords ?? 0)
      expect([...before, ...engines.sent]).toHaveLength(120)
      expect(new Set([...before, ...engines.sent]).size).toBe(120)
      expect(await markdownOf(kit, made, 'page-59')).toContain('SEE **THE NEXT**')
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
    expect(await runAgain(kit, none.id)).toMatchObject({ status: 'completed' })
  })
})

async function runAgain(kit: Kit, translationId: string) {
  await kit.as.admin.runTranslation({ organizationId: kit.organization, translationId })
  return finished(kit, translationId)
}

async function markdownOf(kit: Kit, { result }: { result?: { space: string } | undefined }, pagePath: string) {
  const at = { spaceId: result?.space, pagePath, query: { format: 'markdown' } }
  return String((await kit.call('admin', 'getPageByPath', at)).body.markdown)
}
