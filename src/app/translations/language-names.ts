/** Languages as whoever reads the screen calls them. */
import { type Language, languages } from '../../core/languages.ts'
import { madeOnce } from '../kit/made-once.ts'
import { language } from '../texts/index.ts'

const names = madeOnce(() => new Intl.DisplayNames([language], { type: 'language' }))
const order = madeOnce(() => new Intl.Collator(language))

export const nameOfLanguage = (code: string): string => names().of(code) ?? code

/** All that can be translated into, by name. */
export const languageOptions = (): { value: Language; label: string }[] =>
  languages.map((value) => ({ value, label: nameOfLanguage(value) })).sort((a, b) => order().compare(a.label, b.label))

export const asLanguage = (code: string | undefined): Language | undefined =>
  languages.find((known) => known === code?.toLowerCase())
