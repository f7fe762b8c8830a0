/** Translations: what is asked of them at once; `jobs/translation` makes them. */
import type { translations } from '../../contract/content/translations.ts'
import { assignKeys } from '../../core/document/tree/keys.ts'
import { makeDocument } from '../../core/document/tree/make.ts'
import { validateDocument } from '../../core/document/tree/validate.ts'
import { fail, invalid, invalidDocument } from '../../core/errors.ts'
import {
  countTranslations,
  deleteGlossaryEntry,
  deleteTranslation,
  findGlossaryEntry,
  findTranslationInto,
  type GlossaryEntryRow,
  insertGlossaryEntry,
  insertTranslation,
  listGlossary,
  listTranslations,
  type TranslationRow,
  translationsIn,
  updateGlossaryEntry,
  updateTranslation,
  wishWholeRun,
} from '../../store/content/translations.ts'
import type { OrganizationForUser } from '../../store/people/organizations.ts'
import { note } from '../events/note.ts'
import { Answer, type Base, type HandlersOf } from '../handler.ts'
import { listOf, listOfArray } from '../lists.ts'
import { named } from '../named.ts'
import { translationPermissions } from '../things.ts'
import { enqueueRun, followRules } from './follow.ts'
import { presentEntry, presentTranslation } from './present.ts'

const mostTranslations = 1000

export const translationHandlers: HandlersOf<typeof translations> = {
  async listTranslations({ organization, query, ...base }) {
    return listOf({
      base,
      name: `translations:${organization.id}`,
      query,
      rows: (page) => listTranslations(base.db, organization.id, page),
      count: () => countTranslations(base.db, organization.id),
      keyOf: (row) => ({ key: row.createdAt, id: row.id }),
      present: (row) => shown(base, organization, row),
    })
  },

  async createTranslation({ organization, body, ...base }) {
    const { source, language } = body
    if (source.language === language) throw invalid('language', 'must be another than the language of the source')
    const space = await named(base, 'space', source.space)
    if (space.organizationId !== organization.id)
      throw fail('not_found', `There is no space ${source.space} in this organization.`)
    if (await findTranslationInto(base.db, { sourceSpaceId: space.id, language }))
      throw invalid('language', 'is one that the space is translated into already')
    if ((await countTranslations(base.db, organization.id)) >= mostTranslations)
      throw fail('conflict', `An organization has at most ${mostTranslations} translations.`)
    const row: TranslationRow = {
      ...emptyTranslation,
      id: base.env.newId(),
      organizationId: organization.id,
      sourceSpaceId: space.id,
      sourceLanguage: source.language,
      language,
      instructions: JSON.stringify(body.instructions ? readInstructions(body.instructions) : makeDocument([])),
      actorId: base.actor.user.id,
      createdAt: base.now,
      updatedAt: base.now,
    }
    await insertTranslation(base.db, row)
    await enqueueRun(base.db, row.id)
    await noteTranslation(base, row, 'translation_created')
    return shown(base, organization, row)
  },

  async getTranslation({ organization, translation, ...base }) {
    return shown(base, organization, translation)
  },

  async updateTranslation({ organization, translation, body, ...base }) {
    const instructions = JSON.stringify(readInstructions(body.instructions))
    if (instructions === translation.instructions) return shown(base, organization, translation)
    // Whoever wants it otherwise is who the next runs act for.
    const change = { instructions, actorId: base.actor.user.id, updatedAt: base.now }
    await updateTranslation(base.db, translation.id, change)
    await followRules(base.db, [translation.id], base.now)
    await noteTranslation(base, translation, 'translation_updated', { changed: ['instructions'] })
    const status = translation.status === 'running' ? 'running' : 'pending'
    return shown(base, organization, { ...translation, ...change, status })
  },

  async deleteTranslation({ translation, ...base }) {
    await deleteTranslation(base.db, { id: translation.id })
    await noteTranslation(base, translation, 'translation_deleted')
    return new Answer(undefined, { status: 205 })
  },

  async runTranslation({ translation, ...base }) {
    await updateTranslation(base.db, translation.id, { actorId: base.actor.user.id })
    await wishWholeRun(base.db, { id: translation.id, now: base.now })
    await enqueueRun(base.db, translation.id)
    await noteTranslation(base, translation, 'translation_run')
    return undefined
  },

  async listTranslationsGlossary({ organization, query, ...base }) {
    return shownGlossary(base, organization.id, query)
  },

  async updateTranslationsGlossary({ organization, body, ...base }) {
    const known = new Map(
      (await listGlossary(base.db, { organizationId: organization.id })).map((row) => [row.term, row]),
    )
    const wanted = new Map<string, string>()
    for (const [index, { term, translations = {} }] of body.entries.entries()) {
      if (wanted.has(term)) throw invalid(`entries.${index}.term`, 'is there twice')
      wanted.set(term, JSON.stringify(translations))
    }
    const isSame =
      known.size === wanted.size && [...known.values()].every((row) => wanted.get(row.term) === row.translations)
    for (const row of known.values()) if (!wanted.has(row.term)) await deleteGlossaryEntry(base.db, { id: row.id })
    for (const [term, translations] of wanted)
      await putEntry(base, organization.id, known.get(term), term, translations)
    const translations = isSame ? [] : await translationsIn(base.db, { organizationId: organization.id })
    await followRules(
      base.db,
      translations.map(({ id }) => id),
      base.now,
    )
    await note(base, {
      organizationId: organization.id,
      action: 'translation_glossary_updated',
      target: { type: 'organization', id: organization.id },
      data: { entries: wanted.size },
    })
    return shownGlossary(base, organization.id, { limit: wanted.size + 1 })
  },

  async getTranslationsGlossaryEntry({ organization, params, ...base }) {
    const row = await findGlossaryEntry(base.db, { organizationId: organization.id, id: params.entryId })
    if (!row) throw fail('not_found', 'The glossary has no such entry.')
    return presentEntry(row, base.env)
  },
}

