/**
 * A virtual list that begins without asking how large it is: an answer would have the browser lay out the whole page before
 * the rest of it, the editor above all, is there. The size comes with the first frame; until then `initialRect` holds.
 */
import { elementScroll, type Virtualizer } from '@tanstack/react-virtual'

type List = Virtualizer<HTMLDivElement, Element>

export function observeSize(
  { scrollElement }: List,
  tell: (size: { width: number; height: number }) => void,
): (() => void) | undefined {
  if (!scrollElement) return undefined
  const observer = new ResizeObserver(([entry]) => {
    const box = entry?.borderBoxSize[0]
    if (box) tell({ width: Math.round(box.inlineSize), height: Math.round(box.blockSize) })
  })
  observer.observe(scrollElement, { box: 'border-box' })
  return () => observer.disconnect()
}

/** A list is put where it should be when it appears; a new one is at its top. */
export const scrollUnlessAtTop: typeof elementScroll<HTMLDivElement> = (offset, options, list) => {
  if (offset + (options.adjustments ?? 0) !== 0 || list.scrollOffset) elementScroll(offset, options, list)
}
