/** The parts of one thing, each at an address of its own. */
import { type ReactNode, useEffect, useRef } from 'react'
import { Link } from 'wouter'

export const Tabs = ({ label, children }: { label: string; children: ReactNode }) => (
  <nav className="ui-tabs" aria-label={label}>
    {children}
  </nav>
)

export function TabLink({ href, isHere, children }: { href: string; isHere: boolean; children: ReactNode }) {
  const link = useRef<HTMLAnchorElement>(null)
  // Where there is no room for all, the one that is open is in view.
  useEffect(() => {
    if (isHere) link.current?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [isHere])
  return (
    <Link className="ui-tab" href={href} ref={link} aria-current={isHere ? 'page' : undefined}>
      {children}
    </Link>
  )
}
