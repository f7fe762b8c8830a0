/** Small choices that this device remembers, as values React can watch. A browser that stores nothing forgets them. */
import { useCallback, useSyncExternalStore } from 'react'

const listeners = new Set<() => void>()
const memory = new Map<string, string>()

export const stored = {
  get(key: string): string | undefined {
    try {
      return localStorage.getItem(key) ?? memory.get(key)
    } catch {
      return memory.get(key)
    }
  },
  set(key: string, value: string): void {
    if (stored.get(key) === value) return
    memory.set(key, value)
    try {
      localStorage.setItem(key, value)
    } catch {
      // Private windows may refuse; the choice then lasts as long as the tab.
    }
    for (const listener of listeners) listener()
  },
}

addEventListener('storage', () => {
  for (const listener of listeners) listener()
})

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useStored(key: string, otherwise: string): [string, (value: string) => void] {
  const value = useSyncExternalStore(subscribe, () => stored.get(key) ?? otherwise)
  const set = useCallback((next: string) => stored.set(key, next), [key])
  return [value, set]
}
