/** Whether the sample is wanted, and where it is once it was made. Apart from its making, which few starts need. */
import type { Connection } from '../store/database.ts'
import { readSetting, writeSetting } from '../store/settings.ts'
import { findSite } from '../store/sites/sites.ts'
import type { Base } from './handler.ts'
import { publishedRoot } from './sites/published-address.ts'

const setting = 'sample'

export const sampleTitle = 'Lectern guide'
/** What the title makes of itself in an address, while no other site has it. */
const basename = 'lectern-guide'

/** Who and where it is made for; or the site, once it is there. */
export type SampleNote = { organization: string; user: string } | { site: string }

export async function sampleNote(db: Connection): Promise<SampleNote | undefined> {
  const value = await readSetting(db, setting)
  return value === undefined ? undefined : JSON.parse(value)
}

export const noteSample = (tx: Connection, note: SampleNote): Promise<void> =>
  writeSetting(tx, setting, JSON.stringify(note))

/** Where readers find it: now, or in a moment. Undefined where there is none, or not for everyone. */
export async function sampleUrl(
  { db, env }: Pick<Base, 'db' | 'env'>,
  { only }: { only?: 'there' } = {},
): Promise<string | undefined> {
  const note = await sampleNote(db)
  if (!note) return undefined
  if (!('site' in note)) return only === 'there' ? undefined : `${env.urls.sites}/${basename}`
  const site = await findSite(db, { id: note.site })
  return site?.visibility === 'public' ? publishedRoot(env.urls, site, undefined) : undefined
}
