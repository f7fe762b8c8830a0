/** Translations and entries of the glossary as the API shows them. */
import type { z } from 'zod'
import type { GlossaryEntry, Translation } from '../../contract/content/translations.ts'
import type { Permissions } from '../../core/permissions.ts'
import type { Urls } from '../../core/urls.ts'
import type { GlossaryEntryRow, TranslationRow } from '../../store/content/translations.ts'

export function presentTranslation(
  row: TranslationRow,
  { urls, permissions }: { urls: Urls; permissions: Permissions<'translation'> },
): z.output<typeof Translation> {
  const { resultSpaceId, resultRevisionId, language } = row
  return {
    object: 'translation',
    id: row.id,
    status: row.status,
    ...(row.error === null ? {} : { error: { message: row.error } }),
    source: { space: row.sourceSpaceId, language: row.sourceLanguage },
    language,
    instructions: JSON.parse(row.instructions),
    ...(resultSpaceId === null || resultRevisionId === null
      ? {}
      : { result: { space: resultSpaceId, revision: resultRevisionId, language } }),
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    stats: {
      runs: row.runs,
      totalWords: row.totalWords,
      totalPages: row.totalPages,
      totalDuration: row.totalDuration,
      latestRunDuration: row.latestRunDuration,
      latestPages: row.latestPages,
      latestWords: row.latestWords,
    },
    permissions: { view: permissions.view, edit: permissions.edit },
    urls: { location: urls.translation(row.organizationId, row.id) },
  }
}

export const presentEntry = (row: GlossaryEntryRow, { urls }: { urls: Urls }): z.output<typeof GlossaryEntry> => ({
  object: 'translation-glossary-entry',
  id: row.id,
  term: row.term,
  translations: JSON.parse(row.translations),
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
  urls: { location: urls.glossaryEntry(row.organizationId, row.id) },
})
