/** The words of the interface in the language of this browser, or the one chosen in the profile. */
import type { ErrorCode } from '../../core/errors.ts'
import { de } from './de.ts'
import { en } from './en.ts'
import { sentencesDe } from './sentences-de.ts'
import type { Texts } from './texts.ts'

export const languages = { en: 'English', de: 'Deutsch' } as const
export const language: keyof typeof languages = document.documentElement.lang === 'de' ? 'de' : 'en'
/** In place of those that the API says, which are English. */
export const sentences: Partial<Record<ErrorCode, string>> = language === 'de' ? sentencesDe : {}
export const t: Texts = language === 'de' ? de : en

export function chooseLanguage(chosen: keyof typeof languages): void {
  localStorage.setItem('lectern-language', chosen)
  // The pages of signing in have no script: a cookie tells them. It is sent to us only, and says nothing else.
  const { mount = '' } = document.documentElement.dataset
  // biome-ignore lint/suspicious/noDocumentCookie: the other way to set one exists on https only, and not everywhere.
  document.cookie = `lectern_language=${chosen}; path=${mount}/; max-age=31536000; samesite=lax`
  location.reload()
}
