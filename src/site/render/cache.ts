/** A cache that forgets what was used least lately once the sizes of its values add up to more than it may hold. */
export interface SizedCache<Value> {
  get(key: string): Value | undefined
  set(key: string, value: Value, size: number): void
}

export function sizedCache<Value>(most: number): SizedCache<Value> {
  const kept = new Map<string, { value: Value; size: number }>()
  let total = 0
  return {
    get(key) {
      const found = kept.get(key)
      if (found === undefined) return undefined
      // A map keeps the order of insertion: what is put in again is the youngest.
      kept.delete(key)
      kept.set(key, found)
      return found.value
    },
    set(key, value, size) {
      if (size > most) return
      total += size - (kept.get(key)?.size ?? 0)
      kept.delete(key)
      kept.set(key, { value, size })
      for (const [oldest, { size: freed }] of kept) {
        if (total <= most) break
        kept.delete(oldest)
        total -= freed
      }
    },
  }
}
