/** Code and formulas of published pages are rendered before anybody reads them, and nothing else is. */
import { expect, test, vi } from 'vitest'
import { renderAheadKind } from '../../src/domain/sites/render-ahead.ts'
import { storeRenderedLeft } from '../../src/domain/sites/rendered-parts.ts'
import { jobKinds } from '../../src/jobs/index.ts'
import type { JobRun } from '../../src/jobs/kinds.ts'
import { makeRenderAhead } from '../../src/jobs/render-ahead/job.ts'
import { makeWorker } from '../../src/jobs/worker.ts'
import { makeLog } from '../../src/platform/log.ts'
import type { HighlightTask } from '../../src/site/render/highlight.ts'
import type { Connection } from '../../src/store/database.ts'
import { listJobs } from '../../src/store/jobs.ts'
import { makeSpace, published } from '../api/sites/site-things.ts'
import { eachBackend } from '../kit/backends.ts'
import { useKit } from '../kit/server.ts'
import { edit, pageIds, publishedSite } from '../site/serve/site-kit.ts'

let serial = 0
/** A block that no other test has. */
const newBlock = (): string => {
  serial += 1
  return `\`\`\`js\nconst answer${serial} = "${serial}" // of course\n\`\`\``
}
const impatient = { longestWaitMilliseconds: 0, longestRunMilliseconds: 60_000 }

