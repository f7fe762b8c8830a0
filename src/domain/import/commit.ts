/**
 * Makes an imported tree the next revision of a space's main content, or of a change request: whole or not at all.
 *
 * Documents are stored some at a time before the transaction that moves the space on, so that it is short whatever was
 * imported. When somebody else moved the space on meanwhile, the tree is applied once more to what they made of it.
 */
import { printerVersion } from '../../core/document/printer-version.ts'
import { fail } from '../../core/errors.ts'
import type { ImportedFile, ImportedTree, ImportProblem } from '../../core/import/tree.ts'
import { type Content, isSameContent, pageById } from '../../core/revision/content.ts'
import type { ChangeRequestRow } from '../../store/content/change-requests.ts'
import { type ContentWriter, openContent } from '../../store/content/content.ts'
import type { RevisionRow } from '../../store/content/revisions.ts'
import type { Connection, Database } from '../../store/database.ts'
import { putReadTexts, readTextsOf } from '../../store/imports/read-texts.ts'
import { putPathRedirects } from '../../store/imports/redirects.ts'
import { storePrinted } from '../../store/packed/printed.ts'
import { refuseClosed } from '../change-requests/status.ts'
import { revisionOf } from '../content/at.ts'
import { printPages } from '../content/markdown/print-ahead.ts'
import { mergeContents } from '../content/merge/merge.ts'
import { commitChangeRequest, commitMain, storeBeside } from '../content/write/commit.ts'
import { noteExtracts } from '../content/write/fresh-extracts.ts'
import { IndexLease } from '../content/write/index-job.ts'
import { indexSpace, longStepMilliseconds } from '../content/write/index-space.ts'
import { requireSpecsSeenIn } from '../content/write/specs-seen.ts'
import { type Base, StalePreparation } from '../handler.ts'
import { named } from '../named.ts'
import type { Things } from '../things.ts'
import { applyTree, type Imported, type Removing, type Steps } from './apply.ts'
import { readRepository } from './read-repository.ts'

/** Where a tree goes. */
export interface ImportTarget {
  space: string
  changeRequest?: string | undefined
}

export interface Importing {
  remove: Removing
  steps: Steps
  /** Opens the transaction that moves the space on, and may do more in it. */
  commit: (work: (tx: Connection) => Promise<CommittedImport>, options: { lock: string }) => Promise<CommittedImport>
  /** The content that source and target had in common last: what both changed since is brought together. */
  since?: { revision: string; content: Content } | undefined
  /** JSON: the commit that the tree was read from. */
  git?: string | undefined
  /** Whether the main content stays as it is, and only a revision is made. */
  standalone?: boolean | undefined
}

export interface CommittedImport {
  revision: RevisionRow
  /** The revision that holds exactly what the source does. */
  common: string
}

/** What a strict import is refused for. */
export class ImportProblems extends Error {
  override name = 'ImportProblems'
  readonly problems: readonly ImportProblem[]

  constructor(problems: readonly ImportProblem[]) {
    super('The folder has problems, and nothing was imported.')
    this.problems = problems
  }
}

type Acting = Omit<Base, 'db'> & { db: Database }

/** With more changed pages than this, search and links follow in steps of their own. */
const mostIndexedAtOnce = 50
const readTextsAtOnce = 50
/** How often the tree is applied again because others keep changing the same content. */
const mostAttempts = 5

export async function importTree(
  base: Acting,
  target: ImportTarget,
  tree: ImportedTree,
  importing: Importing,
): Promise<Imported & { /** The present one when nothing changed. */ revision: string }> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await importOnce(base, target, tree, importing)
    } catch (error) {
      if (!(error instanceof StalePreparation) || attempt === mostAttempts) throw error
    }
  }
}

export interface FolderImport {
  remove: Removing
  /** Whether a problem stops the import. */
  strict: boolean
  steps: Steps
  /** What it is imported as, where it is not what is synchronised with a repository. */
  origin?: string | undefined
  isOriginGiven?: boolean | undefined
}

/** A folder of docs into a space or change request, searched and linked when it returns. */
export async function importRepository(
  base: Acting,
  target: ImportTarget,
  files: readonly ImportedFile[],
  { remove, strict, steps, origin, isOriginGiven }: FolderImport,
): Promise<Imported & { revision: string }> {
  steps.begin('Reading', files.length)
  const tree = await readRepository(files, { threads: base.db.threads, origin, onRead: () => steps.advance(1) })
  // What a wrong folder does not hold must not be taken for deleted.
  if (tree.texts.size === 0) throw fail('invalid_input', 'There is no Markdown in the folder.')
  if (strict && tree.problems.length > 0) throw new ImportProblems(tree.problems)
  const indexLease = new IndexLease()
  const imported = await importTree(
    base,
    target,
    { ...tree, isOriginGiven },
    {
      remove,
      steps: strict ? { ...steps, tell: refuseProblem } : steps,
      commit: (work, options) =>
        base.db.transaction(async (tx) => {
          const committed = await work(tx)
          if (target.changeRequest === undefined) await indexLease.take(tx, target.space)
          return committed
        }, options),
    },
  )
  if (target.changeRequest === undefined)
    await indexLease.carryOut(base.db, () =>
      indexSpace({ db: base.db, env: base.env, signal: new AbortController().signal }, target.space, {
        wantedMilliseconds: longStepMilliseconds,
        afterStep: (pages) => printPages(base.db, target.space, pages),
      }),
    )
  return imported
}

