/**
 * Whether two trees are the same, whatever the order of their fields. Bodies of annotations are left out: they are
 * printed elsewhere and compared there.
 */
export function sameNodes(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false
    return a.every((entry: unknown, at) => sameNodes(entry, b[at]))
  }
  if (isNote(a) && isNote(b)) return true
  const names = Object.keys(a)
  if (names.length !== Object.keys(b).length) return false
  return names.every((name) => Object.hasOwn(b, name) && sameNodes(Reflect.get(a, name), Reflect.get(b, name)))
}

const isNote = (value: object): boolean => 'type' in value && value.type === 'annotation-body'
