/** The engine that the operator has set up. */
import type { TranslateConfig } from '../config-translate.ts'
import { makeFetch } from '../fetch.ts'
import { deeplEngine } from './deepl.ts'
import type { TranslationEngine } from './engine.ts'
import { libreTranslateEngine } from './libretranslate.ts'
import { openAiEngine } from './openai.ts'
import { pseudoEngine } from './pseudo.ts'

/** A model may think for long about one request. */
const longestMilliseconds = 120_000

export function makeTranslator(config: TranslateConfig | undefined): TranslationEngine | undefined {
  if (config === undefined) return undefined
  // The address is the operator's own setting, and such engines often run beside us.
  const fetch = makeFetch({ allowPrivate: true, milliseconds: config.milliseconds ?? longestMilliseconds })
  switch (config.engine) {
    case 'pseudo':
      return pseudoEngine
    case 'deepl':
      return deeplEngine(fetch, config)
    case 'libretranslate':
      return libreTranslateEngine(fetch, config)
    case 'openai':
      return openAiEngine(fetch, config)
  }
}
