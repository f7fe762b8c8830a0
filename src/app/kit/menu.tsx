/** A button that opens a list of actions. */
import * as Ariakit from '@ariakit/react'
import type { LucideIcon } from 'lucide-react'
import type { ReactElement, ReactNode } from 'react'
import { useLocation } from 'wouter'

export interface MenuEntry {
  label: string
  icon?: LucideIcon | undefined
  shortcut?: string | undefined
  danger?: boolean
  checked?: boolean
  disabled?: boolean
  /** Starts a new group. */
  apart?: boolean
  href?: string
  run?: () => void
}

interface MenuProps {
  /** What the button is called when its content is not a text. */
  label: string
  button: ReactElement
  children?: ReactNode
  entries: readonly MenuEntry[]
  placement?: 'bottom-start' | 'bottom-end' | 'top-start'
}

export function Menu({ label, button, children, entries, placement = 'bottom-end' }: MenuProps) {
  return (
    <Ariakit.MenuProvider placement={placement}>
      <Ariakit.MenuButton render={button} aria-label={label} />
      <Ariakit.Menu className="ui-menu" gutter={4} portal unmountOnHide aria-label={label}>
        {children}
        <MenuEntries entries={entries} />
      </Ariakit.Menu>
    </Ariakit.MenuProvider>
  )
}

export function MenuEntries({ entries }: { entries: readonly MenuEntry[] }) {
  const [, navigate] = useLocation()
  return entries.map(({ label, icon: Icon, shortcut, danger, checked, disabled, apart, href, run }) => (
    <div key={label} role="presentation">
      {apart && <Ariakit.MenuSeparator className="ui-menu-line" />}
      <Ariakit.MenuItem
        className={danger ? 'ui-menu-item danger' : 'ui-menu-item'}
        disabled={disabled ?? false}
        aria-current={checked || undefined}
        onClick={() => (href === undefined ? run?.() : navigate(href))}
      >
        {Icon && <Icon size={16} strokeWidth={1.75} aria-hidden="true" />}
        <span>{label}</span>
        {shortcut && <kbd>{shortcut}</kbd>}
      </Ariakit.MenuItem>
    </div>
  ))
}
