/** How values are spelt in the attributes of tags and elements; what reads them and what prints them stand side by side. */
import type { Length } from '../tree/nodes.ts'

/** The name of a field as HTML spells it: `lineNumbers` is `line-numbers`. */
export const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

const lengthAt = /^(-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)(%|[a-z]{1,8})?$/

export function lengthOf(value: string | undefined): Length | undefined {
  const match = value === undefined ? null : lengthAt.exec(value.trim())
  if (match === null) return undefined
  const [, digits = '', unit] = match
  return unit === undefined ? Number(digits) : { unit, value: Number(digits) }
}

export function printLength(length: Length | undefined): string | undefined {
  if (length === undefined) return undefined
  return typeof length === 'number' ? String(length) : `${length.value}${length.unit}`
}

/** A list in one attribute: parted by commas, a comma in a name spelt `%2C`. */
export function listed(value: string): string[] {
  if (value === '') return []
  return value.split(',').map((name) => name.replaceAll('%2C', ',').replaceAll('%25', '%'))
}

export function printListed(names: readonly string[]): string {
  return names.map((name) => name.replaceAll('%', '%25').replaceAll(',', '%2C')).join(',')
}

/** The attributes that are not properties of the integration's own. */
export const integrationAttributes = ['props', 'action', 'url', 'fullWidth'] as const

/** Where an annotation's note stands in the page. */
export const noteTarget = (name: string): string => `#user-content-fn-${name}`
