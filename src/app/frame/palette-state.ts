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

/** Opens it by its keys, also before it is drawn: it is shown as soon as it can be. */
export function openPaletteByKeys(event: KeyboardEvent): void {
  const isPalette = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && /^[kp]$/i.test(event.key)
  if (!isPalette || event.defaultPrevented) return
  event.preventDefault()
  openPalette()
}
