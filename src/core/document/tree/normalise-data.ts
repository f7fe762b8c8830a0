/** The one form of a node's data and references: see `normalise.ts`. */
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
  if (names.every((name) => isNeeded(name, Reflect.get(data, name), row))) return data
  const slim = { ...data }
  for (const name of names) if (!isNeeded(name, Reflect.get(data, name), row)) Reflect.deleteProperty(slim, name)
  return slim
}

function isNeeded(name: string, value: unknown, row: Row): boolean {
  // Schemas are grouped unless told; every other flag is off unless told.
  const isUsual =
    name === 'grouped'
      ? value === true
      : value === false || value === '' || (Array.isArray(value) && value.length === 0)
  return value !== undefined && !(isUsual && row.data[name]?.required !== true)
}
