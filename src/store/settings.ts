/** Small facts the whole installation shares, such as the keys it signs with. */
import type { Connection } from './database.ts'
import { first, run } from './query.ts'

const find = first((b, p: { name: string }) => b.selectFrom('setting').select('value').where('name', '=', p.name))

const insert = run((b, p: { name: string; value: string }) =>
  b
    .insertInto('setting')
    .values({ name: p.name, value: p.value })
    .onConflict((oc) => oc.doNothing()),
)

const replace = run((b, p: { name: string; value: string }) =>
  b
    .insertInto('setting')
    .values({ name: p.name, value: p.value })
    .onConflict((oc) => oc.column('name').doUpdateSet({ value: p.value })),
)

export const deleteSetting = run((b, p: { name: string }) => b.deleteFrom('setting').where('name', '=', p.name))

export const readSetting = async (db: Connection, name: string): Promise<string | undefined> =>
  (await find(db, { name }))?.value

/** The setting's value; `make` makes it the first time. Processes that start at once agree on the same value. */
export async function ensureSetting(db: Connection, name: string, make: () => string): Promise<string> {
  const known = await readSetting(db, name)
  if (known !== undefined) return known
  await insert(db, { name, value: make() })
  const value = await readSetting(db, name)
  if (value === undefined) throw new Error(`The setting ${name} could not be stored.`)
  return value
}

export async function writeSetting(tx: Connection, name: string, value: string): Promise<void> {
  await replace(tx, { name, value })
}