eachBackend((backend) => {
  const kit = useKit(backend)

  interface Ran {
    /** What the thread was asked to highlight. */
    asked: string[]
    /** Of how many parts it was asked whether they are stored. */
    looked: number
    /** What it wished for when it ended. */
    enqueued: boolean
  }

  /** One start of the job, as a worker would make it, when the space has settled. */
  async function run(
    space: string | null,
    { options = impatient, since = new Date(), signal = new AbortController().signal } = {},
  ): Promise<Ran> {
    const ran: Ran = { asked: [], looked: 0, enqueued: false }
    const highlight = vi.spyOn(kit.db.threads, 'run')
    const read = vi.spyOn(kit.db, 'all')
    const job: Partial<JobRun<unknown>> = {
      db: kit.db,
      env: kit.env,
      log: makeLog('silent'),
      signal,
      payload: space === null ? null : { space, since: since.toISOString() },
      finish: async <T>(effect: (tx: Connection) => Promise<T>) => {
        ran.enqueued = true
        return kit.db.transaction(effect)
      },
    }
    try {
      await makeRenderAhead(options).run(job as JobRun<unknown>)
    } finally {
      for (const [kind, task] of highlight.mock.calls)
        if (kind === 'highlight') ran.asked.push((task as HighlightTask).code)
      for (const [{ sql }, values] of read.mock.calls)
        if (/select "hash", "usedAt" from "renderedPart"/.test(sql)) ran.looked += JSON.parse(String(values[0])).length
      highlight.mockRestore()
      read.mockRestore()
    }
    return ran
  }

  const number = async (sql: string): Promise<number> => Number((await kit.db.all({ sql, name: '' }, []))[0]?.count)
  const countParts = () => number(`select count(*) as "count" from "renderedPart"`)
  const jobsFor = async (key: string) =>
    (await listJobs(kit.db, { kind: renderAheadKind })).filter(({ uniqueKey }) => uniqueKey === key)
  const forget = () => kit.db.run({ sql: `delete from "job" where "kind" = '${renderAheadKind}'`, name: '' }, [])

  test('a reader finds rendered what nobody has read before', async () => {
    const site = await publishedSite(kit, [{ title: 'Start', markdown: `${newBlock()}\n\n$$a^{${serial}}$$` }])
    expect(await jobsFor('shown')).toHaveLength(1)
    expect(await jobsFor(site.spaceId)).toEqual([])
    await run(null)
    expect(await jobsFor(site.spaceId)).toMatchObject([{ state: 'waiting' }])
    const before = await countParts()
    expect((await run(site.spaceId)).asked).toHaveLength(1)
    expect(await countParts()).toBe(before + 2)
    // A second time nothing is left to do, nor to wish for.
    expect(await run(site.spaceId)).toMatchObject({ asked: [], looked: 0 })
    await forget()
    await run(null)
    expect(await jobsFor(site.spaceId)).toEqual([])

    const asked = vi.spyOn(kit.db.threads, 'run')
    const { status, text } = await site.ask('')
    expect(status).toBe(200)
    expect(text).toMatch(/<span class="[^"]+">const<\/span>/)
    expect(text).toContain('katex')
    expect(asked).not.toHaveBeenCalled()
    asked.mockRestore()
    await storeRenderedLeft(kit.db)
    expect(await countParts()).toBe(before + 2)
  })

  test('a space on no published site is left alone until it is on one', async () => {
    const site = await publishedSite(kit, [{ title: 'Start', markdown: newBlock() }], { isPublished: false })
    await forget()
    const before = await countParts()
    const { Start = '' } = await pageIds(kit, site.spaceId)
    await edit(kit, site.spaceId, Start, newBlock())
    await run(null)
    expect(await jobsFor(site.spaceId)).toEqual([])
    expect((await run(site.spaceId)).asked).toEqual([])
    expect(await countParts()).toBe(before)

    await kit.as.admin.publishSite(site)
    expect(await jobsFor('shown')).toHaveLength(1)
    await run(null)
    expect(await jobsFor(site.spaceId)).toHaveLength(1)
    await run(site.spaceId)
    expect(await countParts()).toBe(before + 1)

    // What comes onto a site that is published already is looked for, too.
    await forget()
    const added = await makeSpace(kit, 'Added', [{ title: 'Start', markdown: newBlock() }])
    const { organizationId, siteId } = site
    await kit.as.admin.addSpaceToSite({ organizationId, siteId, body: { spaceId: added } })
    expect(await jobsFor('shown')).toHaveLength(1)
    await run(null)
    expect(await jobsFor(added)).toHaveLength(1)
  })

  test('an edit costs what it changed, once for a series of saves', async () => {
    const [kept, first, second] = [newBlock(), newBlock(), newBlock()]
    const pages = [
      { title: 'Start', markdown: `${kept}\n\nWords.\n\n${first}` },
      { title: 'Other', markdown: newBlock() },
    ]
    const { spaceId } = await publishedSite(kit, pages)
    await run(spaceId)
    const before = await countParts()
    await forget()
    const { Start = '' } = await pageIds(kit, spaceId)
    kit.clock.set(new Date())
    await edit(kit, spaceId, Start, `${kept}\n\nWords.\n\n${newBlock()}`)
    await edit(kit, spaceId, Start, `${kept}\n\nWords.\n\n${second}`)
    const jobs = await jobsFor(spaceId)
    expect(jobs).toHaveLength(1)
    expect(Date.parse(jobs[0]?.runAt ?? '')).toBeGreaterThan(Date.now() + 3_000)
    // Somebody has saved just now: the job waits until nobody has for a while.
    await forget()
    const waiting = await run(spaceId, { options: { ...impatient, longestWaitMilliseconds: 60_000 } })
    expect(waiting).toEqual({ asked: [], looked: 0, enqueued: true })
    expect(Date.parse((await jobsFor(spaceId))[0]?.runAt ?? '')).toBeGreaterThan(Date.now() + 1_000)
    // The other page is not looked at, and of this one only the block that is new is made.
    const ran = await run(spaceId)
    expect(ran).toMatchObject({ looked: 2, enqueued: false })
    expect(ran.asked).toEqual([second.split('\n')[1]])
    expect(await countParts()).toBe(before + 1)
  })

  test('goes on where it was killed, to what the space has moved on to', async () => {
    const pages = Array.from({ length: 45 }, (_, at) => ({ title: `Page ${at}`, markdown: newBlock() }))
    const { spaceId } = await publishedSite(kit, pages)
    const before = await countParts()
    const killed = new AbortController()
    const { transaction } = kit.db
    let notes = 0
    kit.db.transaction = async (work, options) => {
      const counted = async (tx: Connection) => {
        const write = tx.run
        tx.run = (statement, values) => {
          if (statement.sql.includes('"renderedSpace"')) notes += 1
          return write.call(tx, statement, values)
        }
        return work(tx).finally(() => {
          tx.run = write
        })
      }
      const result = await transaction.call(kit.db, counted, options)
      if (notes > 0) killed.abort(new Error('Killed.'))
      return result as Awaited<ReturnType<typeof work>>
    }
    await expect(run(spaceId, { signal: killed.signal })).rejects.toThrow('Killed')
    kit.db.transaction = transaction
    expect(await countParts()).toBe(before + 20)

    const { 'Page 0': page = '' } = await pageIds(kit, spaceId)
    const changed = newBlock()
    await edit(kit, spaceId, page, changed)
    const ran = await run(spaceId)
    // The pages behind the first step, and then the one that was edited meanwhile.
    expect(ran.looked).toBe(26)
    expect(ran.asked).toHaveLength(26)
    expect(ran.asked.at(-1)).toBe(changed.split('\n')[1])
    expect(await countParts()).toBe(before + 46)

    // All of it again, because somebody says that nothing was done: nothing is made twice.
    await kit.db.run({ sql: `delete from "renderedSpace"`, name: '' }, [])
    expect(await run(spaceId)).toMatchObject({ asked: [], looked: 45 })
    expect(await countParts()).toBe(before + 46)
    // Whose turn is over leaves the rest for the next.
    await kit.db.run({ sql: `update "renderedSpace" set "renderer" = 'another'`, name: '' }, [])
    const turn = await run(spaceId, { options: { ...impatient, longestRunMilliseconds: 0 } })
    expect(turn).toEqual({ asked: [], looked: 20, enqueued: true })
    expect(await run(spaceId)).toMatchObject({ looked: 25, enqueued: false })
  })

  test('knows what code says to every reader, and leaves to readers what it says to one', async () => {
    const codeOf = (expression: string): string =>
      `<pre class="language-js"><code class="lang-js">const value = <code class="expression">${expression}</code>\n</code></pre>`
    const conditional = newBlock()
    const site = await publishedSite(kit, [
      { title: 'Season', markdown: codeOf('space.vars.season') },
      { title: 'Page', markdown: codeOf('page.vars.own') },
      { title: 'Visitor', markdown: codeOf('visitor.claims.plan') },
      { title: 'Branch', markdown: `{% if visitor.claims.plan == "pro" %}\n${conditional}\n{% endif %}` },
    ])
    const { spaceId } = site
    const ids = await pageIds(kit, spaceId)
    const save = (changes: Parameters<typeof kit.as.admin.updateSpaceContent>[0]['body']['changes']) =>
      kit.as.admin.updateSpaceContent({ spaceId, body: { changes } })
    const variables = (season: string, own: string) =>
      save([
        { operation: 'update_variables', variables: { season } },
        { operation: 'update_variables', page: ids.Page ?? '', variables: { own } },
      ])
    await variables('12', '34')
    const block = conditional.split('\n')[1]
    expect((await run(spaceId)).asked.sort()).toEqual([block, 'const value = 12', 'const value = 34'].sort())
    await variables('12', '56')
    expect((await run(spaceId)).asked).toEqual(['const value = 56'])
    await variables('78', '56')
    expect((await run(spaceId)).asked).toEqual(['const value = 78'])

    // A reusable content stands on many pages: what it says of its page is known when the page is.
    const shared = newBlock()
    const { reusableContents = [] } = await save([
      {
        operation: 'insert_reusable_content',
        title: 'Shared',
        document: { markdown: `${shared}\n\n${codeOf('page.vars.own')}` },
      },
    ])
    const made = reusableContents[0]
    const id = made?.object === 'created_reusable_content' ? made.reusableContent.id : ''
    await save([
      {
        operation: 'update_page',
        page: ids.Page ?? '',
        document: { markdown: `{% include "/reusable-content/${id}" %}` },
      },
    ])
    expect((await run(spaceId)).asked).toEqual([shared.split('\n')[1]])
    const asked = vi.spyOn(kit.db.threads, 'run')
    expect((await site.ask('/page')).text).toContain(`answer`)
    expect((await site.ask('/season')).text).toContain('78')
    // The one with the page's variable was made when the page had it in its own text.
    expect(asked).not.toHaveBeenCalled()
    asked.mockRestore()
  })

  test('a page that is written in a thread is rendered ahead too, unless going through it takes long', async () => {
    const words = (count: number): string => 'Word.\n\n'.repeat(count)
    const [heavy, tooLarge] = [newBlock(), newBlock()]
    const { spaceId } = await publishedSite(kit, [
      { title: 'Heavy', markdown: `${words(1600)}${heavy}` },
      { title: 'Too large', markdown: `${words(10_000)}${tooLarge}` },
    ])
    expect((await run(spaceId)).asked).toEqual([heavy.split('\n')[1]])
  })

  test('what was made before and not read since is kept for who comes now', async () => {
    const { spaceId } = await publishedSite(kit, [{ title: 'Start', markdown: newBlock() }])
    await run(spaceId)
    const old = new Date(Date.now() - 29 * 86_400_000).toISOString().slice(0, 10)
    await kit.db.run({ sql: `update "renderedPart" set "usedAt" = '${old}'`, name: '' }, [])
    await kit.db.run({ sql: `delete from "renderedSpace"`, name: '' }, [])
    expect((await run(spaceId)).asked).toEqual([])
    expect(await number(`select count(*) as "count" from "renderedPart" where "usedAt" > '${old}'`)).toBe(1)
  })

  test('a space for which it was given up is left to its readers until it changes', async () => {
    const { spaceId } = await publishedSite(kit, [{ title: 'Start', markdown: newBlock() }])
    const { failed } = makeRenderAhead(impatient)
    const job = { id: '', payload: { space: spaceId, since: '' }, env: kit.env }
    await kit.db.transaction(async (tx) => failed?.(tx, job, new Error('Its content lacks a document.')))
    await forget()
    await run(null)
    expect(await jobsFor(spaceId)).toEqual([])
    const { Start = '' } = await pageIds(kit, spaceId)
    await edit(kit, spaceId, Start, newBlock())
    expect(await jobsFor(spaceId)).toHaveLength(1)
    expect((await run(spaceId)).asked).toHaveLength(1)
  })

  test('is done by a worker after a site was published, and wished for after a restore', async () => {
    const spaceId = await makeSpace(kit, 'Worked', [{ title: 'Start', markdown: newBlock() }])
    await forget()
    const before = await countParts()
    await published(kit, { spaces: [spaceId] })
    const handlers = { [renderAheadKind]: makeRenderAhead(impatient) }
    const worker = makeWorker({ db: kit.db, env: kit.env, log: makeLog('silent'), handlers })
    await worker.start()
    await vi.waitFor(async () => expect(await countParts()).toBeGreaterThan(before), { timeout: 20_000, interval: 50 })
    await vi.waitFor(async () => expect(await jobsFor(`running:${spaceId}`)).toEqual([]), { timeout: 20_000 })
    await worker.stop()
    await forget()
    const job: Partial<JobRun<unknown>> = { db: kit.db, env: kit.env, log: makeLog('silent') }
    await jobKinds.rebuild?.run({ ...job, signal: new AbortController().signal } as JobRun<unknown>)
    expect(await jobsFor('shown')).toHaveLength(1)
  })
})
