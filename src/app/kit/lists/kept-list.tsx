/** A list whose rows may go while one of them has the focus: the list has it then, or the screen where the list goes, too. */
import { type ReactNode, useEffect, useRef } from 'react'

export function KeptList({ children }: { children: ReactNode }) {
  const list = useRef<HTMLUListElement>(null)
  const last = useRef<Element>(undefined)
  useEffect(() => {
    if (isLost(last.current)) list.current?.focus()
  })
  useEffect(
    () => () => {
      const before = last.current
      requestAnimationFrame(() => isLost(before) && document.getElementById('main')?.focus())
    },
    [],
  )
  return (
    <ul
      className="ui-list"
      ref={list}
      tabIndex={-1}
      onFocus={({ target }) => {
        last.current = target
      }}
    >
      {children}
    </ul>
  )
}

const isLost = (element: Element | undefined): boolean =>
  element?.isConnected === false && document.activeElement === document.body
