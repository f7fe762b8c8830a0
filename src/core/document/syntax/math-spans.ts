/**
 * Where `$…$` within a sentence is a formula. Prices and the names of shell variables are written with the same sign, so
 * that the signs must stand close around something that looks like a formula.
 */

const longest = 400

/** The place of the sign that ends the formula which begins here; nothing when this is a mere dollar. */
export function endOfMath(text: string, from: number): number | undefined {
  if (text[from] !== '$' || text[from + 1] === '$' || /[\w$\\]/.test(text[from - 1] ?? ' ')) return undefined
  if (/\s/.test(text[from + 1] ?? ' ')) return undefined
  const last = Math.min(text.length, from + longest)
  for (let at = from + 1; at < last; at += 1) {
    const character = text[at]
    if (character === '\n') return undefined
    if (character === '\\') at += 1
    else if (character === '$') {
      const isEnd = !/\s/.test(text[at - 1] ?? ' ') && !/[\w$]/.test(text[at + 1] ?? ' ')
      return isEnd && isFormula(text.slice(from + 1, at)) ? at : undefined
    }
  }
  return undefined
}

function isFormula(content: string): boolean {
  if (content === '' || /[`\u0000-\u001f]/.test(content)) return false
  if (/\\[a-zA-Z]|[\^_]\S|[=<>≤≥]/.test(content))
    return !/^\d[\d.,]*\s.*\s\S*$/.test(content) || /[\\^_=]/.test(content)
  // Two words are a sentence, and so is one that is too long for a name.
  const words = content.match(/[A-Za-z]{2,}/g) ?? []
  return words.length <= 1 && words.every((word) => word.length <= 3) && !/[a-z]\s+[a-z]/i.test(content)
}
