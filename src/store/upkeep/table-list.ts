/**
 * Every table, in an order in which rows can be put in: what a row refers to comes before it. Backups, restores, the mover
 * and the check walk this list; a table that is missing here does not compile, and a test holds it against the database.
 */
import type { Tables } from '../tables.ts'

/**
 * `rows`: belongs to a backup, row by row. `files`: chunks of files, which a backup carries as files. `derived`: made from
 * others (a search index), left out of backups; whoever derives it makes it again after a restore. `passing`: sessions and
 * what a sign-in needs on its way, left out too: what was revoked must not come back with a restore, so people sign in again.
 */
export type TableContent = 'rows' | 'files' | 'derived' | 'passing'

export const tableList: Readonly<Record<keyof Tables, TableContent>> = {
  setting: 'rows',
  user: 'rows',
  apiToken: 'rows',
  organization: 'rows',
  emailDomain: 'rows',
  member: 'rows',
  team: 'rows',
  teamMember: 'rows',
  invite: 'rows',
  collection: 'rows',
  space: 'rows',
  accessGrant: 'rows',
  job: 'rows',
  idempotency: 'rows',
  blob: 'files',
  blobChunk: 'files',
  revision: 'rows',
  treeNode: 'rows',
  document: 'rows',
  printed: 'derived',
  renderedPart: 'derived',
  renderedSpace: 'derived',
  rowVersion: 'derived',
  readText: 'derived',
  spaceDocument: 'rows',
  slugAlias: 'rows',
  link: 'rows',
  linkSpace: 'derived',
  linkPage: 'derived',
  linkTarget: 'derived',
  linkRow: 'derived',
  changeRequest: 'rows',
  contributor: 'rows',
  review: 'rows',
  requestedReviewer: 'rows',
  comment: 'rows',
  commentReply: 'rows',
  reaction: 'rows',
  event: 'rows',
  presence: 'derived',
  site: 'rows',
  siteSectionGroup: 'rows',
  siteSection: 'rows',
  siteSpace: 'rows',
  shareLink: 'rows',
  redirect: 'rows',
  visitorToken: 'rows',
  siteInsight: 'rows',
  pageFeedback: 'rows',
  openapiSpec: 'rows',
  openapiVersion: 'rows',
  importRun: 'rows',
  gitSync: 'rows',
  pathRedirect: 'rows',
  translation: 'rows',
  translatedText: 'rows',
  glossaryEntry: 'rows',
  searchSpace: 'derived',
  searchPage: 'derived',
  searchText: 'derived',
  searchWord: 'derived',
  sweepMark: 'derived',
  password: 'rows',
  ssoProvider: 'rows',
  ssoIdentity: 'rows',
  verifiedDomain: 'rows',
  session: 'passing',
  signinLink: 'passing',
  signinGuess: 'passing',
  ssoRequest: 'passing',
  // Kept: an assertion that was used stays used.
  ssoAssertion: 'rows',
}

/** Tables of the database that no list of ours names: the note of the migrations, and the engine's own. */
export const isOwnTable = (name: string): boolean =>
  name !== 'migration' && !derivedPrefixes.some((prefix) => name.startsWith(prefix))

/** A virtual table brings shadow tables along, all beginning with its name. */
const derivedPrefixes: readonly string[] = ['searchIndex']
