/** LibreTranslate: texts go as HTML, so that it leaves tags alone. It takes no instructions. */
import { z } from 'zod'
import type { Language } from '../../core/languages.ts'
import type { GuardedFetch } from '../fetch.ts'
import { EngineError, type TranslationEngine } from './engine.ts'
import { postJson } from './post.ts'

const Answer = z.object({ translatedText: z.array(z.string()) })

const codes: Partial<Record<Language, string>> = { no: 'nb', 'pt-br': 'pt-BR' }

export const libreTranslateEngine = (
  fetch: GuardedFetch,
  { url, key }: { url: string; key: string | undefined },
): TranslationEngine => ({
  name: 'libretranslate',
  takesInstructions: false,
  limits: { texts: 25, characters: 5000 },
  async translate({ texts, from, to, signal }) {
    const answer = await postJson(fetch, {
      url: `${url}/translate`,
      body: {
        q: texts,
        source: codes[from] ?? from,
        target: codes[to] ?? to,
        format: 'html',
        ...(key === undefined ? {} : { api_key: key }),
      },
      signal,
    })
    const read = Answer.safeParse(answer)
    if (!read.success) throw new EngineError('unusable', 'The answer of LibreTranslate does not have its form.')
    return read.data.translatedText
  },
})
