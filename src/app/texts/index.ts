/** The words of the interface in the language of this browser, or the one chosen in the profile. */
import { en } from './en.ts'

type Widened<T> = {
  [K in keyof T]: T[K] extends string
    ? string
    : T[K] extends (...given: infer G) => string
      ? (...given: G) => string
      : Widened<T[K]>
}
export type Texts = Widened<typeof en>

export const languages = { en: 'English', de: 'Deutsch' } as const
export const language: keyof typeof languages = document.documentElement.lang === 'de' ? 'de' : 'en'
export const t: Texts = en

export function chooseLanguage(chosen: keyof typeof languages): void {
  localStorage.setItem('lectern-language', chosen)
  location.reload()
}
