/**
 * The texts of a run: those that were translated before are taken from the database, the others go to the engine.
 *
 * 1. A text is known by the hash of all that its translation depends on, so nothing that stays the same is sent again.
 * 2. Answers are stored batch by batch, as they come: a run that is killed goes on where it was.
 * 3. An answer that lacks what was protected is asked for once more, alone; after that the text stays as it is, and the
 *    run goes on without it.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { InlineContent } from '../../core/document/tree/nodes.ts'
import type { Language } from '../../core/languages.ts'
import { termFinder } from '../../core/translation/glossary.ts'
import { readAnswer } from '../../core/translation/markup.ts'
import { type Protected, protect, putBack, type Term } from '../../core/translation/protect.ts'
import { countWords } from '../../core/translation/text.ts'
import { EngineError, type TranslationEngine } from '../../platform/translate/engine.ts'
import { contentHash } from '../../store/content/content-hash.ts'
import { addSentWords, findTexts, insertTexts } from '../../store/content/translations.ts'
import type { Connection } from '../../store/database.ts'

export interface TextOptions {
  db: Connection
  engine: TranslationEngine
  translationId: string
  from: Language
  to: Language
  instructions: string
  terms: readonly Term[]
  signal: AbortSignal
  /** The first wait before an engine that is busy is asked again. */
  waitMilliseconds: number
}

interface Wanted {
  hash: string
  markup: string
  tags: Protected['tags']
}

/** Requests to an engine at the same time. */
const lanes = 4
const mostTries = 6
const longestWait = 60_000

export class Texts {
  readonly #options: TextOptions
  readonly #findTerms: ReturnType<typeof termFinder>
  readonly #wanted = new Map<string, Wanted>()
  #known = new Map<string, string>()
  readonly #failures = new Map<string, string>()
  /** Words that were sent. */
  words = 0

  constructor(options: TextOptions) {
    this.#options = options
    this.#findTerms = termFinder(options.terms)
  }

  /** Notes a line for the next `fetch`. */
  want(nodes: readonly InlineContent[]): void {
    const line = protect(nodes, this.#findTerms)
    if (!line.hasWords) return
    const hash = this.#hashOf(line)
    if (!this.#wanted.has(hash)) this.#wanted.set(hash, { hash, markup: line.markup, tags: line.tags })
  }

  /** The hashes of all that was noted, which is forgotten with that. */
  takeWanted(): string[] {
    const hashes = [...this.#wanted.keys()]
    this.#wanted.clear()
    return hashes
  }

  /** Finds or translates all that was noted; forgets what the fetch before found. */
  async fetch(): Promise<void> {
    const { db, translationId } = this.#options
    const wanted = [...this.#wanted.values()]
    this.#wanted.clear()
    this.#known = await findTexts(
      db,
      translationId,
      wanted.map(({ hash }) => hash),
    )
    const missing = wanted.filter(({ hash }) => !this.#known.has(hash) && !this.#failures.has(hash))
    const batches = this.#batchesOf(missing)
    const work = async () => {
      for (let batch = batches.shift(); batch; batch = batches.shift()) await this.#translate(batch)
    }
    await Promise.all(Array.from({ length: lanes }, work))
  }

  /** The line in the other language; `problem` where it stays as it is although it has words. */
  replace(nodes: readonly InlineContent[]): { nodes: InlineContent[]; problem?: string } {
    const line = protect(nodes, this.#findTerms)
    // Terms of the glossary are put in also where nothing else is to be translated.
    const answer = line.hasWords ? this.#known.get(this.#hashOf(line)) : line.markup
    if (answer === undefined)
      return { nodes: [...nodes], problem: this.#failures.get(this.#hashOf(line)) ?? 'No answer.' }
    const back = putBack(line, answer)
    return 'problem' in back ? { nodes: [...nodes], problem: back.problem } : back
  }

  #hashOf({ markup, terms }: Protected): string {
    const { engine, from, to, instructions } = this.#options
    return contentHash(JSON.stringify([engine.name, from, to, instructions, terms, markup]))
  }

  #batchesOf(texts: readonly Wanted[]): Wanted[][] {
    const { limits } = this.#options.engine
    const batches: Wanted[][] = []
    let size = 0
    for (const text of texts) {
      const last = batches.at(-1)
      size += text.markup.length
      if (last && last.length < limits.texts && size <= limits.characters) last.push(text)
      else {
        batches.push([text])
        size = text.markup.length
      }
    }
    return batches
  }

  async #translate(batch: readonly Wanted[], isSecond = false): Promise<void> {
    const good = new Map<string, string>()
    const bad: Wanted[] = []
    const problems = new Map<string, string>()
    const answers = await this.#ask(batch)
    if ('problem' in answers) {
      if (batch.length > 1) {
        const half = Math.ceil(batch.length / 2)
        await this.#translate(batch.slice(0, half))
        return this.#translate(batch.slice(half))
      }
      for (const { hash } of batch) problems.set(hash, answers.problem)
      bad.push(...batch)
    } else {
      for (const [index, text] of batch.entries()) {
        const answer = answers[index]?.trim()
        const read = answer ? readAnswer(answer, text.tags) : { problem: 'The answer is empty.' }
        if (answer && !('problem' in read)) good.set(text.hash, answer)
        else {
          bad.push(text)
          problems.set(text.hash, 'problem' in read ? read.problem : '')
        }
      }
    }
    await insertTexts(this.#options.db, this.#options.translationId, good)
    for (const [hash, answer] of good) this.#known.set(hash, answer)
    for (const text of bad) {
      if (isSecond) this.#failures.set(text.hash, problems.get(text.hash) ?? '')
      else await this.#translate([text], true)
    }
  }

  /** Asks until the engine is not busy any more; a problem where it answers with something else. */
  async #ask(batch: readonly Wanted[]): Promise<(string | undefined)[] | { problem: string }> {
    const { engine, from, to, instructions, terms, signal, waitMilliseconds } = this.#options
    const texts = batch.map(({ markup }) => markup)
    const all = texts.join('\n').toLowerCase()
    const glossary = terms.filter(({ term }) => all.includes(term.toLowerCase())).slice(0, 200)
    for (let attempt = 1; ; attempt++) {
      signal.throwIfAborted()
      try {
        const answers = await engine.translate({ texts, from, to, instructions, glossary, signal })
        const words = texts.reduce((sum, text) => sum + countWords(text), 0)
        this.words += words
        await addSentWords(this.#options.db, { id: this.#options.translationId, words })
        return answers.length === texts.length ? answers : { problem: 'The engine gave another number of answers.' }
      } catch (error) {
        if (!(error instanceof EngineError) || error.kind === 'refused') throw error
        if (error.kind === 'unusable') return { problem: error.message }
        if (attempt === mostTries) throw error
        const wait = Math.min(longestWait, error.retryAfter ?? waitMilliseconds * 2 ** (attempt - 1))
        await sleep(wait, undefined, { signal })
      }
    }
  }
}
