/**
 * Writes without end, to be backed up and killed meanwhile: each transaction adds an account and its token, so that at any
 * moment there is one for one; now and then a file. Says what is committed. Environment: DATABASE_URL or LECTERN_DATA.
 */
import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { setUp } from '../../src/domain/setup.ts'
import { open } from '../../src/open.ts'
import { readConfig } from '../../src/platform/config.ts'
import { insertToken, insertUser } from '../../src/store/people/users.ts'

const { db, env } = await open(readConfig(process.env))
await setUp(db, env, { email: 'admin@example.com' })

async function writeForever(lane: number): Promise<void> {
  for (let number = 1; ; number++) {
    const createdAt = new Date().toISOString()
    const email = `w${lane}-${number}@example.com`
    const { hash } =
      number % 10 === 0
        ? await env.blobs.put(Readable.from([randomBytes(50_000)]), { limit: 1e6 })
        : { hash: `no-file-${lane}-${number}` }
    await db.transaction(async (tx) => {
      const user = await insertUser(tx, {
        id: env.newId(),
        displayName: `ü “${number}” 漢字 \u{1f600}`,
        email,
        createdAt,
      })
      await insertToken(tx, { id: env.newId(), userId: user.id, label: 'x'.repeat(2000), hash, createdAt })
    })
    process.stdout.write(`wrote ${email} ${hash}\n`)
  }
}

await Promise.all([1, 2, 3, 4].map(writeForever))
