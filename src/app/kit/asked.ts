/** What a dialog is opened for. It is still known while the dialog closes; `key` makes every opening a fresh one. */
import { useState } from 'react'

export interface Asked<T> {
  about: T | undefined
  open: boolean
  key: number
  ask: (about: T) => void
  close: () => void
}

export function useAsked<T>(): Asked<T> {
  const [{ about, open, key }, set] = useState<Pick<Asked<T>, 'about' | 'open' | 'key'>>({
    about: undefined,
    open: false,
    key: 0,
  })
  return {
    about,
    open,
    key,
    ask: (next) => set({ about: next, open: true, key: key + 1 }),
    close: () => set((before) => ({ ...before, open: false })),
  }
}