function refuseProblem(problem: ImportProblem): never {
  throw new ImportProblems([problem])
}

async function importOnce(
  base: Acting,
  target: ImportTarget,
  tree: ImportedTree,
  { remove, steps, commit, since, git, standalone = false }: Importing,
): Promise<Imported & { revision: string }> {
  const { space: into, before } = await resolveTarget(base, target)
  const writer = openContent(base.db)
  const start = since?.content ?? before.content
  const read = await readTextsOf(base.db, target.space)
  const applied = await applyTree(base, { writer, read, before: start, remove, steps }, tree)
  const { content: theirs, redirects, fresh, printed, extracts, ...imported } = applied
  const isMerge = !standalone && since !== undefined && !isSameContent(start, before.content)
  const content = isMerge ? await merged(writer, { base: start, ours: before.content, theirs }) : theirs
  const isSame = isSameContent(before.content, content)
  await requireSpecsSeenIn(base, into, { reader: writer, before: before.content, after: content })
  steps.begin('Storing', undefined)
  if (!isSame) await writer.storeAhead(base.db)
  for (let at = 0; at < fresh.length; at += readTextsAtOnce)
    await base.db.transaction((tx) => putReadTexts(tx, target.space, fresh.slice(at, at + readTextsAtOnce)), {
      derived: true,
    })
  // Behind their documents, which are stored.
  if (!isSame) await storePrinted(base.db, printerVersion, printed)
  const { added, changed, removed } = imported.pages
  const indexLater = !isSame && added + changed + removed > mostIndexedAtOnce
  // Before the commit, behind which a worker may begin at once.
  if (indexLater && !standalone && target.changeRequest === undefined)
    noteExtracts(base.db.caches, target.space, extracts)
  const { revision } = await commit(
    async (tx): Promise<CommittedImport> => {
      const inside: Base = { ...base, db: tx, now: new Date().toISOString() }
      const { space, changeRequest, before: now } = await resolveTarget(inside, target)
      if (now.id !== before.id) throw new StalePreparation('The content has moved on.')
      const next = { writer, before, content, type: 'edits' as const, git }
      if (standalone) return alone(await storeBeside(inside, space, next))
      if (!changeRequest) await putPathRedirects(tx, { spaceId: space.id, now: inside.now, redirects })
      const beside = { ...next, content: theirs, ...(since ? { parents: [since.revision] } : {}) }
      const common = isMerge ? await storeBeside(inside, space, beside) : undefined
      if (isSame) return { revision: before, common: common?.id ?? before.id }
      const parents = common ? { parents: [before.id, common.id] } : {}
      const revision = await (changeRequest
        ? commitChangeRequest(inside, space, changeRequest, next)
        : commitMain(inside, space, { ...next, ...parents, indexLater }))
      return { revision, common: common?.id ?? revision.id }
    },
    { lock: target.space },
  )
  return { revision: revision.id, ...imported }
}

const alone = (revision: RevisionRow): CommittedImport => ({ revision, common: revision.id })

/** Ours with what theirs changed; refused where both changed the same. */
async function merged(
  writer: ContentWriter,
  sides: { base: Content; ours: Content; theirs: Content },
): Promise<Content> {
  const { content, conflicts } = await mergeContents(writer, sides)
  if (conflicts.length === 0) return content
  const titles = new Set<string>()
  for (const conflict of conflicts.slice(0, 50)) {
    const page = 'page' in conflict ? await pageById(writer, content, conflict.page) : undefined
    if (page) titles.add(page.title)
  }
  const named = [...titles].slice(0, 5).map((title) => `“${title}”`)
  const what =
    named.length === 0 ? 'the same' : `the same of ${named.join(', ')}${titles.size > 5 ? ' and others' : ''}`
  throw fail('conflict', `The space and the repository have both changed ${what}. With \`force\` the repository wins.`)
}

/** The target with the eyes of who imports, and the revision it is at. */
async function resolveTarget(
  base: Base,
  target: ImportTarget,
): Promise<{ space: Things['space']; changeRequest?: ChangeRequestRow; before: RevisionRow }> {
  const space = await named(base, 'space', target.space, { ability: 'edit' })
  if (target.changeRequest === undefined) {
    if (space.editMode === 'locked') throw fail('space_locked')
    return { space, before: await revisionOf(base.db, space.id, space.revisionId) }
  }
  const changeRequest = await named(base, 'changeRequest', target.changeRequest, { within: { space } })
  refuseClosed(changeRequest)
  return { space, changeRequest, before: await revisionOf(base.db, space.id, changeRequest.revisionId) }
}
