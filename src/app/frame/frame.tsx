/**
 * The frame of every screen: a side panel, a bar on top, the screen itself. A screen fills the panel and the bar through
 * the properties of `Screen`; on a narrow window the panel is a drawer.
 */
import { Menu as MenuIcon, PanelLeft, Search } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { IconButton, keyLabel } from '../kit/button.tsx'
import { isTyping } from '../kit/typing.ts'
import { useStored } from '../session/stored.ts'
import { t } from '../texts/index.ts'
import { AccountMenu } from './account-menu.tsx'
import { openPalette } from './palette-state.ts'

export interface Crumb {
  label: string
  href?: string
}

interface ScreenProps {
  /** The name of the tab, and of the last crumb where none is given. */
  title: string
  crumbs?: readonly Crumb[]
  side: ReactNode
  /** What stands at the right of the bar. */
  actions?: ReactNode
  /** Whether the screen lays its own content out, up to the edges. */
  bare?: boolean
  children: ReactNode
}

export function Screen({ title, crumbs = [], side, actions, bare = false, children }: ScreenProps) {
  const [panel, setPanel] = useStored('lectern-side', 'open')
  const [drawer, setDrawer] = useState(false)
  const [here] = useLocation()
  const main = useRef<HTMLElement>(null)
  useEffect(() => {
    document.title = `${title} · Lectern`
  }, [title])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new address closes the drawer.
  useEffect(() => setDrawer(false), [here])
  useEffect(() => {
    const toggle = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') setDrawer(false)
      if (event.key !== '[' || isTyping(event)) return
      setPanel(panel === 'open' ? 'closed' : 'open')
    }
    addEventListener('keydown', toggle)
    return () => removeEventListener('keydown', toggle)
  }, [panel, setPanel])
  return (
    <div className="ui-frame" data-side={panel} data-drawer={drawer || undefined}>
      <button type="button" className="skip" onClick={() => main.current?.focus()}>
        {t.common.skip}
      </button>
      <nav className="ui-side" aria-label={t.nav.main}>
        <div className="ui-side-head">
          <AccountMenu />
          <IconButton
            label={t.nav.collapse}
            shortcut="["
            icon={PanelLeft}
            className="ui-wide-only"
            onClick={() => setPanel('closed')}
          />
        </div>
        <button type="button" className="ui-search" onClick={openPalette}>
          <Search size={15} strokeWidth={1.75} aria-hidden="true" />
          <span>{t.palette.hint}</span>
          <kbd>{keyLabel('Mod-K')}</kbd>
        </button>
        {side}
      </nav>
      {drawer && (
        <button type="button" className="ui-drawer-veil" aria-label={t.common.close} onClick={() => setDrawer(false)} />
      )}
      <div className="ui-body">
        <header className="ui-top">
          <IconButton label={t.nav.menu} icon={MenuIcon} className="ui-narrow-only" onClick={() => setDrawer(true)} />
          {panel === 'closed' && (
            <IconButton
              label={t.nav.expand}
              shortcut="["
              icon={PanelLeft}
              className="ui-wide-only"
              onClick={() => setPanel('open')}
            />
          )}
          <Crumbs crumbs={crumbs.length > 0 ? crumbs : [{ label: title }]} />
          <div className="ui-top-actions">{actions}</div>
        </header>
        <main id="main" className={bare ? 'ui-main bare' : 'ui-main'} tabIndex={-1} ref={main}>
          {children}
        </main>
      </div>
    </div>
  )
}

function Crumbs({ crumbs }: { crumbs: readonly Crumb[] }) {
  return (
    <nav className="ui-crumbs" aria-label={t.nav.breadcrumbs}>
      <ol>
        {crumbs.map(({ label, href }, index) => (
          <li key={href ?? label}>
            {href === undefined ? (
              <span aria-current={index === crumbs.length - 1 ? 'page' : undefined}>{label}</span>
            ) : (
              <Link href={href}>{label}</Link>
            )}
          </li>
        ))}
      </ol>
    </nav>
  )
}
