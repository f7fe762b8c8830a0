/** Whether the palette is open: any part of the app may open it. */
let isOpen = false
const listeners = new Set<() => void>()

export const paletteState = {
  get: (): boolean => isOpen,
  set(open: boolean): void {
    isOpen = open
    for (const listener of listeners) listener()
  },
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}

export const openPalette = (): void => paletteState.set(true)
