/** The words of the interface in the language of this browser, or the one chosen in the profile. */
import { de } from './de.ts'
import { en } from './en.ts'
import type { Texts } from './texts.ts'

export const languages = { en: 'English', de: 'Deutsch' } as const
export const language: keyof typeof languages = document.documentElement.lang === 'de' ? 'de' : 'en'
export const t: Texts = language === 'de' ? de : en

export function chooseLanguage(chosen: keyof typeof languages): void {
  localStorage.setItem('lectern-language', chosen)
  location.reload()
}
