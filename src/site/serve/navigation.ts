/**
 * The pages of one place of a site, as one kind of visitor sees them: as a tree for the side, by id and by path for
 * references and addresses, and in reading order for previous and next. Made once for each revision and set of claims;
 * afterwards a page costs what it shows, whatever the size of the space.
 */
import { LRUCache } from 'lru-cache'
import type { z } from 'zod'
import type { Page as PageShape } from '../../contract/pages.ts'
import type { TreeItem } from '../layout/tree.ts'
import { fileHref, hrefBelow, joined } from './addresses.ts'
import type { Place, Profile } from './profile.ts'
import type { Visiting } from './visiting.ts'

export type Page = z.output<typeof PageShape>

export interface Entry {
  page: Page
  parent: Entry | undefined
  /** The path in the space. */
  path: string
  href: string
  /** Absent for pages that the tree does not list. */
  item: TreeItem | undefined
  /** Where it stands in reading order, among the pages that are listed. */
  at: number | undefined
}

export interface Navigation {
  roots: readonly TreeItem[]
  byId: ReadonlyMap<string, Entry>
  byPath: ReadonlyMap<string, Entry>
  inOrder: readonly Entry[]
  /** The page that opens the place. */
  first: Entry | undefined
}

const pagesInCache = 200_000
const navigations = new LRUCache<string, Navigation>({
  maxSize: pagesInCache,
  sizeCalculation: ({ byId }) => byId.size + 1,
})
const underWay = new Map<string, Promise<Navigation>>()

export async function navigationOf(visiting: Visiting, profile: Profile, place: Place): Promise<Navigation> {
  const address = profile.addressOf(place)
  const { space } = place.about
  const key = [visiting.site.basePath, address, place.id, space.revision, visiting.claims].join('\n')
  const known = navigations.get(key)
  if (known) return known
  let reading = underWay.get(key)
  if (!reading) {
    reading = read(visiting, { place, address, isAlone: profile.structure.spaces.length === 1 })
    underWay.set(key, reading)
    reading
      .then((made) => navigations.set(key, made))
      .catch(() => {})
      .finally(() => underWay.delete(key))
  }
  return reading
}

interface Spot {
  place: Place
  address: string
  /** The only place of the site: then the id of a page says enough. */
  isAlone: boolean
}

async function read({ client, site }: Visiting, spot: Spot): Promise<Navigation> {
  const spaceId = spot.place.about.space.id
  const { pages } = await client.listPages({ spaceId, query: { metadata: false } })
  const made = new Builder(site.basePath, spot)
  const roots = made.level(pages, undefined, undefined, false)
  made.leadLinks()
  return { roots, byId: made.byId, byPath: made.byPath, inOrder: made.inOrder, first: made.inOrder[0] }
}

class Builder {
  readonly byId = new Map<string, Entry>()
  readonly byPath = new Map<string, Entry>()
  readonly inOrder: Entry[] = []
  readonly #base: string
  readonly #spot: Spot
  readonly #links: { item: TreeItem; page: Page }[] = []

  constructor(base: string, spot: Spot) {
    this.#base = base
    this.#spot = spot
  }

  level(pages: readonly Page[], parent: Entry | undefined, above: TreeItem | undefined, isHidden: boolean): TreeItem[] {
    const items: TreeItem[] = []
    for (const page of pages) {
      const hidden = isHidden || page.hidden === true
      const item = hidden ? undefined : itemOf(page, this.idOf(page), above)
      const entry = this.#add(page, parent, item)
      const children = this.level(page.pages ?? [], entry, item, hidden)
      if (item) {
        item.children = children
        // A group without pages would be a label over nothing.
        if (page.type !== 'group' || children.length > 0) items.push(item)
      }
    }
    return items
  }

  idOf(page: Page): string {
    return this.#spot.isAlone ? page.id : `${this.#spot.place.id}.${page.id}`
  }

  #add(page: Page, parent: Entry | undefined, item: Open | undefined): Entry {
    const path = page.path ?? ''
    const isRead = page.type === 'document' || page.type === 'computed'
    const isFirst = isRead && item !== undefined && this.inOrder.length === 0
    const href = hrefBelow(this.#base, joined(this.#spot.address, isFirst ? '' : path))
    const entry: Entry = { page, parent, path, href, item, at: undefined }
    this.byId.set(page.id, entry)
    if (page.type === 'link') {
      if (item) this.#links.push({ item, page })
      return entry
    }
    this.byPath.set(path, entry)
    if (item && isRead) {
      item.href = href
      entry.at = this.inOrder.push(entry) - 1
    }
    return entry
  }

  /** Pages that are links lead to other pages, which are all known only now. */
  leadLinks(): void {
    for (const { item, page } of this.#links) {
      const href = this.#hrefOf(page)
      if (href !== undefined) Object.assign(item, { href })
    }
  }

  #hrefOf({ target, href, title }: Page): string | undefined {
    if (href !== undefined) return href
    if (
      target?.page !== undefined &&
      (target.space === undefined || target.space === this.#spot.place.about.space.id)
    ) {
      const anchor = target.kind === 'anchor' && target.anchor ? `#${encodeURIComponent(target.anchor)}` : ''
      const found = this.byId.get(target.page)
      return found && `${found.href}${anchor}`
    }
    if (target?.kind !== 'file' || target.file === undefined) return undefined
    const space = target.space ?? this.#spot.place.about.space.id
    return fileHref(this.#base, { space, id: target.file, tag: '-', name: title })
  }
}

type Open = TreeItem & { children: readonly TreeItem[] }

function itemOf(page: Page, id: string, parent: TreeItem | undefined): Open {
  return {
    id,
    kind: page.type === 'group' ? 'group' : page.type === 'link' ? 'link' : 'page',
    title: page.linkTitle ?? page.title,
    ...(page.icon === undefined ? {} : { icon: page.icon }),
    ...(page.emoji === undefined ? {} : { emoji: page.emoji }),
    ...(parent === undefined ? {} : { parent }),
    children: [],
  }
}

/** From the top down to what stands above an entry. */
export function above(entry: Entry): Entry[] {
  const line: Entry[] = []
  for (let one = entry.parent; one; one = one.parent) line.unshift(one)
  return line
}

/** The first page that can be read in or below an entry. */
export function readable(navigation: Navigation, entry: Entry): Entry | undefined {
  if (entry.page.type === 'document' || entry.page.type === 'computed') return entry
  for (const child of entry.page.pages ?? []) {
    const below = navigation.byId.get(child.id)
    const found = below && below.page.hidden !== true ? readable(navigation, below) : undefined
    if (found) return found
  }
  return undefined
}
