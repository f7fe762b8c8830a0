/**
 * What a handler receives: everything its path names, loaded, visible and permitted, beside its parsed input.
 *
 * A loader turns a path parameter into the thing it names, as the caller meets it. A thing carries the caller's
 * permissions on it; one without `view` does not exist for them.
 */
import type { BodyOf, Fields, KindOf, Operation, ParamsOf, QueryOf, ResultOf } from '../contract/operation.ts'
import type { BlobStore } from '../core/blobs.ts'
import type { Scope } from '../core/expressions/evaluate.ts'
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
import type { Connection } from '../store/database.ts'
import type { UserRow } from '../store/people/users.ts'
import type { Feed } from './events/feed.ts'
import type { Client, Lifetime } from './sessions/session.ts'
import type { Things } from './things.ts'

/**
 * By what a caller is known: an API token, a session of a browser, a visit to a site, a job that works for somebody.
 * Limits are counted and answers are kept for a credential, and the audit log names it.
 */
export interface Credential {
  kind: 'token' | 'session' | 'visitor' | 'job'
  /** Of the token, the session, the site or the job. Never a secret. */
  id: string
}

/** One text for a credential, for use as a key. */
export const keyOfCredential = ({ kind, id }: Credential): string => `${kind} ${id}`

/** Who calls. */
export interface Actor {
  user: UserRow
  credential: Credential
  /** How the session of a browser stands. */
  session?: ActorSession | undefined
  /** Someone who reads a published site, and has no account: `user` is nobody. */
  visitor?: Visit | undefined
}

/** What is known of the session a browser shows. */
export interface ActorSession extends Lifetime {
  hash: string
  /** Organizations of the account that ask for a single sign-on which this session did not come from. */
  shutOut: ReadonlySet<string>
}

/** What a visitor was let into: the site, and of it what their claims admit. Nothing else is there for them. */
export interface Visit {
  siteId: string
  organizationId: string
  /** The spaces of the site that they see. */
  spaces: ReadonlySet<string>
  /** What conditions know of them. */
  scope: Scope
  /** With which they came, on a site behind share links. */
  shareKey?: string | undefined
  /** The revision that a preview of a change request shows, by the id of its space. */
  drafts?: ReadonlyMap<string, string> | undefined
}

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
  books: { typeset: Typeset; kept: CachedFiles }
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

export interface Base {
  /** Aborted when nobody waits for the answer any more; only streams have it. */
  signal?: AbortSignal | undefined
  /** The open transaction of a write; the database itself for a GET. */
  db: Connection
  /** For reads that may take long. */
  slow: Connection
  env: Environment
  actor: Actor
  /** The network address the request came from; a job has none. */
  address?: string | undefined
  /** The browser or program it came from; a job has none. */
  client?: Client | undefined
  /** The time of the request: one moment for everything it writes. */
  now: string
}

/** The kinds of things that are loaded for a row: all that its path names, but one that the handler looks for itself. */
type Loaded<Kind, F extends Fields> = Exclude<
  Extract<Kind, keyof Things>,
  F['unloaded'] extends string ? F['unloaded'] : never
>

type ThingsIn<Path extends string, F extends Fields> = {
  [K in Loaded<KindOf<ParamsOf<Path>, Path>, F>]: Things[K]
}

/** Parameters that are no thing but plain text. */
type TextIn<Path extends string, F extends Fields> = {
  [P in ParamsOf<Path> as [Loaded<KindOf<P, Path>, F>] extends [never] ? P : never]: string
}

export type Call<Path extends string, F extends Fields> = Base &
  ThingsIn<Path, F> & { params: TextIn<Path, F>; query: QueryOf<F>; body: BodyOf<F> }

/** A body that is there as JSON already: what is large and was stored as text is not read and written again. */
export class JsonText {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  toJSON(): unknown {
    return JSON.parse(this.text)
  }
}

export interface NewSession {
  secret: string
  expiresAt: string
}

/** A result with a status or headers of its own, where the row's success is not the whole story. */
export class Answer<T> {
  readonly body: T
  readonly status: number | undefined
  readonly headers: Record<string, string>
  /** The session that the browser has from now on; null ends the one it had. */
  readonly session: NewSession | null | undefined

  constructor(
    body: T,
    options: { status?: number; headers?: Record<string, string>; session?: NewSession | null } = {},
  ) {
    this.body = body
    this.status = options.status
    this.headers = options.headers ?? {}
    this.session = options.session
  }
}

export type Handler<Row> =
  Row extends Operation<infer Path, infer F>
    ? (call: Call<Path, F>) => Promise<F['stored'] extends true ? JsonText : ResultOf<F> | Answer<ResultOf<F>>>
    : never

/**
 * Thrown by the second step of a write when what the first found does not count any more, because the content has moved on
 * between the two. The first step is then done again, outside of any transaction, and told what it had found.
 */
export class StalePreparation extends Error {
  override name = 'StalePreparation'
}

/**
 * A write in two steps: `prepare` does what may take long (parsing, fetching, storing bytes) with no transaction open, and
 * `commit` does the rest inside one. What the path names is loaded and checked before each.
 */
export function phased<Path extends string, F extends Fields, Prepared>(
  _row: Operation<Path, F>,
  steps: {
    prepare: (call: Call<Path, F>, stale?: Prepared) => Promise<Prepared>
    commit: (call: Call<Path, F>, prepared: Prepared) => Promise<ResultOf<F> | Answer<ResultOf<F>>>
  },
): (call: Call<Path, F>) => Promise<ResultOf<F> | Answer<ResultOf<F>>> {
  const whole = async (call: Call<Path, F>) => steps.commit(call, await steps.prepare(call))
  return Object.assign(whole, { steps })
}

/** The handlers of a table; rows that repeat another at a second path share its handler. */
export type HandlersOf<Table> = {
  [Name in keyof Table as Table[Name] extends { twinOf: Operation } ? never : Name]: Handler<Table[Name]>
}
