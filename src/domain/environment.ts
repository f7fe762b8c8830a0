/** What the process gives to every handler and job, beside the database. */
import type { BlobStore } from '../core/blobs.ts'
import type { Urls } from '../core/urls.ts'
import type { CachedFiles } from '../platform/cached-files.ts'
import type { GuardedFetch } from '../platform/fetch.ts'
import type { ImportConfig } from '../platform/imports/config.ts'
import type { Mail } from '../platform/mail.ts'
import type { Oidc } from '../platform/oidc.ts'
import type { Passwords } from '../platform/passwords.ts'
import type { Saml } from '../platform/saml.ts'
import type { Signer } from '../platform/signer.ts'
import type { TranslationEngine } from '../platform/translate/engine.ts'
import type { Typeset } from '../platform/typeset/typeset.ts'
import type { Feed } from './events/feed.ts'

/** What every handler may use beside the database. */
export interface Environment {
  urls: Urls
  signer: Signer
  newId: () => string
  newToken: () => string
  newSecret: () => string
  hashSecret: (secret: string) => string
  passwords: Passwords
  saml: Saml
  oidc: Oidc
  /** Where the operator has set e-mail up. */
  mail?: Mail | undefined
  blobs: BlobStore
  /** Wakes streams of events. */
  feed: Feed
  /** Books that were made, and what makes them. */
  books: { typeset: Typeset; cached: CachedFiles }
  /** The one way to an address that somebody gave us. Never inside a transaction. */
  fetch: GuardedFetch
  hostnames: HostnameProofs
  /** Who may create organizations. */
  organizationCreators: 'admins' | 'anyone' | 'nobody'
  /** What translates, when the operator has set one up. Never inside a transaction. */
  translator?: TranslationEngine | undefined
  /** Aborted when the process begins to stop: nothing waits any longer than it must. */
  stopping?: AbortSignal | undefined
  /** What an import may take. */
  imports: ImportConfig
  /** From where repositories are taken. */
  git: { roots: readonly string[]; allowPrivate: boolean }
}

export interface HostnameProofs {
  /** Whether a site must prove that a host name is its owner's before it is served there. */
  needProof: boolean
  resolveTxt: (name: string) => Promise<string[][]>
}
