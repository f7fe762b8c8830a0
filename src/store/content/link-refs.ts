/** References as they are stored with a link: without what its kind and target say already. */

interface Stored {
  kind: string
  target: string
  /** As JSON, or short. */
  ref: string
}

/** Empty for a reference to a thing by its id or address, `#` and the anchor for one to an anchor of a page; or as it is. */
export function shortRef({ kind, target, ref }: Stored): string {
  if (!ref.startsWith('{')) return ref
  if (ref === plainRef(kind, target)) return ''
  if (kind !== 'anchor') return ref
  const { anchor } = JSON.parse(ref)
  return typeof anchor === 'string' && ref === anchorRef(target, anchor) ? anchorSign + anchor : ref
}

/** The same row with its reference whole. */
export function withRef<T extends Stored>(row: T): T {
  if (row.ref === '') return { ...row, ref: plainRef(row.kind, row.target) }
  return row.ref.startsWith(anchorSign) ? { ...row, ref: anchorRef(row.target, row.ref.slice(1)) } : row
}

const anchorSign = '#'

const anchorRef = (page: string, anchor: string): string => JSON.stringify({ kind: 'anchor', anchor, page })

function plainRef(kind: string, target: string): string {
  if (kind === 'page' || kind === 'file' || kind === 'url') return JSON.stringify({ kind, [kind]: target })
  return kind === 'reusable-content' ? JSON.stringify({ kind, reusableContent: target }) : ''
}
