/** The language of what people read here beside the app: the one chosen in the app in this browser, or else the one it asks for. */

const languages = ['en', 'de'] as const
export type Language = (typeof languages)[number]

interface LanguageHeaders {
  cookie?: string | undefined
  'accept-language'?: string | undefined
}

/** The cookie is set by the app's script (`app/texts/index.ts`) and says nothing but this. */
export const languageFor = (headers: LanguageHeaders): Language =>
  chosenIn(headers.cookie ?? '') ?? languageIn(headers['accept-language'] ?? '')

const chosenIn = (cookie: string): Language | undefined => {
  const chosen = /(?:^|;\s*)lectern_language=(\w+)/.exec(cookie)?.[1]
  return languages.find((language) => language === chosen)
}

/** By a value of Accept-Language, such as `de-CH, en;q=0.8`. */
export function languageIn(accepted: string): Language {
  const asked = accepted.split(',').flatMap((part) => {
    const [range = '', ...parameters] = part.split(';').map((piece) => piece.trim())
    const weight = parameters.find((parameter) => /^q=/i.test(parameter))?.slice(2)
    const language = languages.find((one) => one === range.split('-', 1)[0]?.toLowerCase())
    return language === undefined ? [] : [{ language, weight: weight === undefined ? 1 : Number(weight) }]
  })
  const [first] = asked.filter(({ weight }) => weight > 0).sort((a, b) => b.weight - a.weight)
  return first?.language ?? 'en'
}
