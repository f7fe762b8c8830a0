/** The settings of the translation engine. */

export type TranslateConfig = { milliseconds?: number | undefined } & (
  | { engine: 'pseudo' }
  | { engine: 'deepl'; url: string; key: string }
  | { engine: 'libretranslate'; url: string; key: string | undefined }
  | { engine: 'openai'; url: string; key: string | undefined; model: string }
)

export interface TranslateSettings {
  engine: string | undefined
  url: string | undefined
  key: string | undefined
  model: string | undefined
  milliseconds: number
}

/** What the settings mean together, or a sentence for what they lack. */
export function readTranslateConfig(settings: TranslateSettings): TranslateConfig | { problem: string } | undefined {
  const { engine, url, key, model, milliseconds } = settings
  switch (engine) {
    case undefined:
      return url || key || model
        ? { problem: 'LECTERN_TRANSLATE must say which engine LECTERN_TRANSLATE_URL, _KEY and _MODEL are for.' }
        : undefined
    case 'pseudo':
      return { engine }
    case 'deepl':
      if (!key) return { problem: 'LECTERN_TRANSLATE=deepl needs LECTERN_TRANSLATE_KEY.' }
      // Keys of the free plan end so, and have a host of their own.
      return { engine, key, milliseconds, url: url ?? `https://${key.endsWith(':fx') ? 'api-free' : 'api'}.deepl.com` }
    case 'libretranslate':
      if (!url) return { problem: 'LECTERN_TRANSLATE=libretranslate needs LECTERN_TRANSLATE_URL.' }
      return { engine, url, key, milliseconds }
    case 'openai':
      if (!model) return { problem: 'LECTERN_TRANSLATE=openai needs LECTERN_TRANSLATE_MODEL.' }
      if (!url && !key)
        return { problem: 'LECTERN_TRANSLATE=openai needs LECTERN_TRANSLATE_KEY or LECTERN_TRANSLATE_URL.' }
      return { engine, url: url ?? 'https://api.openai.com/v1', key, model, milliseconds }
    default:
      return {
        problem: `LECTERN_TRANSLATE must be openai, libretranslate, deepl or pseudo, and is ${JSON.stringify(engine)}.`,
      }
  }
}
