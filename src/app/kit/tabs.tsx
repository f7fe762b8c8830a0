/** The parts of one thing, each at an address of its own. */
import type { ReactNode } from 'react'
import { Link } from 'wouter'

export const Tabs = ({ label, children }: { label: string; children: ReactNode }) => (
  <nav className="ui-tabs" aria-label={label}>
    {children}
  </nav>
)

export const TabLink = ({ href, isHere, children }: { href: string; isHere: boolean; children: ReactNode }) => (
  <Link className="ui-tab" href={href} aria-current={isHere ? 'page' : undefined}>
    {children}
  </Link>
)
