/** A button that opens a list of actions. */
import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { useLocation } from 'wouter'
import type { Ariakit } from './layers.ts'
import { type ButtonElement, useShownAtOnce, WhenWanted } from './when-wanted.tsx'

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
  button: ButtonElement
  children?: ReactNode
  /** Worked out when the menu is opened where that is not cheap. */
  entries: readonly MenuEntry[] | (() => readonly MenuEntry[])
  placement?: 'bottom-start' | 'bottom-end' | 'top-start'
}

export const Menu = (props: MenuProps) => (
  <WhenWanted label={props.label} popup="menu" button={props.button}>
    {(ariakit, byKeyboard) => <MadeMenu {...props} ariakit={ariakit} byKeyboard={byKeyboard} />}
  </WhenWanted>
)

function MadeMenu({
  label,
  button,
  children,
  entries,
  placement = 'bottom-end',
  ariakit,
  byKeyboard,
}: MenuProps & { ariakit: Ariakit; byKeyboard: boolean }) {
  const menu = ariakit.useMenuStore({ placement })
  const isOpen = ariakit.useStoreState(menu, 'open')
  useShownAtOnce(() => {
    menu.setAutoFocusOnShow(true)
    menu.setInitialFocus(byKeyboard ? 'first' : 'container')
    menu.show()
  })
  return (
    <>
      <ariakit.MenuButton store={menu} render={button} aria-label={label} />
      <ariakit.Menu store={menu} className="ui-menu" gutter={4} portal unmountOnHide aria-label={label}>
        {children}
        {isOpen && <MenuEntries ariakit={ariakit} entries={typeof entries === 'function' ? entries() : entries} />}
      </ariakit.Menu>
    </>
  )
}

function MenuEntries({ ariakit, entries }: { ariakit: Ariakit; entries: readonly MenuEntry[] }) {
  const [, navigate] = useLocation()
  return entries.map(({ label, icon: Icon, shortcut, danger, checked, disabled, apart, href, run }) => (
    <div key={label} role="presentation">
      {apart && <ariakit.MenuSeparator className="ui-menu-line" />}
      <ariakit.MenuItem
        className={danger ? 'ui-menu-item danger' : 'ui-menu-item'}
        disabled={disabled ?? false}
        aria-current={checked || undefined}
        onClick={() => (href === undefined ? run?.() : navigate(href))}
      >
        {Icon && <Icon size={16} strokeWidth={1.75} aria-hidden="true" />}
        <span>{label}</span>
        {shortcut && <kbd>{shortcut}</kbd>}
      </ariakit.MenuItem>
    </div>
  ))
}
