/** The shape of the words: every language has what English has. */
import type { en } from './en/index.ts'

export type Widened<T> = {
  [K in keyof T]: T[K] extends string
    ? string
    : T[K] extends (...given: infer G) => string
      ? (...given: G) => string
      : Widened<T[K]>
}

export type Texts = Widened<typeof en>
