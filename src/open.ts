/** Opens the parts that the server and every command need, and joins them: database, files, keys, addresses. */
import type { BlobStore } from './core/blobs.ts'
import { Caches } from './core/caches.ts'
import { makeUrls } from './core/urls.ts'
import type { Environment } from './domain/environment.ts'
import { makeFeed } from './domain/events/feed.ts'
import { openBlobFolder } from './platform/blobs.ts'
import { openCachedFiles } from './platform/cached-files.ts'
import type { Config } from './platform/config.ts'
import { closeDataFolder, DataFolderError, refuseLostDatabase, refuseUnwritable } from './platform/data-folder.ts'
import { makeResolveTxt } from './platform/dns.ts'
import { makeFetch } from './platform/fetch.ts'
import { makeMail } from './platform/mail.ts'
import { cacheBytes } from './platform/memory.ts'
import { makeOidc } from './platform/oidc.ts'
import { makePasswords } from './platform/passwords.ts'
import { hashSecret, newId, newSecret, newToken } from './platform/random.ts'
import { makeSaml } from './platform/saml.ts'
import { keyOfSecret, makeSigner } from './platform/signer.ts'
import { makeTranslator } from './platform/translate/make.ts'
import { makeTypeset } from './platform/typeset/typeset.ts'
import { openBlobTable } from './store/content/blobs.ts'
import { type Database, isPostgres, openDatabase } from './store/database.ts'
import { loadKeys } from './store/signing-keys.ts'
import { migrate, stepOf } from './store/upkeep/migrate.ts'
import { listTables } from './store/upkeep/rows.ts'
import { Threads } from './threads/supervisor.ts'

export interface Opened {
  db: Database
  env: Environment
  blobs: BlobStore
  /** What is not as it should be, and can be lived with. */
  warnings: string[]
}

export async function open(config: Config, { patient = false } = {}): Promise<Opened> {
  const folder = folderOf(config)
  refuseLostDatabase(folder, { besideFiles: true })
  refuseUnwritable(folder)
  const warnings = closeDataFolder(folder)
  const caches = new Caches({ bytes: cacheBytes() })
  const threads = new Threads()
  const db = await openDatabase({ location: config.database, poolSize: config.poolSize, patient, caches, threads })
  await refuseForeign(db)
  await migrate(db)
  const keys = await loadKeys(db, { given: givenKeys(config), newKey: newSecret, now: new Date() })
  const blobs = openBlobs(db, config)
  const fetch = makeFetch({ allowPrivate: config.allowPrivateFetch })
  const env: Environment = {
    urls: makeUrls({ app: config.url, sites: config.sitesUrl }),
    signer: makeSigner(keys),
    newId,
    newToken,
    newSecret,
    hashSecret,
    passwords: makePasswords(),
    saml: makeSaml(),
    oidc: makeOidc({ fetch, allowsHttp: config.allowPrivateFetch, caches }),
    mail: makeMail({ url: config.smtpUrl, from: config.mailFrom }),
    blobs,
    feed: makeFeed(db),
    books: openBooks(config),
    fetch,
    translator: makeTranslator(config.translate),
    imports: config.imports,
    git: { roots: config.gitRoots, allowPrivate: config.allowPrivateFetch },
    organizationCreators: config.organizationCreators,
    hostnames: { needProof: config.hostnameProof, resolveTxt: makeResolveTxt() },
  }
  return { db, env, blobs, warnings }
}

const givenKeys = ({ secret, formerSecret }: Config) =>
  secret === undefined
    ? undefined
    : { present: keyOfSecret(secret), former: formerSecret === undefined ? undefined : keyOfSecret(formerSecret) }

export const folderOf = ({ data, database }: Config) => ({ data, file: isPostgres(database) ? undefined : database })

/** Another program's database is left alone. */
async function refuseForeign(db: Database): Promise<void> {
  // In this order: another process may be making the tables, and notes that in the same transaction.
  const tables = await listTables(db)
  if (tables.length === 0 || (await stepOf(db)) > 0) return
  await db.close()
  throw new DataFolderError(`The database belongs to something else: it holds tables that are not ours (${tables[0]}).`)
}

/** Books can be made again at any time, so each machine keeps its own. */
const openBooks = ({ data }: { data: string }): Environment['books'] => ({
  typeset: makeTypeset({ folder: `${data}/books` }),
  cached: openCachedFiles(`${data}/books/kept`),
})

/** Files lie beside SQLite, and inside PostgreSQL, where every host finds them. */
export const openBlobs = (db: Database, { data }: { data: string }): BlobStore =>
  db.engine === 'postgres' ? openBlobTable(db) : openBlobFolder(`${data}/blobs`)
