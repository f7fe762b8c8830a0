/**
 * The special paths of a site: one row each, one file each (or a function of small-answers.ts). Whatever is not here is the
 * path of a page. A row with `below` also takes what stands below its path.
 */
import type { Looks } from './looks.ts'
import { answerSearch } from './search.ts'
import { answerFeedback, answerFile, answerIcon, answerStyle } from './small-answers.ts'
import { answerTree } from './tree.ts'
import type { Answered, Asked, Visiting } from './visiting.ts'

export type Answer = (visiting: Visiting, asked: Asked, looks: Looks) => Promise<Answered>

interface Route {
  answer: Answer
  below?: true
  /** Other methods than GET and HEAD. */
  post?: true
}

// biome-ignore format: a table reads best as one.
export const routes: ReadonlyMap<string, Route> = new Map<string, Route>([
  ['~search',     { answer: answerSearch }],
  ['~tree',       { answer: answerTree, below: true }],
  ['~icon.svg',   { answer: answerIcon }],
  ['favicon.ico', { answer: answerIcon }],
  ['~assets',     { answer: answerStyle, below: true }],
  ['~files',      { answer: answerFile, below: true }],
  ['~feedback',   { answer: answerFeedback, post: true }],
])
