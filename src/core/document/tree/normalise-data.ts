/** The one form of a node's data and references: see `normalise.ts`. */
import { isLabel } from './labels.ts'
import type { ContentRef } from './nodes.ts'
import { parseRef, printRef } from './refs.ts'
import type { Row } from './schema.ts'

export const canonicalRef = (ref: ContentRef): ContentRef => {
  // Any other address can be nothing but an address.
  if (ref.kind === 'url' && ref.url !== '' && !ref.url.startsWith('/') && !ref.url.startsWith('#')) return ref
  return parseRef(printRef(ref))
}

/** Data without what goes without saying. */
export function slimData<Data extends object>(data: Data, row: Row): Data {
  const names = Object.keys(data)
  const hasMeaning = (name: string): boolean =>
    isNeeded(name, Reflect.get(data, name), row) && !isIdleLabel(name, data, row)
  if (names.every(hasMeaning)) return data
  const slim = { ...data }
  for (const name of names) if (!hasMeaning(name)) Reflect.deleteProperty(slim, name)
  return slim
}

/** A label of something that has a name of its own. */
function isIdleLabel(name: string, data: object, row: Row): boolean {
  if (name !== 'label' || row.data.label?.required === true || !hasLabel(data)) return false
  return !isLabel(data.ref, data.label)
}

const hasLabel = (data: object): data is { ref: ContentRef; label: string } => 'ref' in data && 'label' in data

function isNeeded(name: string, value: unknown, row: Row): boolean {
  // Schemas are grouped unless told; every other flag is off unless told.
  const isUsual =
    name === 'grouped'
      ? value === true
      : value === false || value === '' || (Array.isArray(value) && value.length === 0)
  return value !== undefined && !(isUsual && row.data[name]?.required !== true)
}
