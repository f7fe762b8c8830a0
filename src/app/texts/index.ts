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

export const language = 'en'
export const t: Texts = en
