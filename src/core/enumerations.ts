/**
 * Values that the database stores and the API shows under the same name. Each list stands here once: the contract checks by it, and
 * the types of rows come from it.
 */
/** From the most open to the least. */
export const siteVisibilities = ['public', 'unlisted', 'share-link', 'visitor-auth'] as const
export const pageTypes = ['document', 'group', 'link', 'computed'] as const
export const revisionTypes = ['edits', 'merge', 'rollback', 'update', 'computed'] as const
export const linkStatuses = ['ok', 'broken', 'in-app'] as const
export const changeRequestStatuses = ['draft', 'open', 'archived', 'merged'] as const
export const conflictChoices = ['ours', 'theirs', 'both'] as const
export const gitProviders = ['github', 'gitlab', 'github-legacy'] as const
export const gitStates = ['running', 'success', 'failure'] as const
export const importSources = [
  'website',
  'docx',
  'markdown',
  'html',
  'zip',
  'confluence',
  'github-wiki',
  'notion',
  'google-docs',
] as const
export const importStatuses = ['pending', 'in-progress', 'completed', 'failed', 'cancelled'] as const
/** What an import removes: pages that came the same way before, all others, or none. */
export const importRemovals = ['own', 'all', 'none'] as const
export const specStates = ['pending', 'progress', 'complete'] as const
export const specErrorCodes = ['FETCH_TIMEOUT', 'FETCH_ERROR', 'PARSE_ERROR'] as const
export const translationStatuses = ['pending', 'running', 'completed', 'failed'] as const
export const signInMethods = ['password', 'token', 'link', 'saml', 'oidc'] as const
export const ratings = ['bad', 'ok', 'good'] as const
export const blockChangeKinds = ['same', 'added', 'removed', 'changed', 'moved'] as const
export const wordChangeKinds = ['same', 'added', 'removed'] as const

/** One of a list. */
export type OneOf<List extends readonly unknown[]> = List[number]
