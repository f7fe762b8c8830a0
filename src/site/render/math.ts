/**
 * Formulas, by KaTeX, on the server. What KaTeX writes as inline styles (a strict policy would not run them) is moved to
 * `data-style` here and to classes by `placeMath`. A formula that cannot be read gives nothing; its source is shown.
 */
import { type Caches, defineCache } from '../../core/caches.ts'
import { type RenderContext, styleClass } from './context.ts'
import { type Html, trusted } from './html.ts'

const longestFormula = 5_000
const formulasIn = defineCache<{ html: string | undefined }>('formulas', { share: 0.01 })

export const mathKey = (formula: string, display: boolean): string => `${display ? 'block' : 'inline'}:${formula}`

/** KaTeX's own HTML, inline styles included; not for a page before `placeMath`. */
export async function renderMath(caches: Caches, formula: string, display: boolean): Promise<Html | undefined> {
  if (formula.length > longestFormula) return undefined
  const cache = formulasIn(caches)
  const key = mathKey(formula, display)
  const cached = cache.get(key)
  if (cached !== undefined) return cached.html === undefined ? undefined : trusted(cached.html)
  const { default: katex } = await import('katex')
  let found: string | undefined
  try {
    found = katex.renderToString(formula, {
      displayMode: display,
      throwOnError: true,
      trust: false,
      strict: 'ignore',
      maxExpand: 500,
      maxSize: 20,
      output: 'htmlAndMathml',
    })
  } catch {
    found = undefined
  }
  cache.set(key, { html: found }, 2 * (found?.length ?? 0))
  return found === undefined ? undefined : trusted(found)
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
