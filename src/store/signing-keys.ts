/**
 * The keys that this installation signs with: the present one, and former ones that still verify until their time is over.
 *
 * The present key is the operator's (LECTERN_SECRET), and then it is stored nowhere; or one that was made at the first start
 * and lies among the settings.
 */
import type { Connection, Database } from './database.ts'
import { deleteSetting, ensureSetting, readSetting, writeSetting } from './settings.ts'

export interface FormerKey {
  key: string
  /** When it stops to verify; undefined for one that the operator names. */
  until?: string | undefined
}

export interface KeyRing {
  present: string
  former: FormerKey[]
}

/** How long a key that was replaced goes on verifying. */
export const graceDays = 7

const presentName = 'signing-key'
const formerName = 'signing-keys-former'

export interface KeyOptions {
  /** The operator's key, and the one before it. */
  given?: { present: string; former: string | undefined } | undefined
  newKey: () => string
  now: Date
}

export async function loadKeys(db: Database, { given, newKey, now }: KeyOptions): Promise<KeyRing> {
  if (!given) return { present: await ensureSetting(db, presentName, newKey), former: await formerKeys(db, now) }
  // What the stored key has signed is good for a while yet.
  if ((await readSetting(db, presentName)) !== undefined)
    await db.transaction((tx) => retireStoredKey(tx, { now, days: graceDays }), { lock: presentName })
  const named = given.former === undefined ? [] : [{ key: given.former }]
  return { present: given.present, former: [...named, ...(await formerKeys(db, now))] }
}

/** Replaces the stored key; the old one verifies for so many days. */
export const rotateStoredKey = (
  db: Database,
  { newKey, now, days }: { newKey: () => string; now: Date; days: number },
): Promise<void> =>
  db.transaction(
    async (tx) => {
      await retireStoredKey(tx, { now, days })
      await writeSetting(tx, presentName, newKey())
    },
    { lock: presentName },
  )

async function retireStoredKey(tx: Connection, { now, days }: { now: Date; days: number }): Promise<void> {
  const key = await readSetting(tx, presentName)
  if (key === undefined) return
  const until = new Date(now.getTime() + days * 24 * 60 * 60 * 1000).toISOString()
  const former = [{ key, until }, ...(await formerKeys(tx, now))]
  await writeSetting(tx, formerName, JSON.stringify(former))
  await deleteSetting(tx, { name: presentName })
}

/** Those whose time is not over. */
async function formerKeys(db: Connection, now: Date): Promise<FormerKey[]> {
  const stored: FormerKey[] = JSON.parse((await readSetting(db, formerName)) ?? '[]')
  return stored.filter(({ until }) => until === undefined || until > now.toISOString())
}
