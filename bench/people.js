// What lists and writes cost as an organization gets members and a space gets comments: rows put straight into the file,
// then asked for through the API.
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { caller } from './kit/call.js'
import { each, withGrowth } from './kit/each.js'
import { startLectern } from './kit/process.js'

const sizes = (process.env.SIZES ?? '10,1000,100000').split(',').map(Number)

export async function run() {
  const measured = []
  for (const size of sizes) measured.push(...(await measure(size)))
  return { rows: withGrowth(measured) }
}

async function measure(size) {
  const empty = await startLectern()
  const organization = (await caller(empty)('GET', '/orgs')).items[0].id
  const space = (await caller(empty)('POST', `/orgs/${organization}/spaces`, { title: 'People' })).id
  const comment = await caller(empty)('POST', `/spaces/${space}/comments`, { body: { markdown: 'First.' } })
  await empty.stop({ keep: true })
  multiply(join(empty.folder, 'lectern.db'), { organization, space, comment: comment.id, size })
  const server = await startLectern({ folder: empty.folder })
  const call = caller(server)
  const row = async (operation, thing, work) => ({
    name: `${operation} at ${size} ${thing}`,
    operation,
    size,
    ...(await each(server, 40, work)),
  })
  const O = `/orgs/${organization}`
  const rows = [
    // Another number each time: what is kept of answers would be measured otherwise.
    await row('list members', 'members', (i) => call('GET', `${O}/members?limit=10&n=${i}`)),
    await row('search members', 'members', (i) => call('GET', `${O}/members?search=person+${i}`)),
    await row('get member', 'members', (i) => call('GET', `${O}/members/person${(i * 7) % size}`)),
    await row('list comments', 'comments', (i) => call('GET', `/spaces/${space}/comments?limit=10&n=${i}`)),
    await row('post comment', 'comments', (i) =>
      call('POST', `/spaces/${space}/comments`, { body: { markdown: `Comment ${i}.` } }),
    ),
  ]
  await server.stop()
  return rows
}

/** So many members and comments, each a copy of the first but for what tells them apart. */
function multiply(file, { organization, space, comment, size }) {
  const db = new DatabaseSync(file)
  const copy = (table, changes, where) => {
    const columns = db
      .prepare(`select name from pragma_table_info('${table}')`)
      .all()
      .map(({ name }) => name)
    const values = columns.map((name) => changes[name] ?? `"${name}"`)
    db.exec(`with recursive n(i) as (select 0 union all select i + 1 from n where i + 1 < ${size})
      insert into "${table}" (${columns.map((name) => `"${name}"`).join(', ')})
      select ${values.join(', ')} from (select * from "${table}" where ${where} limit 1), n`)
  }
  const email = `'person' || i || '@example.org'`
  db.exec('begin')
  copy(
    'user',
    { id: `'person' || i`, email, displayName: `'Person ' || i`, folded: `'person ' || i || char(10) || ${email}` },
    'true',
  )
  copy('member', { userId: `'person' || i`, role: `'read'` }, `"organizationId" = '${organization}'`)
  copy(
    'comment',
    { id: `'comment' || i`, postedAt: `'2026-01-01T00:00:00.' || substr('000' || (i % 1000), -3) || 'Z'` },
    `"id" = '${comment}'`,
  )
  db.exec(`update "space" set "comments" = (select count(*) from "comment") where "id" = '${space}'`)
  db.exec('commit')
  db.close()
}
