/** A space brought in from a Git repository, and given back to one. */
import { z } from 'zod'
import { gitProviders, gitStates } from '../../core/enumerations.ts'
import { GET, POST } from '../operation.ts'
import { Flag, Id, S, Timestamp, WebUrl } from '../shapes.ts'
import { ImportFailure } from './imports.ts'
import { Revision } from './pages.ts'

/** An https address, with credentials or without; or a path on the server, below a folder that it allows. */
const RepositoryUrl = z
  .string()
  .max(2048)
  .regex(
    /^(?:https?:\/\/[^\s/?#]+\/[^\s?#]+|(?:file:\/\/)?\/[^\s?#\\]*)$/i,
    'must be an https address or an absolute path',
  )

/** Names as git allows them; what could be taken for an option or leads elsewhere is none. */
const Ref = z
  .string()
  .min(1)
  .max(250)
  .regex(
    /^(?![-/.])(?!.*(?:\.\.|\/\/|@\{|\.lock(?:\/|$)|\/\.|[./]$))[^\s~^:?*[\\\u0000-\u001f\u007f]+$/,
    'must be the name of a branch or tag',
  )

const Directory = z
  .string()
  .max(500)
  .regex(/^(?!.*(?:^|\/)\.{1,2}(?:\/|$))[^\\\u0000-\u001f\u007f]*$/, 'must be a folder within the repository')

const GitProvider = z.enum(gitProviders)

/** With its zone, so that two of them can be compared. */
const Moment = z.iso
  .datetime({ offset: true, error: 'must be an ISO 8601 date and time with its zone, such as 2026-11-18T18:00:00Z' })
  .max(40)

const Repository = {
  url: RepositoryUrl.describe(
    'Where the repository is: https, with a user name and token if it asks for them, or a path that the server allows.',
  ),
  ref: Ref.describe('A branch, such as `main` or `refs/heads/main`; an import takes a tag, too.'),
  repoTreeURL: WebUrl.optional().describe('Where its files are seen on the web: a path is put behind it.'),
  repoCommitURL: WebUrl.optional().describe('Where its commits are seen on the web: a commit is put behind it.'),
  repoProjectDirectory: Directory.optional().describe('The folder of the docs within the repository.'),
  timestamp: Moment.optional().describe(
    'When what causes this happened: what is older than the last one is left alone.',
  ),
  force: Flag.optional().describe('The side that is read wins where both have changed.'),
  standalone: Flag.optional().describe('Makes a revision, and leaves the main content as it is.'),
  gitInfo: z
    .object({ provider: GitProvider.optional().describe('Where the repository is hosted.'), url: WebUrl.optional() })
    .optional()
    .describe('What hosts the repository, and its page on the web.'),
}

export const GitImport = z.object(Repository)
export const GitExport = GitImport.omit({ standalone: true }).extend({
  commitMessage: z.string().min(1).max(10_000).describe('The message of the commit.'),
})

const GitSyncState = z
  .object({
    object: z.literal('git-sync'),
    repoName: z.string().optional(),
    installationProvider: GitProvider.optional(),
    url: z.string().optional().describe('The repository, without credentials.'),
    ref: z.string().optional(),
    repoProjectDirectory: z.string().optional().describe('The folder of the docs within the repository.'),
    commit: Revision.shape.git.describe('The commit that the content and the repository had in common last.'),
    revision: Id.optional().describe('The content as it was then.'),
    operation: z.object({
      direction: z.enum(['import', 'export']).describe('Whether content comes from the repository or goes to it.'),
      state: z.enum(gitStates).describe('How far it is.'),
      error: z.object({ message: z.string() }).optional(),
      failures: z.array(ImportFailure).describe('What was left out, each with the reason.'),
      revision: Id.optional().describe('The revision that it made.'),
      startedAt: Timestamp.describe('When it began.'),
      updatedAt: Timestamp,
    }),
  })
  .meta({ id: 'GitSyncState' })

const fails = ['space_locked', 'space_translated', 'conflict', 'too_large'] as const

// biome-ignore format: a table reads best as one.
export const git = {
  getSpaceGitInfo:       GET (`${S}/git/info`,   'space.view',           { ok: GitSyncState, summary: 'How a space and its repository stand; 404 while it has none' }),
  importGitRepository:   POST(`${S}/git/import`, 'space.triggerGitSync', { body: GitImport, fails, summary: 'Bring in what a repository has changed; waits up to two minutes for it', placed: true }),
  exportToGitRepository: POST(`${S}/git/export`, 'space.triggerGitSync', { body: GitExport, fails, summary: 'Commit what the space has changed; waits up to two minutes for it', placed: true }),
}
