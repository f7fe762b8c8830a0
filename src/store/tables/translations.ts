/** Row types: translations of spaces, the texts they are made of, and the glossary. */

import type { OneOf, translationStatuses } from '../../core/enumerations.ts'
import type { Language } from '../../core/languages.ts'

export interface TranslationTable {
  id: string
  organizationId: string
  sourceSpaceId: string
  sourceLanguage: Language
  language: Language
  /** JSON: a document. */
  instructions: string
  status: OneOf<typeof translationStatuses>
  /** A sentence: why it failed, or what of a completed run could not be translated. */
  error: string | null
  resultSpaceId: string | null
  resultRevisionId: string | null
  /** The revision of the source that the result stands for. */
  sourceRevisionId: string | null
  /** JSON: ids of pages and reusable contents of which something is not translated yet. */
  untranslated: string
  runs: number
  totalWords: number
  totalPages: number
  totalDuration: number
  latestRunDuration: number
  latestPages: number
  latestWords: number
  /** How often every page was wanted to be looked at anew, and at how many of these wishes the result stands. */
  wishes: number
  wishesMet: number
  /** For whom its runs act: who made it, or who ran it by hand last. */
  actorId: string
  createdAt: string
  updatedAt: string
}

/** What the engine made of a text, under the hash of all that its answer depends on. */
export interface TranslatedTextTable {
  translationId: string
  hash: string
  text: string
}

export interface GlossaryEntryTable {
  id: string
  organizationId: string
  term: string
  /** JSON: words by language. */
  translations: string
  createdAt: string
  updatedAt: string
}
