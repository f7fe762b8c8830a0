/** The palette behind Mod-K: go anywhere, do anything, search what is written. */
import * as Ariakit from '@ariakit/react'
import {
  BookOpen,
  FilePen,
  FileText,
  Globe,
  Home,
  type LucideIcon,
  Plus,
  Search,
  TextSearch,
  Trash2,
  User,
} from 'lucide-react'
import { startTransition, useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { useLocation } from 'wouter'
import { queries, useCall } from '../session/client.ts'
import { useRecentPages } from '../session/recent.ts'
import { useSession } from '../session/session.tsx'
import { NewSpaceDialog } from '../spaces/new-space.tsx'
import { t } from '../texts/index.ts'
import { openKeys } from './keys.tsx'
import { paletteState } from './palette-state.ts'
import { paths } from './paths.ts'

interface Entry {
  id: string
  label: string
  detail?: string | undefined
  icon: LucideIcon
  run: () => void
}

interface Group {
  title: string
  entries: Entry[]
}

export function Palette() {
  const open = useSyncExternalStore(paletteState.subscribe, paletteState.get)
  const [newSpace, setNewSpace] = useState(false)
  const { organization } = useSession()
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const isPalette =
        (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && /^[kp]$/i.test(event.key)
      if (!isPalette || event.defaultPrevented) return
      event.preventDefault()
      paletteState.set(true)
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
  return (
    <>
      <Ariakit.Dialog
        open={open}
        onClose={() => paletteState.set(false)}
        unmountOnHide
        aria-label={t.palette.title}
        className="ui-palette"
        backdrop={<div className="ui-backdrop" />}
      >
        {open && <PaletteList onNewSpace={() => setNewSpace(true)} />}
      </Ariakit.Dialog>
      {organization && (
        <NewSpaceDialog open={newSpace} onClose={() => setNewSpace(false)} organizationId={organization.id} />
      )}
    </>
  )
}

function PaletteList({ onNewSpace }: { onNewSpace: () => void }) {
  const { organization, organizations, chooseOrganization } = useSession()
  const [here, navigate] = useLocation()
  const [words, setWords] = useState('')
  const asked = useDebounced(words.trim())
  const organizationId = organization?.id ?? ''
  const recent = useRecentPages()
  const enabled = organizationId !== ''
  const spaces = useCall('listSpacesInOrganizationById', { organizationId, query: { limit: 1000 } }, { enabled })
  const sites = useCall('listSites', { organizationId, query: { limit: 200 } }, { enabled })
  const found = useCall(
    'searchOrganizationContent',
    { organizationId, query: { query: asked, limit: 8 } },
    { enabled: enabled && asked.length > 1, keep: true },
  )
  const space = /^\/s\/([^/]+)/.exec(here)?.[1]

  const go = (path: string) => () => navigate(path)
  // biome-ignore lint/correctness/useExhaustiveDependencies: navigation and the callbacks stay what they are while it is open.
  const groups = useMemo((): Group[] => {
    const does: Entry[] = [
      { id: 'new-space', label: t.spaces.newSpace, icon: Plus, run: onNewSpace },
      ...(space
        ? [
            { id: 'changes', label: t.changes.title, icon: FilePen, run: go(paths.changeRequests(space)) },
            { id: 'files', label: t.nav.files, icon: FileText, run: go(paths.files(space)) },
            { id: 'history', label: t.nav.history, icon: FileText, run: go(paths.history(space)) },
          ]
        : []),
      { id: 'keys', label: t.nav.keys, icon: FileText, run: openKeys },
      ...(['light', 'dark', 'system'] as const).map((scheme) => ({
        id: scheme,
        label: `${t.nav.theme}: ${t.nav[scheme]}`,
        icon: Home,
        run: () => {
          document.documentElement.dataset.theme = scheme
          localStorage.setItem('lectern-theme', scheme)
        },
      })),
    ]
    const goes: Entry[] = [
      { id: 'home', label: t.nav.home, icon: Home, run: go(paths.home) },
      { id: 'all-changes', label: t.nav.changes, icon: FilePen, run: go(paths.changesOfAll) },
      { id: 'sites', label: t.nav.sites, icon: Globe, run: go(paths.sites) },
      { id: 'trash', label: t.nav.trash, icon: Trash2, run: go(paths.trash(organizationId)) },
      { id: 'profile', label: t.nav.profile, icon: User, run: go(paths.profile) },
      ...(spaces.data?.items ?? []).map(({ id, title }) => ({
        id,
        label: title,
        icon: BookOpen,
        run: go(paths.space(id)),
      })),
      ...(sites.data?.items ?? []).map(({ id, title }) => ({ id, label: title, icon: Globe, run: go(paths.site(id)) })),
      ...organizations
        .filter(({ id }) => id !== organizationId)
        .map(({ id, title }) => ({
          id,
          label: title,
          icon: Home,
          run: () => {
            chooseOrganization(id)
            queries.clear()
            navigate(paths.home)
          },
        })),
    ]
    const opened: Entry[] = recent.map(({ space: of, page, title, spaceTitle }) => ({
      id: `recent-${page}`,
      label: title || t.common.untitled,
      detail: spaceTitle,
      icon: FileText,
      run: go(paths.page(of, page)),
    }))
    const content: Entry[] = (asked.length > 1 ? (found.data?.items ?? []) : []).flatMap(
      ({ id: of, title: spaceTitle, pages }) =>
        pages.map(({ id, title, sections }) => ({
          id: `found-${id}`,
          label: title,
          detail: sections[0]?.body ? `${spaceTitle}: ${sections[0].body}` : spaceTitle,
          icon: TextSearch,
          run: go(paths.page(of, id)),
        })),
    )
    const fits = ({ label }: Entry): boolean => label.toLocaleLowerCase().includes(words.trim().toLocaleLowerCase())
    const isEmpty = words.trim() === ''
    return [
      { title: t.palette.pages, entries: isEmpty ? opened.slice(0, 6) : opened.filter(fits) },
      { title: t.palette.go, entries: isEmpty ? goes.slice(0, 8) : goes.filter(fits).slice(0, 12) },
      { title: t.palette.do, entries: does.filter(fits) },
      {
        title: t.palette.content,
        entries: content.filter(
          ({ id }) => !opened.some((entry) => fits(entry) && entry.id === id.replace('found', 'recent')),
        ),
      },
    ].filter(({ entries }) => entries.length > 0)
  }, [words, asked, spaces.data, sites.data, found.data, recent, organizations, organizationId, space])

  const run = (entry: Entry): void => {
    paletteState.set(false)
    entry.run()
  }
  return (
    <Ariakit.ComboboxProvider
      open
      setValue={(value) => startTransition(() => setWords(value))}
      includesBaseElement={false}
      focusLoop
    >
      <div className="ui-palette-head">
        <Search size={18} strokeWidth={1.75} aria-hidden="true" />
        <Ariakit.Combobox
          className="ui-palette-field"
          placeholder={t.palette.placeholder}
          aria-label={t.palette.placeholder}
          autoSelect="always"
          autoFocus
        />
      </div>
      <Ariakit.ComboboxList className="ui-palette-list" alwaysVisible aria-label={t.palette.title}>
        {groups.map(({ title, entries }) => (
          <Ariakit.ComboboxGroup key={title}>
            <Ariakit.ComboboxGroupLabel className="ui-palette-label">{title}</Ariakit.ComboboxGroupLabel>
            {entries.map((entry) => (
              <Ariakit.ComboboxItem
                key={entry.id}
                value={entry.label}
                className="ui-palette-item"
                setValueOnClick={false}
                hideOnClick={false}
                focusOnHover
                onClick={() => run(entry)}
              >
                <entry.icon size={16} strokeWidth={1.75} aria-hidden="true" />
                <span className="label">{entry.label}</span>
                {entry.detail && <span className="detail">{entry.detail}</span>}
              </Ariakit.ComboboxItem>
            ))}
          </Ariakit.ComboboxGroup>
        ))}
        {groups.length === 0 && (
          <p className="ui-palette-none" role="status">
            {found.isFetching ? t.palette.searching : t.palette.none}
          </p>
        )}
      </Ariakit.ComboboxList>
    </Ariakit.ComboboxProvider>
  )
}

function useDebounced(value: string): string {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(setSettled, 150, value)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
