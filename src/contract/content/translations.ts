/** Translations of spaces into other languages, and the glossary that all of them keep to. */
import { z } from 'zod'
import { translationStatuses } from '../../core/enumerations.ts'
import { languages } from '../../core/languages.ts'
import { JSONDocument } from '../../core/shapes.ts'
import { DELETE, GET, POST, PUT } from '../operation.ts'
import { Flag, Id, List, Location, O, P, Timestamp } from '../shapes.ts'

const TranslationLanguage = z.enum(languages).meta({ id: 'TranslationLanguage' })

const Source = z.object({
  space: Id.describe('The space that is translated.'),
  language: TranslationLanguage.describe('The language it is written in.'),
})

export const Translation = z
  .object({
    object: z.literal('translation'),
    id: Id,
    status: z.enum(translationStatuses),
    error: z
      .object({ message: z.string() })
      .optional()
      .describe('Why it failed; on a completed translation, what of it could not be translated.'),
    source: Source,
    language: TranslationLanguage,
    instructions: JSONDocument.describe(
      'What the engine is told beside the text: tone, form of address, and the like.',
    ),
    result: z
      .object({ space: Id, revision: Id, language: TranslationLanguage.optional() })
      .optional()
      .describe('The space that holds the translation.'),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    stats: z.object({
      runs: z.number().int(),
      totalWords: z.number().int().describe('Words that were sent to the engine, by all runs.'),
      totalPages: z.number().int(),
      totalDuration: z.number().int().describe('Milliseconds.'),
      latestRunDuration: z.number().int().describe('Milliseconds.'),
      latestPages: z.number().int(),
      latestWords: z.number().int(),
    }),
    permissions: z.object({ view: Flag, edit: Flag }),
    urls: Location,
  })
  .meta({ id: 'Translation' })

const Term = z.string().trim().min(1).max(200)

const NewEntry = z.object({
  term: Term,
  translations: z
    .partialRecord(TranslationLanguage, Term)
    .optional()
    .describe('What it is called, by language. In a language that is not named the term stays as it is.'),
})

export const GlossaryEntry = z
  .object({
    object: z.literal('translation-glossary-entry'),
    id: Id,
    term: z.string(),
    translations: z.partialRecord(TranslationLanguage, z.string()),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    urls: Location,
  })
  .meta({ id: 'TranslationGlossaryEntry' })

const NewTranslation = z.object({
  source: Source,
  language: TranslationLanguage,
  instructions: JSONDocument.optional(),
})
const Instructions = z.object({ instructions: JSONDocument })
const Glossary = z.object({ entries: z.array(NewEntry).max(1000) })

const ALL = `${O}/translations` as const
const ONE = `${O}/translations/{translationId}` as const
const GLOSSARY = `${O}/translations-glossary` as const

// biome-ignore format: held side by side with the specification, it matches line for line.
export const translations = {
  listTranslations:  GET   (ALL, 'organization.admin', { query: P, ok: List(Translation) }),
  createTranslation: POST  (ALL, 'organization.admin', { body: NewTranslation, created: Translation, fails: ['invalid_document', 'conflict'] }),
  getTranslation:    GET   (ONE, 'translation.view',   { ok: Translation }),
  updateTranslation: PUT   (ONE, 'translation.edit',   { body: Instructions, ok: Translation, fails: ['invalid_document'] }),
  deleteTranslation: DELETE(ONE, 'translation.edit',   { reset: true }),

  // Beyond the specification: a run by hand, and the glossary.
  runTranslation:              POST(`${ONE}/run`,          'translation.edit',   { summary: 'Translate again what has changed, and what could not be translated before.' }),
  listTranslationsGlossary:    GET (GLOSSARY,              'organization.admin', { query: P, ok: List(GlossaryEntry) }),
  updateTranslationsGlossary:  PUT (GLOSSARY,              'organization.admin', { body: Glossary, ok: List(GlossaryEntry), summary: 'Replace the glossary. It counts from the next run on.' }),
  getTranslationsGlossaryEntry: GET(`${GLOSSARY}/{entryId}`, 'organization.admin', { ok: GlossaryEntry }),
}
