/**
 * Makes an imported tree the next revision of a space's main content, or of a change request: whole or not at all.
 *
 * Documents are stored some at a time before the transaction that moves the space on, so that it is short whatever was
 * imported. When somebody else moved the space on meanwhile, the tree is applied once more to what they made of it.
 */
import { fail } from '../../core/errors.ts'
import type { ImportedFile, ImportedTree, ImportProblem } from '../../core/import/tree.ts'
import { isSameContent } from '../../core/revision/content.ts'
import type { ChangeRequestRow } from '../../store/change-requests.ts'
import { openContent } from '../../store/content.ts'
import type { Connection, Database } from '../../store/database.ts'
import { putReadTexts, readTextsOf } from '../../store/imports/read-texts.ts'
import { putPathRedirects } from '../../store/imports/redirects.ts'
import type { RevisionRow } from '../../store/revisions.ts'
import { refuseClosed } from '../change-requests/status.ts'
import { revisionOf } from '../content/at.ts'
import { commitChangeRequest, commitMain } from '../content/write/commit.ts'
import { indexSpace } from '../content/write/index-space.ts'
import { named } from '../named.ts'
import { type Base, StalePreparation } from '../scope.ts'
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
  commit: <T>(work: (tx: Connection) => Promise<T>, options: { turn: string }) => Promise<T>
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
const readTextsAtOnce = 500
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

/** A docs repository into the main content of a space, searched and linked when it returns. */
export async function importRepository(
  base: Acting,
  space: Things['space'],
  files: readonly ImportedFile[],
  {
    replace,
    keep = false,
    strict = false,
    steps,
  }: { replace: boolean; keep?: boolean /** Whether a problem stops the import. */; strict?: boolean; steps: Steps },
): Promise<Imported & { revision: string }> {
  steps.begin('Reading', files.length)
  const tree = await readRepository(files, { onRead: () => steps.advance(1) })
  // What a wrong folder does not hold must not be taken for deleted.
  if (tree.texts.size === 0) throw fail('invalid_input', 'There is no Markdown in the folder.')
  if (strict && tree.problems.length > 0) throw new ImportProblems(tree.problems)
  const imported = await importTree(base, { space: space.id }, tree, {
    remove: replace ? 'all' : keep ? 'none' : 'own',
    steps,
    commit: (work, options) => base.db.transaction(work, options),
  })
  await indexSpace({ db: base.db, env: base.env, signal: new AbortController().signal }, space.id)
  return imported
}

async function importOnce(
  base: Acting,
  target: ImportTarget,
  tree: ImportedTree,
  { remove, steps, commit }: Importing,
): Promise<Imported & { revision: string }> {
  const { before } = await placeOf(base, target)
  const writer = openContent(base.db)
  const read = await readTextsOf(base.db, target.space)
  const { content, redirects, fresh, ...imported } = await applyTree(
    base,
    { writer, read, before: before.content, remove, steps },
    tree,
  )
  const isSame = isSameContent(before.content, content)
  steps.begin('Storing', undefined)
  if (!isSame) await writer.storeAhead(base.db)
  for (let at = 0; at < fresh.length; at += readTextsAtOnce)
    await base.db.transaction((tx) => putReadTexts(tx, target.space, fresh.slice(at, at + readTextsAtOnce)))
  const { added, changed, removed } = imported.pages
  const indexLater = added + changed + removed > mostIndexedAtOnce
  const revision = await commit(
    async (tx) => {
      const inside: Base = { ...base, db: tx, now: new Date().toISOString() }
      const { space, changeRequest, before: now } = await placeOf(inside, target)
      if (now.id !== before.id) throw new StalePreparation('The content has moved on.')
      if (!changeRequest) await putPathRedirects(tx, { spaceId: space.id, now: inside.now, redirects })
      if (isSame) return before
      const next = { writer, before, content, type: 'edits' as const }
      return changeRequest
        ? commitChangeRequest(inside, space, changeRequest, next)
        : commitMain(inside, space, { ...next, indexLater })
    },
    { turn: target.space },
  )
  return { revision: revision.id, ...imported }
}

/** The target with the eyes of who imports, and the revision it is at. */
async function placeOf(
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
