/** Words as values, by the type of a column, and values as words. */
import type { TableDefinition, TableValue } from '../../../core/document/tree/nodes.ts'

/** Nothing, where the words are no value of this column. No words are no value, which every column may hold. */
export function readValue(column: TableDefinition, text: string, locale: string): TableValue | undefined {
  if (text === '') return null
  switch (column.type) {
    case 'number':
      return readNumber(text, locale)
    case 'rating': {
      const number = readNumber(text, locale)
      return number === undefined ? undefined : Math.min(column.max, Math.max(0, Math.round(number)))
    }
    case 'checkbox':
      if (/^(?:x|true|yes|wahr|ja|✓|✔|☑|✅|1)$/i.test(text)) return true
      return /^(?:false|no|falsch|nein|☐|-|0)$/i.test(text) ? false : undefined
    case 'select':
      return labelsIn(column, text)
    case 'content-ref':
    case 'image':
      return /^https?:\/\/\S+$/.test(text) ? { kind: 'url', url: text } : undefined
    default:
      return undefined
  }
}

/** A label may hold a comma; where only one can be chosen there is nothing to take apart. */
function labelsIn({ multiple, options }: Extract<TableDefinition, { type: 'select' }>, text: string): string[] {
  const isWhole = options.some(({ label }) => label === text)
  const labels = multiple && !isWhole ? text.split(',').map((part) => part.trim()) : [text]
  const wanted = [...new Set(labels.filter((label) => label !== ''))]
  return wanted.map((wants) => options.find(({ label, value }) => label === wants || value === wants)?.value ?? wants)
}

/**
 * A number as people and spreadsheets write it. Of a dot and a comma the last begins the fraction; one sign alone does, unless
 * it comes more than once, or before three digits where the language groups thousands by it. A date is no number.
 */
export function readNumber(text: string, locale: string): number | undefined {
  const match = /^\p{Sc}?\s*([-+−]?)\s*(\d[\d.,'’\s]*|[.,]\d+)\s*\p{Sc}?$/u.exec(text.trim())
  if (match === null) return undefined
  const digits = (match[2] ?? '').trim().replace(/['’\s]/g, ' ')
  const signs = digits.replace(/[\d ]/g, '')
  const last = signs.at(-1) ?? ''
  const isGroup =
    signs.slice(0, -1).includes(last) || (signs === groupSign(locale) && /^[1-9]\d{0,2}[.,]\d{3}$/.test(digits))
  const at = isGroup || last === '' ? digits.length : digits.lastIndexOf(last)
  const whole = digits.slice(0, at)
  if (/\D/.test(whole) && !/^\d{1,3}([ .,])\d{3}(?:\1\d{3})*$/.test(whole)) return undefined
  const number = Number(`${whole.replace(/\D/g, '')}.${digits.slice(at + 1)}`)
  if (!Number.isFinite(number)) return undefined
  return match[1] === '-' || match[1] === '−' ? -number : number
}

const groupSign = (locale: string): string =>
  new Intl.NumberFormat(locale).formatToParts(12_345).find(({ type }) => type === 'group')?.value ?? ''

export function plainValue(value: unknown, column: TableDefinition | undefined): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value) && column?.type === 'select')
    return value.map((chosen) => column.options.find((option) => option.value === chosen)?.label ?? chosen).join(', ')
  if (Array.isArray(value)) return value.join(', ')
  if (typeof value === 'object') return 'url' in value ? String(value.url) : JSON.stringify(value)
  return String(value)
}
