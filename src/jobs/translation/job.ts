/**
 * A run of a translation: brings the translated space up to the source, for the person who asked for it.
 *
 * What the engine answers is stored as it comes; the content is written at the end, in one transaction with the status and
 * the counts. A run that finds nothing changed since the last one asks nobody and writes no revision.
 */

import { z } from 'zod'
import { ApiError, fail } from '../../core/errors.ts'
import { languageNames } from '../../core/languages.ts'
import { type Content, isSameContent } from '../../core/revision/content.ts'
import { cutTo } from '../../core/text.ts'
import { actAsUserId } from '../../domain/act-as.ts'
import { revisionOf } from '../../domain/content/at.ts'
import { commitMain } from '../../domain/content/write/commit.ts'
import type { Base } from '../../domain/handler.ts'
import { named } from '../../domain/named.ts'
import { makeSpace } from '../../domain/spaces/handlers.ts'
import type { Things } from '../../domain/things.ts'
import { EngineError } from '../../platform/translate/engine.ts'
import { openContent } from '../../store/content/content.ts'
import { findRevision } from '../../store/content/revisions.ts'
import { findSpace, updateSpace } from '../../store/content/spaces.ts'
import { findTranslation, type TranslationRow, updateTranslation } from '../../store/content/translations.ts'
import type { Connection, Database } from '../../store/database.ts'
import { defineJob, type JobKind, type JobRun } from '../kinds.ts'
import { type Built, buildContent } from './build.ts'
import { openTexts } from './open-texts.ts'

const Payload = z.object({ translation: z.string() })
type Run = JobRun<z.output<typeof Payload>>
type Acting = Base & { db: Database }

/** `waitMilliseconds`: the first wait before an engine that is busy is asked again. */
export const makeTranslationJob = ({ waitMilliseconds = 1000 } = {}): JobKind =>
  defineJob({
    payload: Payload,
    // A large space by a slow engine; what was answered is kept whenever it ends.
    milliseconds: 6 * 60 * 60 * 1000,
    async run(job) {
      const row = await findTranslation(job.db, { id: job.payload.translation })
      if (!row) return
      try {
        await runTranslation(job, row, waitMilliseconds)
      } catch (error) {
        if (!(error instanceof ApiError) && !(error instanceof EngineError)) throw error
        await job.finish((tx) => tellFailure(tx, row.id, error.message))
      }
    },
    async failed(tx, { payload }, error) {
      if (await findTranslation(tx, { id: payload.translation }))
        await tellFailure(tx, payload.translation, error.message)
    },
  })

export const translation = makeTranslationJob()

const noEngine =
  'No translation engine is configured. Set LECTERN_TRANSLATE to openai, libretranslate or deepl, with LECTERN_TRANSLATE_URL and LECTERN_TRANSLATE_KEY, or to pseudo for a trial; then run the translation again.'

async function runTranslation(job: Run, row: TranslationRow, waitMilliseconds: number): Promise<void> {
  const { db, env } = job
  const began = performance.now()
  const engine = env.translator
  if (!engine) throw fail('conflict', noEngine)
  const base = await actAsUserId({ db, env }, row.actorId, job.id)
  if (!base) throw fail('forbidden', 'Who asked for the translation has no account any more. Run it again yourself.')
  await updateTranslation(db, row.id, { status: 'running', error: null })
  const source = await sourceSpace(base, row)
  const result = await resultSpace(base, row, source)
  const texts = await openTexts(job, row, { engine, waitMilliseconds })
  const writer = openContent(db)
  const head = await revisionOf(db, source.id, source.revisionId)
  const before = await revisionOf(db, result.id, result.revisionId)
  const built = await buildContent({
    db,
    writer,
    texts,
    sourceSpaceId: source.id,
    resultSpaceId: result.id,
    source: head.content,
    known: await knownContent(db, row, result),
    result: before.content,
    again: JSON.parse(row.untranslated),
  })
  await job.finish(
    async (tx) => {
      const inside: Base = { ...base, db: tx, now: new Date().toISOString() }
      const current = await findTranslation(tx, { id: row.id })
      if (!current) return
      const space = await named(inside, 'space', result.id, { ability: 'edit' })
      const { content } = built
      const revision = isSameContent(content, before.content)
        ? before
        : await commitMain(inside, space, { writer, before, content, type: 'edits', isTranslation: true })
      const milliseconds = Math.round(performance.now() - began)
      await updateTranslation(tx, row.id, {
        ...(await statusAfter(tx, { row, current, head: head.id }, built)),
        sourceRevisionId: head.id,
        // What was wanted meanwhile is for the next run.
        wishesMet: row.wishes,
        resultRevisionId: revision.id,
        untranslated: JSON.stringify([...built.untranslated.keys()].slice(0, 10_000)),
        runs: current.runs + 1,
        totalPages: current.totalPages + built.pages,
        totalDuration: current.totalDuration + milliseconds,
        latestRunDuration: milliseconds,
        latestPages: built.pages,
        latestWords: texts.words,
        updatedAt: inside.now,
      })
    },
    { lock: result.id },
  )
}

