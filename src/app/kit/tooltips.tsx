/**
 * The labels of buttons that show only an icon: one for the whole app, shown where the pointer rests or the keyboard is. What
 * it says is the button's accessible name, so nobody is told twice.
 */
import { useEffect, useLayoutEffect, useRef, useState } from 'react'

const pauses = { show: 500, hide: 100 }
const gap = 6

interface Shown {
  label: string
  shortcut: string | undefined
  anchor: Element
}

export function Tooltips() {
  const [shown, setShown] = useState<Shown | undefined>()
  const element = useRef<HTMLDivElement>(null)

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const later = (pause: number, next: Shown | undefined): void => {
      clearTimeout(timer)
      timer = setTimeout(() => setShown(next?.anchor.isConnected ? next : undefined), pause)
    }
    const hide = (): void => later(0, undefined)
    const over = ({ target, pointerType }: PointerEvent): void => {
      if (pointerType === 'touch' || !(target instanceof Element)) return
      const next = labelled(target)
      if (next) later(pauses.show, next)
      // On its way to the label the pointer may leave the button.
      else if (element.current?.contains(target)) clearTimeout(timer)
      else later(pauses.hide, undefined)
    }
    const focus = ({ target }: FocusEvent): void => {
      const next = target instanceof Element && target.matches(':focus-visible') ? labelled(target) : undefined
      later(next ? pauses.show : 0, next)
    }
    const press = ({ key }: KeyboardEvent): void => {
      if (key === 'Escape') hide()
    }
    const ends = ['pointerdown', 'scroll', 'focusout'] as const
    document.addEventListener('pointerover', over)
    document.addEventListener('focusin', focus)
    document.addEventListener('keydown', press)
    for (const end of ends) document.addEventListener(end, hide, { capture: true, passive: true })
    return () => {
      clearTimeout(timer)
      document.removeEventListener('pointerover', over)
      document.removeEventListener('focusin', focus)
      document.removeEventListener('keydown', press)
      for (const end of ends) document.removeEventListener(end, hide, { capture: true })
    }
  }, [])

  useLayoutEffect(() => {
    const tip = element.current
    if (!shown || !tip) return
    const box = shown.anchor.getBoundingClientRect()
    const { width, height } = tip.getBoundingClientRect()
    const left = Math.min(innerWidth - width - gap, Math.max(gap, box.left + box.width / 2 - width / 2))
    const below = box.bottom + gap
    tip.style.left = `${left}px`
    tip.style.top = `${below + height > innerHeight ? box.top - gap - height : below}px`
  }, [shown])

  return (
    shown && (
      <div ref={element} className="ui-tooltip" role="tooltip">
        {shown.label}
        {shown.shortcut && <kbd>{shown.shortcut}</kbd>}
      </div>
    )
  )
}

function labelled(target: Element): Shown | undefined {
  const anchor = target.closest('[data-tip]')
  const label = anchor?.getAttribute('data-tip')
  return anchor && label ? { anchor, label, shortcut: anchor.getAttribute('data-tip-key') ?? undefined } : undefined
}
