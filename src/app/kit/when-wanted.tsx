/**
 * A button with something behind it (a menu, a choice of icons) that is made when it is first wanted. A screen has dozens of
 * such buttons, and few of them are ever pressed.
 */
import {
  type ComponentProps,
  cloneElement,
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
  useEffect,
  useState,
} from 'react'
import { type Ariakit, useLayers } from './layers.ts'

export type ButtonElement = ReactElement<ComponentProps<'button'>>

interface WhenWantedProps {
  label: string
  popup: 'menu' | 'dialog'
  button: ButtonElement
  /** The button once more, with what is behind it. `byKeyboard` says how it was asked for. */
  children: (ariakit: Ariakit, byKeyboard: boolean) => ReactNode
}

export function WhenWanted({ label, popup, button, children }: WhenWantedProps) {
  const [wanted, want] = useState<'pointer' | 'keyboard' | undefined>()
  const ariakit = useLayers(wanted !== undefined, () => want(undefined))
  if (wanted && ariakit) return children(ariakit, wanted === 'keyboard')
  const press = (event: KeyboardEvent): void => {
    if (popup !== 'menu' || (event.key !== 'ArrowDown' && event.key !== 'ArrowUp')) return
    event.preventDefault()
    want('keyboard')
  }
  return cloneElement(button, {
    'aria-label': label,
    'aria-haspopup': popup,
    'aria-expanded': false,
    'aria-busy': wanted !== undefined || undefined,
    onClick: ({ detail }) => want(detail === 0 ? 'keyboard' : 'pointer'),
    onKeyDown: press,
  })
}

/** Shows what was just made; not within the click that asked for it, which would be taken for one outside. */
export function useShownAtOnce(show: () => void): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: only once, when it is made.
  useEffect(() => {
    const frame = requestAnimationFrame(show)
    return () => cancelAnimationFrame(frame)
  }, [])
}
