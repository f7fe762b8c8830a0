/**
 * Once a day, forgets stored translations of texts that no page of the source holds any more, or not in that way: other
 * instructions, another glossary or another engine give other texts. A translation that is not at rest is left for the next
 * day, and so is one whose run begins meanwhile: what it was just answered must not be asked for again.
 */
import type { Environment } from '../../domain/environment.ts'
import { openContent } from '../../store/content/content.ts'
import { findRevision } from '../../store/content/revisions.ts'
import {
  deleteTexts,
  findTranslation,
  nextCompleted,
  storedHashes,
  type TranslationRow,
} from '../../store/content/translations.ts'
import type { Database } from '../../store/database.ts'
import type { JobKind } from '../kinds.ts'
import { wantAll } from './build.ts'
import { openTexts } from './open-texts.ts'

interface Parts {
  db: Database
  env: Pick<Environment, 'translator'>
  signal: AbortSignal
}

export const pruneTranslations: JobKind = {
  every: 24 * 60 * 60 * 1000,
  milliseconds: 60 * 60 * 1000,
  async run(job) {
    let after = ''
    for (let row = await nextCompleted(job.db, { after }); row; row = await nextCompleted(job.db, { after })) {
      job.signal.throwIfAborted()
      await pruneTexts(job, row)
      after = row.id
    }
  },
}

async function pruneTexts({ db, env, signal }: Parts, row: TranslationRow): Promise<void> {
  const { sourceRevisionId: id, sourceSpaceId: spaceId, resultSpaceId } = row
  if (!env.translator || id === null || resultSpaceId === null) return
  const source = (await findRevision(db, { id, spaceId }))?.content
  if (!source) return
  const texts = await openTexts({ db, signal }, row, { engine: env.translator })
  const used = new Set<string>()
  const building = { db, writer: openContent(db), texts, source, sourceSpaceId: spaceId, resultSpaceId }
  await wantAll(building, () => {
    signal.throwIfAborted()
    for (const hash of texts.takeWanted()) used.add(hash)
  })
  let after = ''
  for (;;) {
    const stored = (await storedHashes(db, { translationId: row.id, after })).map(({ hash }) => hash)
    const last = stored.at(-1)
    if (last === undefined) return
    const unused = stored.filter((hash) => !used.has(hash))
    if (unused.length > 0) {
      const isAtRest = await db.transaction(async (tx) => {
        const now = await findTranslation(tx, { id: row.id })
        if (now?.status !== 'completed' || now.runs !== row.runs || now.wishes !== row.wishes) return false
        await deleteTexts(tx, row.id, unused)
        return true
      })
      if (!isAtRest) return
    }
    after = last
  }
}
