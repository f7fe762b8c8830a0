/** Spaces to translate, and their translations run to the end. */
import { expect, vi } from 'vitest'
import { makeTranslationJob } from '../../src/jobs/translation/job.ts'
import { pruneTranslations } from '../../src/jobs/translation/prune.ts'
import { makeWorker } from '../../src/jobs/worker.ts'
import { makeLog } from '../../src/platform/log.ts'
import { storedHashes } from '../../src/store/content/translations.ts'
import { type JobRow, listJobs } from '../../src/store/jobs.ts'
import type { Kit } from '../kit/server.ts'

/** An engine that is busy is asked again after 20 ms instead of a second. */
const translation = makeTranslationJob({ waitMilliseconds: 20 })

export const bodyOfPage = (index: number): string =>
  `See **the next** [page](page-${index + 1}.md) and \`npm run x\` of ${index}.\n\n\`\`\`js\nconst untouched = 1\n\`\`\``

export const documentOf = (text: string) => ({
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
export const hurry = (kit: Kit) =>
  kit.db.script(`update "job" set "runAt" = '2000-01-01T00:00:00.000Z' where "kind" = 'translation'`)

export async function filled(kit: Kit, count: number): Promise<string> {
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
export async function translated(kit: Kit, space: string, more: { language?: string; instructions?: object } = {}) {
  const body = { source: { space, language: 'en' }, language: 'de', ...more }
  const made = await kit.call('admin', 'createTranslation', { organizationId: kit.organization, body })
  expect(made).toMatchObject({ status: 201, body: { status: 'pending', stats: { runs: 0 } } })
  return finished(kit, String(made.body.id))
}

export async function finished(kit: Kit, translationId: string) {
  await settled(kit)
  return kit.as.admin.getTranslation({ organizationId: kit.organization, translationId })
}

export async function settled(kit: Kit): Promise<void> {
  const worker = makeWorker({ db: kit.db, env: kit.env, log: makeLog('silent'), handlers: { translation } })
  await worker.start()
  await vi.waitFor(async () => expect(await listJobs(kit.db, { kind: 'translation' })).toEqual([]), { timeout: 60_000 })
  await worker.stop()
}

/** How many stored texts of a translation the daily job forgets. */
export async function prune(kit: Kit, translationId: string): Promise<number> {
  const count = async () => (await storedHashes(kit.db, { translationId, after: '' })).length
  const before = await count()
  const kind = 'prune-translations'
  const handlers = { [kind]: pruneTranslations }
  const worker = makeWorker({ db: kit.db, env: kit.env, log: makeLog('silent'), handlers, pollMilliseconds: 50 })
  await worker.start()
  await kit.db.script(`update "job" set "runAt" = '2000-01-01T00:00:00.000Z' where "kind" = '${kind}'`)
  // It waits for the next day when it is through.
  const isThrough = ({ runAt, state }: JobRow) => state === 'waiting' && runAt > new Date().toISOString()
  await vi.waitFor(async () => expect((await listJobs(kit.db, { kind })).every(isThrough)).toBe(true), {
    timeout: 60_000,
  })
  await worker.stop()
  expect(await listJobs(kit.db, { kind })).toMatchObject([{ lastError: null }])
  return before - (await count())
}