const emptyTranslation = {
  status: 'pending',
  error: null,
  resultSpaceId: null,
  resultRevisionId: null,
  sourceRevisionId: null,
  untranslated: '[]',
  runs: 0,
  totalWords: 0,
  totalPages: 0,
  totalDuration: 0,
  latestRunDuration: 0,
  latestPages: 0,
  latestWords: 0,
  wishes: 0,
  wishesMet: 0,
} as const

const shown = ({ env }: Base, organization: OrganizationForUser, row: TranslationRow) =>
  presentTranslation(row, { urls: env.urls, permissions: translationPermissions(organization) })

/** They go with every request to an engine: a page of them is enough. */
const mostInstructions = 5000

function readInstructions(value: unknown) {
  const read = validateDocument(value, { maxSize: mostInstructions })
  if (read.ok) return assignKeys(read.document)
  throw invalidDocument('instructions', read.problem)
}

const shownGlossary = async (base: Base, organizationId: string, query: { page?: string | undefined; limit: number }) =>
  listOfArray({
    base,
    name: `glossary:${organizationId}`,
    query,
    rows: await listGlossary(base.db, { organizationId }),
    keyOf: (row) => [row.term, row.id],
    present: (row) => presentEntry(row, base.env),
  })

async function putEntry(
  { db, env, now }: Base,
  organizationId: string,
  known: GlossaryEntryRow | undefined,
  term: string,
  translations: string,
): Promise<void> {
  if (known?.translations === translations) return
  if (known) return void (await updateGlossaryEntry(db, known.id, { translations, updatedAt: now }))
  await insertGlossaryEntry(db, { id: env.newId(), organizationId, term, translations, createdAt: now, updatedAt: now })
}

const noteTranslation = (
  base: Base,
  row: TranslationRow,
  action: 'translation_created' | 'translation_updated' | 'translation_deleted' | 'translation_run',
  data: Record<string, unknown> = {},
): Promise<number> =>
  note(base, {
    organizationId: row.organizationId,
    action,
    target: { type: 'translation', id: row.id },
    data: { space: row.sourceSpaceId, language: row.language, ...data },
  })
