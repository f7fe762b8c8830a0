/**
 * What drawing a formula may cost, wherever it is drawn. KaTeX bounds how often macros are expanded, not what they expand to:
 * one that a formula defines itself turns a thousand letters into a million.
 */

const longestFormula = 5_000
/** Of a formula that only uses what KaTeX knows; none of that repeats its argument. */
const mostExpansions = 500
const mostExpanded = 10_000

const definition = /\\(?:[gex]?def|(?:future)?let|(?:re)?newcommand|providecommand)(?![A-Za-z@])/

export const definesMacros = (formula: string): boolean => definition.test(formula)

/** How often macros may be expanded in it; nothing when it is shown as its source. */
export function expansionsOf(formula: string): number | undefined {
  if (formula.length > longestFormula) return undefined
  if (!definesMacros(formula)) return mostExpansions
  // An argument can be doubled by each expansion; without one, each brings at most what the formula itself has.
  return formula.includes('#') ? undefined : Math.floor(mostExpanded / formula.length)
}
