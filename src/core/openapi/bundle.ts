/**
 * A spec that is spread over several documents, as one: the others move into `x-files` of the first, and every reference
 * points there. Nothing is copied into place, so that what refers to itself stays finite.
 */
import { type Json, type JsonObject, mapRefs, refsIn } from './json.ts'

export interface SpecFile {
  address: string
  document: JsonObject
}

/** The address a reference leads to from a document, without what stands behind `#`; the same document for `#…`. */
export type ResolveAddress = (from: string, ref: string) => string

/** The addresses of other documents that this one refers to. */
export function addressesIn({ address, document }: SpecFile, resolve: ResolveAddress): string[] {
  const refs = [...refsIn(document)].filter((ref) => !ref.startsWith('#'))
  return [...new Set(refs.map((ref) => resolve(address, fileOf(ref))))].filter((other) => other !== address)
}

export function bundle(files: readonly SpecFile[], resolve: ResolveAddress): JsonObject {
  const [root, ...others] = files
  if (!root) throw new Error('A spec has at least one document.')
  const pointers = new Map<string, string>([[root.address, '']])
  others.forEach(({ address }, index) => {
    pointers.set(address, `/x-files/${index}`)
  })
  const settled = ({ address, document }: SpecFile): Json =>
    mapRefs(document, (ref) => {
      const at = pointers.get(ref.startsWith('#') ? address : resolve(address, fileOf(ref)))
      if (at === undefined) return ref
      const pointer = ref.includes('#') ? ref.slice(ref.indexOf('#') + 1) : ''
      return `#${at}${pointer === '/' ? '' : pointer}`
    })
  const first = settled(root)
  if (others.length === 0) return first as JsonObject
  return { ...(first as JsonObject), 'x-files': others.map(settled) }
}

const fileOf = (ref: string): string => ref.split('#', 1)[0] ?? ''
