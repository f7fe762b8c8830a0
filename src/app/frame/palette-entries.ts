/** What the palette offers: where one can go and what one can do from here. Pure, but for what an entry runs. */
import {
  BookOpen,
  Braces,
  FileInput,
  FilePen,
  FilePlus,
  FileText,
  FolderPlus,
  Globe,
  History,
  Home,
  Image,
  Keyboard,
  Languages,
  Link2Off,
  type LucideIcon,
  Monitor,
  Moon,
  Plus,
  Settings,
  Sun,
  Trash2,
  User,
  Users,
} from 'lucide-react'
import { t } from '../texts/index.ts'
import { paths } from './paths.ts'

export interface Entry {
  id: string
  label: string
  detail?: string | undefined
  icon: LucideIcon
  run: () => void
}

export interface Doings {
  go: (path: string) => () => void
  newSpace: () => void
  newCollection: () => void
  /** Only where pages can be written. */
  newPage?: (() => void) | undefined
  showKeys: () => void
  setScheme: (scheme: 'light' | 'dark' | 'system') => void
}

interface Here {
  organization:
    | { id: string; permissions: { admin: boolean; createContent: boolean; listMembers: boolean } }
    | undefined
  /** The space that is open. */
  space: string | undefined
}

const schemeIcons = { light: Sun, dark: Moon, system: Monitor }

/** What can be done, what concerns the open space first. */
export function actionsOf({ organization, space }: Here, doings: Doings): Entry[] {
  const { go } = doings
  const canCreate = organization?.permissions.createContent === true
  return [
    ...(doings.newPage ? [{ id: 'new-page', label: t.tree.newPage, icon: FilePlus, run: doings.newPage }] : []),
    ...(space
      ? [
          {
            id: 'new-change',
            label: t.palette.newChangeRequest,
            icon: FilePen,
            run: go(`${paths.changeRequests(space)}?new`),
          },
        ]
      : []),
    ...(canCreate
      ? [
          { id: 'new-space', label: t.spaces.newSpace, icon: Plus, run: doings.newSpace },
          { id: 'new-collection', label: t.spaces.newCollection, icon: FolderPlus, run: doings.newCollection },
        ]
      : []),
    { id: 'keys', label: t.nav.keys, icon: Keyboard, run: doings.showKeys },
    ...(['light', 'dark', 'system'] as const).map((scheme) => ({
      id: scheme,
      label: `${t.nav.theme}: ${t.nav[scheme]}`,
      icon: schemeIcons[scheme],
      run: () => doings.setScheme(scheme),
    })),
  ]
}

/** The screens of the open space and of the organization. */
export function screensOf({ organization, space }: Here, { go }: Doings): Entry[] {
  return [
    { id: 'home', label: t.nav.home, icon: Home, run: go(paths.home) },
    ...(space
      ? [
          { id: 'changes', label: t.nav.changes, icon: FilePen, run: go(paths.changeRequests(space)) },
          { id: 'files', label: t.nav.files, icon: Image, run: go(paths.files(space)) },
          { id: 'links', label: t.nav.links, icon: Link2Off, run: go(paths.links(space)) },
          { id: 'history', label: t.nav.history, icon: History, run: go(paths.history(space)) },
          { id: 'settings', label: t.spaces.settings, icon: Settings, run: go(paths.settings(space)) },
        ]
      : []),
    { id: 'all-changes', label: t.nav.allChanges, icon: FilePen, run: go(paths.changesOfAll) },
    { id: 'sites', label: t.nav.sites, icon: Globe, run: go(paths.sites) },
    ...(organization
      ? [
          ...(organization.permissions.listMembers
            ? [{ id: 'members', label: t.nav.members, icon: Users, run: go(paths.members(organization.id)) }]
            : []),
          ...(organization.permissions.createContent
            ? [{ id: 'imports', label: t.nav.imports, icon: FileInput, run: go(paths.imports(organization.id)) }]
            : []),
          ...(organization.permissions.listMembers
            ? [{ id: 'specs', label: t.nav.specs, icon: Braces, run: go(paths.specs(organization.id)) }]
            : []),
          ...(organization.permissions.admin
            ? [
                {
                  id: 'translations',
                  label: t.nav.translations,
                  icon: Languages,
                  run: go(paths.translations(organization.id)),
                },
              ]
            : []),
          {
            id: 'organization',
            label: t.nav.organization,
            icon: Settings,
            run: go(paths.organizationTab(organization.id, 'settings')),
          },
          { id: 'trash', label: t.nav.trash, icon: Trash2, run: go(paths.trash(organization.id)) },
        ]
      : []),
    { id: 'profile', label: t.nav.profile, icon: User, run: go(paths.profile) },
  ]
}

interface Titled {
  id: string
  title: string
}

export const spacesOf = (spaces: readonly Titled[], { go }: Doings): Entry[] =>
  spaces.map(({ id, title }) => ({
    id,
    label: title || t.common.untitled,
    detail: t.palette.space,
    icon: BookOpen,
    run: go(paths.space(id)),
  }))

export const sitesOf = (sites: readonly Titled[], { go }: Doings): Entry[] =>
  sites.map(({ id, title }) => ({ id, label: title, detail: t.sites.site, icon: Globe, run: go(paths.site(id)) }))

interface PageLike extends Titled {
  pages?: readonly PageLike[] | undefined
}

/** The pages of the open space whose titles hold the words; of ten thousand only the first few. */
export function pagesOf(
  pages: readonly PageLike[],
  words: string,
  { most = 12, open }: { most?: number; open: (page: string) => () => void },
): Entry[] {
  const wanted = words.toLocaleLowerCase()
  const found: Entry[] = []
  const collect = (list: readonly PageLike[]): void => {
    for (const { id, title, pages: below } of list) {
      if (found.length >= most) return
      if (title.toLocaleLowerCase().includes(wanted))
        found.push({ id: `page-${id}`, label: title || t.common.untitled, icon: FileText, run: open(id) })
      collect(below ?? [])
    }
  }
  collect(pages)
  return found
}
