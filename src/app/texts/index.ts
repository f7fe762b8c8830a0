/** The words of the interface in the language of this browser, or the one chosen in the profile. */
import type { ErrorCode } from '../../core/errors.ts'
import { en } from './en/index.ts'
import type { Texts } from './texts.ts'

export const languages = { en: 'English', de: 'Deutsch' } as const
export const language: keyof typeof languages = document.documentElement.lang === 'de' ? 'de' : 'en'
/**
 * All words in German, those of parts that are loaded later too. A file of its own, which comes with the shell where the
 * page is asked for in German (`http/app.ts`), so that nobody loads a language to read another. Without it, it is English.
 */
export const german = language === 'de' ? await import('./de/index.ts').catch(() => undefined) : undefined
/** In place of those that the API says, which are English. */
export const sentences: Partial<Record<ErrorCode, string>> = german?.sentences ?? {}
export const t: Texts = german?.texts ?? en

export function chooseLanguage(chosen: keyof typeof languages): void {
  localStorage.setItem('lectern-language', chosen)
  // The pages of signing in have no script: a cookie tells them. It is sent to us only, and says nothing else.
  const { mount = '' } = document.documentElement.dataset
  // biome-ignore lint/suspicious/noDocumentCookie: the other way to set one exists on https only, and not everywhere.
  document.cookie = `lectern_language=${chosen}; path=${mount}/; max-age=31536000; samesite=lax`
  location.reload()
}
