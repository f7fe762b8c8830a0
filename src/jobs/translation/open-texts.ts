/** The texts of a translation, with the instructions and the glossary as they are now. */
import { toText } from '../../core/document/text/to-text.ts'
import type { Term } from '../../core/translation/protect.ts'
import type { TranslationEngine } from '../../platform/translate/engine.ts'
import { listGlossary, type TranslationRow } from '../../store/content/translations.ts'
import type { Connection } from '../../store/database.ts'
import { Texts } from './texts.ts'

export async function openTexts(
  { db, signal }: { db: Connection; signal: AbortSignal },
  row: TranslationRow,
  { engine, waitMilliseconds = 1000 }: { engine: TranslationEngine; waitMilliseconds?: number },
): Promise<Texts> {
  const glossary = await listGlossary(db, { organizationId: row.organizationId })
  const terms = glossary.map(({ term, translations }): Term => {
    const known: Record<string, string> = JSON.parse(translations)
    return { term, translation: known[row.language] ?? term }
  })
  return new Texts({
    db,
    engine,
    translationId: row.id,
    from: row.sourceLanguage,
    to: row.language,
    // An engine that takes none gives the same answers whatever they say.
    instructions: engine.takesInstructions ? toText(JSON.parse(row.instructions)).trim() : '',
    terms,
    signal,
    waitMilliseconds,
  })
}
