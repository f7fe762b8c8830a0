/** The interface's own words. English is the model: every other language has exactly its keys. */
import type { Locale } from '../../core/customization/shape.ts'
import { ar } from './ar.ts'
import { de } from './de.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { ja } from './ja.ts'
import { nl } from './nl.ts'
import { no } from './no.ts'
import { ptBr } from './pt-br.ts'
import { ru } from './ru.ts'
import { zh } from './zh.ts'

type Widen<Value> = Value extends string
  ? string
  : Value extends (...args: infer Args) => string
    ? (...args: Args) => string
    : { [Key in keyof Value]: Widen<Value[Key]> }
export type Strings = Widen<typeof en>

const all: Readonly<Record<Locale, Strings>> = { en, fr, es, zh, ja, de, nl, no, 'pt-br': ptBr, ru, ar }

export function stringsOf(locale: Locale): Strings {
  return all[locale] ?? en
}

/** The tag that browsers and `Intl` know the locale by. */
export function languageTag(locale: Locale): string {
  return locale === 'pt-br' ? 'pt-BR' : locale === 'no' ? 'nb' : locale
}
