/**
 * The sample: Lectern's own guide, published as a site of the first organization, so that the first start has something to
 * show.
 *
 * 1. That it is wanted is noted in the transaction of the first start. It is made once the server listens, and until it
 *    is, every start tries again.
 * 2. It is made whole, in one transaction that takes the note away: whoever comes second, or after a crash, finds either
 *    everything or nothing.
 */
import { completeCustomization } from '../core/customization/complete.ts'
import type { ImportedFile } from '../core/import/tree.ts'
import { emptyContent } from '../core/revision/content.ts'
import { openContent } from '../store/content/content.ts'
import type { Database } from '../store/database.ts'
import { actAsUserId } from './act-as.ts'
import { revisionOf } from './content/at.ts'
import { commitMain } from './content/write/commit.ts'
import type { Environment } from './environment.ts'
import { Answer, type Base } from './handler.ts'
import { applyTree, noSteps } from './import/apply.ts'
import { readRepository } from './import/read-repository.ts'
import { named } from './named.ts'
import { noteSample, sampleNote, sampleTitle as title } from './sample-note.ts'
import { customizationHandlers } from './sites/customization/handlers.ts'
import { siteHandlers } from './sites/handlers.ts'
import { makeSpace } from './spaces/handlers.ts'

/** Makes the sample from the files of the guide, if it is wanted still; whether it did. */
export async function makeSample(
  { db, env }: { db: Database; env: Environment },
  files: () => Promise<readonly ImportedFile[]>,
): Promise<boolean> {
  const note = await sampleNote(db)
  if (!note || 'site' in note) return false
  const base = await actAsUserId({ db, env }, note.user, 'first-start')
  if (!base) return false
  const writer = openContent(db)
  const { content } = await applyTree(
    base,
    { writer, before: emptyContent(writer), remove: 'none', steps: noSteps },
    await readRepository(await files(), { threads: db.threads }),
  )
  return db.transaction(
    async (tx) => {
      const now = await sampleNote(tx)
      if (!now || 'site' in now) return false
      const inside: Base = { ...base, db: tx }
      const organization = await named(inside, 'organization', now.organization)
      const space = await named(
        inside,
        'space',
        (await makeSpace(inside, organization, { parent: null, title, emoji: '📖' }, undefined)).id,
      )
      const before = await revisionOf(tx, space.id, space.revisionId)
      await commitMain(inside, space, { writer, before, content, type: 'edits' })
      const site = await publishSite(inside, organization, space.id)
      await noteSample(tx, { site })
      return true
    },
    // Where spaces stand is changed under this lock, here as by everyone else.
    { lock: 'tree' },
  )
}

async function publishSite(
  base: Base,
  organization: Awaited<ReturnType<typeof named<'organization'>>>,
  space: string,
): Promise<string> {
  const call = { ...base, params: {}, query: {}, body: undefined }
  const made = await siteHandlers.createSite({ ...call, organization, body: { title, spaces: [space] } })
  const { id } = made instanceof Answer ? made.body : made
  const site = await named(base, 'site', id, { within: { organization } })
  await customizationHandlers.updateSiteCustomizationById({
    ...call,
    organization,
    site,
    body: sampleCustomization(base.env.urls.app),
  })
  await siteHandlers.publishSite({ ...call, organization, site })
  return id
}

/** A quiet look with a colour of its own. */
const sampleCustomization = (app: string) =>
  completeCustomization({
    title,
    styling: {
      theme: 'clean',
      primaryColor: { light: '#0f6e66', dark: '#5eead4' },
      tint: { color: { light: '#0f6e66', dark: '#5eead4' } },
      corners: 'rounded',
      font: 'Inter',
      monospaceFont: 'JetBrainsMono',
      sidebar: { background: 'default', list: 'line' },
      search: 'prominent',
    },
    favicon: { emoji: '📖' },
    header: { links: [{ title: 'API reference', to: { kind: 'url', url: `${app}/reference` }, links: [] }] },
    footer: { groups: [], copyright: 'The Lectern guide. Edit it, unpublish it, or delete it: it is yours.' },
    feedback: { enabled: true },
    pagination: { enabled: true },
  })
