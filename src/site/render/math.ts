/**
 * Formulas, by KaTeX, on the server. What KaTeX writes as inline styles (a strict policy would not run them) is moved to
 * `data-style` here and to classes by `placeMath`. A formula that cannot be read gives nothing; its source is shown.
 */
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { defineCache } from '../../core/caches.ts'
import { definesMacros, expansionsOf } from '../../core/document/formula.ts'
import { type RenderContext, styleClass } from './context.ts'
import type { RenderTools } from './highlight.ts'
import { type Html, trusted } from './html.ts'
import { type Part, partHash } from './parts.ts'

/** A longer one would hold up others: it is rendered when it is read, in a thread if it makes the page a heavy one. */
const longestAhead = 500
const formulasIn = defineCache<{ html: string | undefined }>('formulas', { share: 0.01 })

export const mathKey = (formula: string, display: boolean): string => `${display ? 'block' : 'inline'}:${formula}`

export interface Formula {
  formula: string
  display: boolean
}

/** KaTeX's own HTML of each, by `mathKey`, inline styles included; not for a page before `placeMath`. */
export async function renderFormulas(
  tools: Pick<RenderTools, 'caches' | 'renderedParts'>,
  formulas: readonly Formula[],
): Promise<Map<string, Html | undefined>> {
  const cache = formulasIn(tools.caches)
  const shown = new Map<string, Html | undefined>()
  const missing = new Map<string, Formula>()
  const add = (key: string, html: string | undefined): void => {
    shown.set(key, html === undefined ? undefined : trusted(html))
  }
  for (const one of formulas) {
    const key = mathKey(one.formula, one.display)
    const cached = cache.get(key)
    if (cached !== undefined || expansionsOf(one.formula) === undefined) add(key, cached?.html)
    else missing.set(formulaHash(key), one)
  }
  const stored = missing.size === 0 ? undefined : await tools.renderedParts?.find([...missing.keys()])
  for (const [hash, { formula, display }] of missing) {
    const bytes = stored?.get(hash)
    const html = bytes === undefined ? await makeFormula(formula, display) : inflateRawSync(bytes).toString()
    if (html !== undefined && bytes === undefined) tools.renderedParts?.keep(hash, storedOf(html))
    const key = mathKey(formula, display)
    cache.set(key, { html }, 2 * (html?.length ?? 0))
    add(key, html)
  }
  return shown
}

/** The same formula for who renders it ahead. */
export function formulaPart({ formula, display }: Formula): Part | undefined {
  if (formula.length > longestAhead || definesMacros(formula)) return undefined
  const make = async (): Promise<Uint8Array | undefined> => {
    const html = await makeFormula(formula, display)
    return html === undefined ? undefined : storedOf(html)
  }
  return { hash: formulaHash(mathKey(formula, display)), make }
}

const formulaHash = (key: string): string => partHash('math', key)
const storedOf = (html: string): Uint8Array => deflateRawSync(html)

async function makeFormula(formula: string, display: boolean): Promise<string | undefined> {
  const maxExpand = expansionsOf(formula)
  if (maxExpand === undefined) return undefined
  const { default: katex } = await import('katex')
  try {
    return katex.renderToString(formula, {
      displayMode: display,
      throwOnError: true,
      trust: false,
      strict: 'ignore',
      maxExpand,
      maxSize: 20,
      output: 'htmlAndMathml',
    })
  } catch {
    return undefined
  }
}

const declaration = /^(?:[a-z-]+:\s?[-#.%\w\s]+;?)+$/

/** The formula with every inline style turned into a class. A style that does not look like KaTeX's is dropped. */
export function placeMath(context: RenderContext, text: string): Html {
  const placed = text.replace(
    /(?: class="([^"]*)")? style="([^"]*)"/g,
    (_, classes: string | undefined, style: string) => {
      const name = declaration.test(style) ? styleClass(context, style) : ''
      const all = [classes, name].filter((part) => part).join(' ')
      return all === '' ? '' : ` class="${all}"`
    },
  )
  return trusted(placed)
}
