/** What a translation engine is to the rest of Lectern, whatever it speaks. */
import type { Language } from '../../core/languages.ts'

export interface EngineRequest {
  /** Texts with tags, as `core/translation/markup.ts` writes them. */
  texts: readonly string[]
  from: Language
  to: Language
  /** What the people who ask for the translation want of it, in plain words. */
  instructions: string
  /** Words of the glossary that do not stand in the texts as tags, for engines that can use them. */
  glossary: readonly { term: string; translation: string }[]
  signal: AbortSignal
}

export interface TranslationEngine {
  /** Names it together with its model: other answers are another engine's. */
  name: string
  /** Whether it heeds the instructions; its answers depend on them only then. */
  takesInstructions: boolean
  /** How much one request may hold. */
  limits: { texts: number; characters: number }
  /** As many answers as texts; undefined where there is none for a text. */
  translate(request: EngineRequest): Promise<(string | undefined)[]>
}

/**
 * `busy`: later it may work (429, 5xx, no answer in time). `unusable`: it answered, and not with what was asked for.
 * `refused`: nothing will help but another setting (a wrong key, a language it does not know).
 */
export class EngineError extends Error {
  override name = 'EngineError'
  readonly kind: 'busy' | 'unusable' | 'refused'
  /** Milliseconds that the engine asks us to wait. */
  readonly retryAfter: number | undefined

  constructor(kind: EngineError['kind'], message: string, retryAfter?: number) {
    super(message)
    this.kind = kind
    this.retryAfter = retryAfter
  }
}