/** Pending again when the source has moved on, or another run is wanted: a job for that waits already. */
async function statusAfter(
  tx: Connection,
  { row, current, head }: { row: TranslationRow; current: TranslationRow; head: string },
  { untranslated }: Built,
) {
  const [first] = untranslated
  const moved = (await findSpace(tx, { id: row.sourceSpaceId }))?.revisionId !== head || current.wishes !== row.wishes
  return {
    status: moved ? ('pending' as const) : ('completed' as const),
    error: first
      ? `${untranslated.size === 1 ? 'One page has' : `${untranslated.size} pages have`} texts that could not be translated and stand in the language of the source, such as the page ${first[0]}. ${first[1]}`
      : null,
  }
}

const tellFailure = (tx: Connection, id: string, message: string): Promise<unknown> =>
  updateTranslation(tx, id, { status: 'failed', error: cutTo(message, 1000), updatedAt: new Date().toISOString() })

async function sourceSpace(base: Acting, row: TranslationRow): Promise<Things['space']> {
  await named(base, 'organization', row.organizationId, { ability: 'admin' })
  const source = await named(base, 'space', row.sourceSpaceId)
  if (source.organizationId !== row.organizationId)
    throw fail('conflict', 'The space that is translated belongs to another organization now.')
  return source
}

/** The space that holds the translation, made by the first run: as private as the source is. */
async function resultSpace(base: Acting, row: TranslationRow, source: Things['space']): Promise<Things['space']> {
  const { resultSpaceId } = row
  if (resultSpaceId !== null) {
    const known = await findSpace(base.db, { id: resultSpaceId })
    if (known && known.deletedAt !== null)
      throw fail('conflict', 'The space that holds the translation is deleted. Restore it, or delete the translation.')
    if (known && known.organizationId !== row.organizationId)
      throw fail(
        'conflict',
        'The space that holds the translation belongs to another organization now. Delete the translation.',
      )
    return named(base, 'space', resultSpaceId, { ability: 'edit' })
  }
  const id = await base.db.transaction(
    async (tx) => {
      const inside: Base = { ...base, db: tx }
      const organization = await named(inside, 'organization', row.organizationId, { ability: 'admin' })
      const current = await findTranslation(tx, { id: row.id })
      if (current?.resultSpaceId) return current.resultSpaceId
      const given = {
        parent: source.parentId,
        title: titleFor(source.title, languageNames[row.language]),
        emoji: source.emoji,
        language: row.language,
      }
      const made = await makeSpace(inside, organization, given, undefined)
      await updateSpace(tx, made.id, { defaultLevel: source.defaultLevel })
      await updateTranslation(tx, row.id, { resultSpaceId: made.id, resultRevisionId: made.revisionId })
      return made.id
    },
    { lock: 'tree' },
  )
  return named(base, 'space', id, { ability: 'edit' })
}

const titleFor = (title: string, language: string): string => `${cutTo(title, 47 - language.length)} (${language})`

/** The source as the result stands for it, unless that is not kept any more or the result is not what the last run left. */
async function knownContent(
  db: Connection,
  row: TranslationRow,
  result: Things['space'],
): Promise<Content | undefined> {
  if (row.wishes !== row.wishesMet || row.resultRevisionId !== result.revisionId) return undefined
  if (row.sourceRevisionId === null) return undefined
  return (await findRevision(db, { id: row.sourceRevisionId, spaceId: row.sourceSpaceId }))?.content
}
