/**
 * Whether two trees are the same, whatever the order of their fields. Bodies of annotations are left out: they are
 * printed elsewhere and compared there.
 */
export function sameNodes(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false
    for (let at = 0; at < a.length; at += 1) if (!sameNodes(a[at], b[at])) return false
    return true
  }
  if (!isObject(a) || !isObject(b)) return false
  if (a.type === 'annotation-body' && b.type === 'annotation-body') return true
  const names = Object.keys(a)
  if (names.length !== Object.keys(b).length) return false
  for (const name of names) {
    const value = b[name]
    if (value === undefined ? !Object.hasOwn(b, name) || a[name] !== undefined : !sameNodes(a[name], value))
      return false
  }
  return true
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
