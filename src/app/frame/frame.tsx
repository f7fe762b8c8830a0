/**
 * The frame of every screen: a side panel, a bar on top, the screen itself. The panel belongs to the frame and stays
 * while screens change; what stands in the bar is each screen's own, put there by `Top`. On a narrow window the panel is
 * a drawer.
 */
import { Menu as MenuIcon, PanelLeft, Search } from 'lucide-react'
import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { Link, useLocation } from 'wouter'
import { IconButton, keyLabel } from '../kit/button.tsx'
import { isTyping } from '../kit/typing.ts'
import { useStored } from '../session/stored.ts'
import { t } from '../texts/index.ts'
import { AccountMenu } from './account-menu.tsx'
import { Notifications } from './notifications.tsx'
import { openPalette, openPaletteByKeys } from './palette-state.ts'
import { Rest, useRestIsDue } from './rest.tsx'

const BarContext = createContext<HTMLElement | null>(null)

interface FrameProps {
  side: ReactNode
  /** Whether screens lay their own content out, up to the edges. */
  bare?: boolean
  children: ReactNode
}

const goesSomewhere = 'a, [role="treeitem"]'

export function Frame({ side, bare = false, children }: FrameProps) {
  const [panel, setPanel] = useStored('lectern-side', 'open')
  const [drawer, setDrawer] = useState(false)
  const [bar, setBar] = useState<HTMLElement | null>(null)
  const [here] = useLocation()
  const isBarDue = useRestIsDue()
  const main = useRef<HTMLElement>(null)
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
  useEffect(() => {
    addEventListener('keydown', openPaletteByKeys)
    return () => removeEventListener('keydown', openPaletteByKeys)
  }, [])
  return (
    <div className="ui-frame" data-side={panel} data-drawer={drawer || undefined}>
      <button type="button" className="skip" onClick={() => main.current?.focus()}>
        {t.common.skip}
      </button>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: Enter is a click on a link, and keys leave the drawer by Escape. */}
      <nav
        className="ui-side"
        aria-label={t.nav.main}
        // Also where one goes to what is shown already.
        onClick={({ target }) => {
          if (target instanceof Element && target.closest(goesSomewhere) && !target.closest('button')) setDrawer(false)
        }}
      >
        <Rest>
          <div className="ui-side-head">
            <AccountMenu />
            <Notifications />
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
        </Rest>
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
          <div className="ui-top-slot" ref={isBarDue ? setBar : null} />
        </header>
        <main id="main" className={bare ? 'ui-main bare' : 'ui-main'} tabIndex={-1} ref={main}>
          <BarContext value={bar}>{children}</BarContext>
        </main>
      </div>
    </div>
  )
}

/** Whether the bar is drawn yet. */
export const useHasBar = (): boolean => useContext(BarContext) !== null

export interface Crumb {
  label: string
  href?: string | undefined
}

/** The way here and what can be done, in the bar; also the name of the tab. */
export function Top({
  title,
  crumbs = [],
  children,
}: {
  title: string
  crumbs?: readonly Crumb[]
  children?: ReactNode
}) {
  const bar = useContext(BarContext)
  useEffect(() => {
    document.title = `${title || t.common.untitled} · Lectern`
  }, [title])
  if (!bar) return null
  return createPortal(
    <>
      <Crumbs crumbs={[...crumbs, { label: title || t.common.untitled }]} />
      <div className="ui-top-actions">{children}</div>
    </>,
    bar,
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

/** A link of the side panel. */
export function SideLink({
  href,
  icon: Icon,
  children,
  count,
  exact = false,
  also = [],
}: {
  href: string
  icon: import('lucide-react').LucideIcon
  children: ReactNode
  count?: number | undefined
  exact?: boolean
  /** Other addresses of what it leads to. */
  also?: readonly string[]
}) {
  const [here] = useLocation()
  const isHere = [href, ...also].some((path) => here === path || (!exact && here.startsWith(`${path}/`)))
  return (
    <Link className="ui-side-link" href={href} aria-current={isHere ? 'page' : undefined}>
      <Icon size={16} strokeWidth={1.75} aria-hidden="true" />
      <span className="label">{children}</span>
      {count !== undefined && count > 0 && <span className="count">{count}</span>}
    </Link>
  )
}
