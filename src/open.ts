/** Opens the parts that the server and every command need, and joins them: database, keys, addresses. */
import { makeUrls } from './core/urls.ts'
import type { Environment } from './domain/scope.ts'
import type { Config } from './platform/config.ts'
import { hashSecret, newId, newSecret, newToken } from './platform/random.ts'
import { makeSigner } from './platform/signer.ts'
import { type Database, openDatabase } from './store/database.ts'
import { migrate } from './store/migrate.ts'
import { ensureSetting } from './store/settings.ts'

export interface Opened {
  db: Database
  env: Environment
}

export async function open(config: Config): Promise<Opened> {
  const db = await openDatabase({ location: config.database, poolSize: config.poolSize })
  await migrate(db)
  const key = await ensureSetting(db, 'signing-key', newSecret)
  const env: Environment = {
    urls: makeUrls({ app: config.url, sites: config.sitesUrl }),
    signer: makeSigner(key),
    newId,
    newToken,
    hashSecret,
  }
  return { db, env }
}
