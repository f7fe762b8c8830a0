/** The palette behind Mod-K: go anywhere, do anything, search what is written. */
import { FileText, Home, Search, TextSearch } from 'lucide-react'
import { startTransition, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { useLocation } from 'wouter'
import { type Ariakit, useLayers } from '../kit/layers.ts'
import { type ContentTarget, type PageNode, pagesKey } from '../pages/content-target.ts'
import { queries, useCall } from '../session/client.ts'
import { useRecentPages } from '../session/recent.ts'
import { useSession } from '../session/session.tsx'
import { useStored } from '../session/stored.ts'
import { NewCollectionDialog, NewSpaceDialog } from '../spaces/new-space.tsx'
import { t } from '../texts/index.ts'
import { add } from '../tree/moves.ts'
import { openKeys } from './keys.tsx'
import { actionsOf, type Doings, type Entry, pagesOf, screensOf, sitesOf, spacesOf } from './palette-entries.ts'
import { paletteState } from './palette-state.ts'
import { paths } from './paths.ts'

interface Group {
  title: string
  entries: Entry[]
}

export function Palette() {
  const open = useSyncExternalStore(paletteState.subscribe, paletteState.get)
  const [asked, ask] = useState<'space' | 'collection' | undefined>()
  const { organization } = useSession()
  // Made when it is first opened, and kept, so that it can give the focus back when it closes.
  const wasOpen = useRef(false)
  wasOpen.current ||= open
  const ariakit = useLayers(open, () => paletteState.set(false))
  return (
    <>
      {wasOpen.current && ariakit && (
        <ariakit.Dialog
          open={open}
          onClose={() => paletteState.set(false)}
          unmountOnHide
          aria-label={t.palette.title}
          className="ui-palette"
          backdrop={<div className="ui-backdrop" />}
        >
          {open && <PaletteList ariakit={ariakit} ask={ask} />}
        </ariakit.Dialog>
      )}
      {organization && (
        <>
          <NewSpaceDialog open={asked === 'space'} onClose={() => ask(undefined)} organizationId={organization.id} />
          <NewCollectionDialog
            open={asked === 'collection'}
            onClose={() => ask(undefined)}
            organizationId={organization.id}
          />
        </>
      )}
    </>
  )
}

function PaletteList({ ariakit, ask }: { ariakit: Ariakit; ask: (what: 'space' | 'collection') => void }) {
  const { organization, organizations, chooseOrganization } = useSession()
  const [here, navigate] = useLocation()
  const [, setScheme] = useStored('lectern-theme', 'system')
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
  const [, space, number] = /^\/s\/([^/]+)(?:\/c\/(\d+))?/.exec(here) ?? []

  // biome-ignore lint/correctness/useExhaustiveDependencies: navigation and the callbacks stay what they are while it is open.
  const groups = useMemo((): Group[] => {
    const go = (path: string) => () => navigate(path)
    const at = { organization, space }
    const open = (page: string) => go(paths.page(space ?? '', page, number === undefined ? undefined : Number(number)))
    const target = space === undefined ? undefined : contentHere(space, number)
    const doings: Doings = {
      go,
      newSpace: () => ask('space'),
      newCollection: () => ask('collection'),
      newPage: target && (() => void add(target, { title: t.common.untitled }).then((id) => id && open(id)())),
      showKeys: openKeys,
      setScheme: (scheme) => {
        document.documentElement.dataset.theme = scheme
        setScheme(scheme)
      },
    }
    const goes = [
      ...screensOf(at, doings),
      ...spacesOf(spaces.data?.items ?? [], doings),
      ...sitesOf(sites.data?.items ?? [], doings),
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
      id: `page-${page}`,
      label: title || t.common.untitled,
      detail: spaceTitle,
      icon: FileText,
      run: go(paths.page(of, page)),
    }))
    const content: Entry[] = (asked.length > 1 ? (found.data?.items ?? []) : []).flatMap(
      ({ id: of, title: spaceTitle, pages }) =>
        pages.map(({ id, title, sections }) => ({
          id: `page-${id}`,
          label: title,
          detail: sections[0]?.body ? `${spaceTitle}: ${sections[0].body}` : spaceTitle,
          icon: TextSearch,
          run: go(paths.page(of, id)),
        })),
    )
    const pages =
      target && words.trim() !== ''
        ? pagesOf(queries.getQueryData<PageNode[]>(pagesKey(target)) ?? [], words.trim(), { open })
        : []
    const named = (): Entry[] => {
      const known = opened.filter(fits)
      return [...known, ...pages.filter(({ id }) => !known.some((entry) => entry.id === id))]
    }
    const fits = ({ label }: Entry): boolean => label.toLocaleLowerCase().includes(words.trim().toLocaleLowerCase())
    const isEmpty = words.trim() === ''
    return [
      { title: t.palette.pages, entries: isEmpty ? opened.slice(0, 6) : named() },
      { title: t.palette.go, entries: isEmpty ? goes.slice(0, 8) : goes.filter(fits).slice(0, 12) },
      { title: t.palette.do, entries: actionsOf(at, doings).filter(fits) },
      {
        title: t.palette.content,
        entries: content.filter(({ id }) => isEmpty || !named().some((entry) => entry.id === id)),
      },
    ].filter(({ entries }) => entries.length > 0)
  }, [words, asked, spaces.data, sites.data, found.data, recent, organizations, organizationId, space, number])

  const run = (entry: Entry): void => {
    paletteState.set(false)
    entry.run()
  }
  return (
    <ariakit.ComboboxProvider
      open
      setValue={(value) => startTransition(() => setWords(value))}
      includesBaseElement={false}
      focusLoop
    >
      <div className="ui-palette-head">
        <Search size={18} strokeWidth={1.75} aria-hidden="true" />
        <ariakit.Combobox
          className="ui-palette-field"
          placeholder={t.palette.placeholder}
          aria-label={t.palette.placeholder}
          autoSelect="always"
          autoFocus
        />
      </div>
      <ariakit.ComboboxList className="ui-palette-list" alwaysVisible aria-label={t.palette.title}>
        {groups.map(({ title, entries }) => (
          <ariakit.ComboboxGroup key={title}>
            <ariakit.ComboboxGroupLabel className="ui-palette-label">{title}</ariakit.ComboboxGroupLabel>
            {entries.map((entry) => (
              <ariakit.ComboboxItem
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
              </ariakit.ComboboxItem>
            ))}
          </ariakit.ComboboxGroup>
        ))}
        {groups.length === 0 && (
          <p className="ui-palette-none" role="status">
            {found.isFetching ? t.palette.searching : t.palette.none}
          </p>
        )}
      </ariakit.ComboboxList>
    </ariakit.ComboboxProvider>
  )
}

const contentHere = (space: string, number: string | undefined): ContentTarget => {
  if (number === undefined) return { space }
  // Content is known by the id of its change request, addresses by its number.
  const request = queries.getQueryData<{ id: string }>([
    'getChangeRequestById',
    { spaceId: space, changeRequestId: number },
  ])
  return { space, changeRequest: request?.id ?? number }
}

function useDebounced(value: string): string {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(setSettled, 150, value)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
