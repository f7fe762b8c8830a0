/** Who calls, and by what they are known. */
import type { Scope } from '../core/expressions/evaluate.ts'
import type { CommitVersion } from '../store/database.ts'
import type { UserRow } from '../store/people/users.ts'
import type { Lifetime } from './sessions/session.ts'

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
  /** The database's when the request to the site came, which asks for several things: what held then holds for all of them. */
  commitVersion?: CommitVersion | undefined
}
