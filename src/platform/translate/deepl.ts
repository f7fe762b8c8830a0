/** DeepL: tags are its own business (`tag_handling`), instructions go as context. */
import { z } from 'zod'
import type { Language } from '../../core/languages.ts'
import type { GuardedFetch } from '../fetch.ts'
import { EngineError, type TranslationEngine } from './engine.ts'
import { postJson } from './post.ts'

const Answer = z.object({ translations: z.array(z.object({ text: z.string() })) })

const sources: Partial<Record<Language, string>> = { no: 'NB', 'pt-br': 'PT' }
const targets: Partial<Record<Language, string>> = {
  no: 'NB',
  en: 'EN-US',
  pt: 'PT-PT',
  'pt-br': 'PT-BR',
  zh: 'ZH-HANS',
}

export const deeplEngine = (fetch: GuardedFetch, { url, key }: { url: string; key: string }): TranslationEngine => ({
  name: 'deepl',
  takesInstructions: true,
  limits: { texts: 50, characters: 20_000 },
  async translate({ texts, from, to, instructions, signal }) {
    const answer = await postJson(fetch, {
      url: `${url}/v2/translate`,
      headers: { authorization: `DeepL-Auth-Key ${key}` },
      body: {
        text: texts,
        source_lang: sources[from] ?? from.toUpperCase(),
        target_lang: targets[to] ?? to.toUpperCase(),
        tag_handling: 'xml',
        split_sentences: 'nonewlines',
        preserve_formatting: true,
        ...(instructions === '' ? {} : { context: instructions }),
      },
      signal,
    })
    const read = Answer.safeParse(answer)
    if (!read.success) throw new EngineError('unusable', 'The answer of DeepL does not have its form.')
    return read.data.translations.map(({ text }) => text)
  },
})
