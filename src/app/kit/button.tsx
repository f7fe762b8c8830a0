/** Buttons and links that look like them. An icon alone always has a label, which is also its tooltip. */
import type { LucideIcon } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { Link } from 'wouter'

type Kind = 'primary' | 'plain' | 'quiet' | 'danger'

interface ButtonStyle {
  kind?: Kind
  icon?: LucideIcon
  busy?: boolean
  children: ReactNode
}

export function Button({
  kind = 'plain',
  icon: Icon,
  busy = false,
  children,
  className = '',
  ...rest
}: ButtonStyle & ComponentProps<'button'>) {
  return (
    <button
      type="button"
      className={`ui-button ${kind} ${className}`}
      aria-busy={busy || undefined}
      disabled={busy}
      {...rest}
    >
      {Icon && <Icon size={16} strokeWidth={1.75} aria-hidden="true" />}
      <span>{children}</span>
    </button>
  )
}

export function ButtonLink({ kind = 'plain', icon: Icon, children, href }: ButtonStyle & { href: string }) {
  return (
    <Link className={`ui-button ${kind}`} href={href}>
      {Icon && <Icon size={16} strokeWidth={1.75} aria-hidden="true" />}
      <span>{children}</span>
    </Link>
  )
}

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'children'> {
  label: string
  icon: LucideIcon
  /** The key that does the same, shown with the label. */
  shortcut?: string
}

export const IconButton = ({ label, icon: Icon, shortcut, className = '', ...rest }: IconButtonProps) => (
  <button
    type="button"
    className={`ui-icon-button ${className}`}
    aria-label={label}
    data-tip={label}
    data-tip-key={shortcut}
    {...rest}
  >
    <Icon size={16} strokeWidth={1.75} aria-hidden="true" />
  </button>
)

export const isMac = /Mac|iPhone|iPad/.test(navigator.platform)
/** `Mod-K` as this machine's keyboard shows it. */
export const keyLabel = (key: string): string =>
  key
    .replace('Mod-', isMac ? '⌘' : 'Ctrl ')
    .replace('Alt-', isMac ? '⌥' : 'Alt ')
    .replace('Shift-', isMac ? '⇧' : 'Shift ')
