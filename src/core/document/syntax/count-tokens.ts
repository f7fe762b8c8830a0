/**
 * Counting tokens as they are made, so that a page which holds too much is refused before all of it is parsed. Each counts
 * as the least that it makes of the document (`size.ts`): a delimiter is half of a mark or less, a tag may be an end.
 */
import type { Env, MarkdownIt, Token } from 'markdown-it'
import { type Budget, spend } from '../tree/size.ts'

/** Gives the page that is parsed with this a limit. */
export function limitTokens(env: Env, maxSize: number): Env {
  const budget: Budget = { left: maxSize }
  env.budget = budget
  return env
}

export function countTokens(md: MarkdownIt): void {
  md.block.State = class extends md.block.State {
    override push(type: string, tag: string, nesting: -1 | 0 | 1): Token {
      if (nesting >= 0 && type !== 'inline') spend(budgetOf(this.env), type === 'tag' ? 0.5 : 1)
      return super.push(type, tag, nesting)
    }
  }
  md.inline.State = class extends md.inline.State {
    override push(type: string, tag: string, nesting: -1 | 0 | 1): Token {
      if (nesting >= 0) spend(budgetOf(this.env), inlineSizes[type] ?? 1)
      return super.push(type, tag, nesting)
    }
  }
}

/** An escaped character and a line break stay within the text they stand in. */
const inlineSizes: Readonly<Record<string, number>> = {
  text: 0.5,
  html_inline: 0.5,
  text_special: 0,
  softbreak: 0,
  hardbreak: 0,
  literal: 0,
}

function budgetOf(env: Env): Budget | undefined {
  const { budget } = env
  return isBudget(budget) ? budget : undefined
}

const isBudget = (value: unknown): value is Budget => typeof value === 'object' && value !== null && 'left' in value
