/** Opens the parts that the server and every command need, and joins them: database, files, keys, addresses. */
import type { BlobStore } from './core/blobs.ts'
import { makeUrls } from './core/urls.ts'
import type { Environment } from './domain/scope.ts'
import { openBlobFolder } from './platform/blobs.ts'
import type { Config } from './platform/config.ts'
import { makeResolveTxt } from './platform/dns.ts'
import { makeFetch } from './platform/fetch.ts'
import { hashSecret, newId, newSecret, newToken } from './platform/random.ts'
import { makeSigner } from './platform/signer.ts'
import { openBlobTable } from './store/blobs.ts'
import { type Database, openDatabase } from './store/database.ts'
import { migrate } from './store/migrate.ts'
import { ensureSetting } from './store/settings.ts'

export interface Opened {
  db: Database
  env: Environment
  blobs: BlobStore
}

export async function open(config: Config, { patient = false } = {}): Promise<Opened> {
  const db = await openDatabase({ location: config.database, poolSize: config.poolSize, patient })
  await migrate(db)
  const key = await ensureSetting(db, 'signing-key', newSecret)
  const blobs = openBlobs(db, config)
  const env: Environment = {
    urls: makeUrls({ app: config.url, sites: config.sitesUrl }),
    signer: makeSigner(key),
    newId,
    newToken,
    hashSecret,
    blobs,
    fetch: makeFetch({ allowPrivate: config.allowPrivateFetch }),
    hostnames: { needProof: config.hostnameProof, resolveTxt: makeResolveTxt() },
  }
  return { db, env, blobs }
}

/** Files lie beside SQLite, and inside PostgreSQL, where every host finds them. */
export const openBlobs = (db: Database, { data }: { data: string }): BlobStore =>
  db.engine === 'postgres' ? openBlobTable(db) : openBlobFolder(`${data}/blobs`)
