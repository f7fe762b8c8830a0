/**
 * The pages of one place of a site, as one kind of visitor sees them. They are read level by level when they are needed, and
 * kept for the revision: a page costs what stands around it, whatever the size of the space.
 */

import type { z } from 'zod'
import { CallFailed } from '../../client/client.ts'
import type { Page as PageShape } from '../../contract/content/pages.ts'
import { defineCache } from '../../core/caches.ts'
import type { TreeItem } from '../layout/tree.ts'
import { fileHref, hrefBelow } from './addresses.ts'
import type { Profile, ServedSpace } from './profile.ts'
import type { Visiting } from './visiting.ts'

export type Page = z.output<typeof PageShape>

/** What references need to know of a page. */
export interface Known {
  page: Page
  href: string
  /** The titles of those above it. */
  above: readonly string[]
}

export interface Entry {
  page: Page
  parent: Entry | undefined
  /** The path in the space. */
  path: string
  href: string
  /** Absent for pages that the tree does not list. */
  item: TreeItem | undefined
}

/** Of closed branches around a page so many pages are read along, so that most sites fold and unfold without asking. */
const readAlong = 150
/** What a page takes beside its texts: itself, its entry, its line in the tree. Measured. */
const pageBytes = 1200

export class Navigation {
  readonly #spot: Spot
  readonly #levels = new Map<string, Promise<readonly Entry[]>>()
  readonly #known = new Map<string, Promise<Known | undefined>>()
  /** Of the levels that were read, by id and by path. */
  readonly #entries = new Map<string, Entry>()
  readonly #paths = new Map<string, Entry>()
  #first: Promise<Entry | undefined> | undefined
  readonly #grew: () => void
  /** About how much memory it takes. */
  bytes = 1000

  constructor(spot: Spot, grew: () => void) {
    this.#spot = spot
    this.#grew = grew
  }

  #hold(pages: readonly Page[]): void {
    for (const page of pages) this.bytes += pageBytes + 4 * (page.title.length + (page.path?.length ?? 0))
    this.#grew()
  }

  /** The pages below an entry in order, also those that the tree does not list. */
  level(visiting: Visiting, parent: Entry | undefined): Promise<readonly Entry[]> {
    const key = parent?.page.id ?? ''
    let reading = this.#levels.get(key)
    if (!reading) {
      reading = this.#read(visiting, parent)
      this.#levels.set(key, reading)
      reading.catch(() => this.#levels.delete(key))
    }
    return reading
  }

  async #read(visiting: Visiting, parent: Entry | undefined): Promise<readonly Entry[]> {
    const query = parent ? { parent: parent.page.id } : {}
    const { pages } = await visiting.client.listChildPages({ spaceId: this.#spot.spaceId, query })
    this.#hold(pages)
    const isHidden = parent !== undefined && parent.item === undefined
    const entries = pages.map((page) => this.#entryOf(page, parent, isHidden || page.hidden === true))
    const items = entries.flatMap(({ item }) => (item && !isBare(item) ? [item] : []))
    if (parent?.item) Object.assign(parent.item, { children: items, isUnread: false })
    for (const entry of entries) if (entry.item?.kind === 'link') await this.#lead(visiting, entry, entry.item)
    for (const entry of entries) {
      this.#entries.set(entry.page.id, entry)
      if (entry.path !== '') this.#paths.set(entry.path, entry)
    }
    return entries
  }

  #entryOf(page: Page, parent: Entry | undefined, isHidden: boolean): Entry {
    const path = page.path ?? ''
    const href = hrefBelow(this.#spot.basePath, this.#spot.addressOf(path))
    const item = isHidden ? undefined : itemOf(page, this.#spot.idOf(page.id), parent?.item)
    if (item && isRead(page)) item.href = href
    return { page, parent, path, href, item }
  }

  /** The page that opens the place, which has the place's own address. */
  first(visiting: Visiting): Promise<Entry | undefined> {
    this.#first ??= this.#open(visiting).catch((error: unknown) => {
      this.#first = undefined
      throw error
    })
    return this.#first
  }

  async #open(visiting: Visiting): Promise<Entry | undefined> {
    const found = await this.firstRead(visiting, await this.level(visiting, undefined))
    if (!found) return undefined
    found.href = hrefBelow(this.#spot.basePath, this.#spot.addressOf(''))
    if (found.item) found.item.href = found.href
    return found
  }

  /** In reading order the first page to read among these and below them. */
  async firstRead(visiting: Visiting, entries: readonly Entry[]): Promise<Entry | undefined> {
    for (const entry of entries) {
      if (!entry.item) continue
      if (isRead(entry.page)) return entry
      const inside = entry.page.hasPages ? await this.firstRead(visiting, await this.level(visiting, entry)) : undefined
      if (inside) return inside
    }
    return undefined
  }

  async #lastRead(visiting: Visiting, entries: readonly Entry[]): Promise<Entry | undefined> {
    for (const entry of entries.toReversed()) {
      if (!entry.item) continue
      const inside = entry.page.hasPages ? await this.#lastRead(visiting, await this.level(visiting, entry)) : undefined
      if (inside) return inside
      if (isRead(entry.page)) return entry
    }
    return undefined
  }

  /** The next page to read, in the order of the tree. */
  async next(visiting: Visiting, entry: Entry): Promise<Entry | undefined> {
    if (!entry.item) return undefined
    const below = entry.page.hasPages ? await this.firstRead(visiting, await this.level(visiting, entry)) : undefined
    if (below) return below
    for (let one: Entry | undefined = entry; one; one = one.parent) {
      const beside = await this.level(visiting, one.parent)
      const found = await this.firstRead(visiting, beside.slice(beside.indexOf(one) + 1))
      if (found) return found
    }
    return undefined
  }

  async previous(visiting: Visiting, entry: Entry): Promise<Entry | undefined> {
    if (!entry.item) return undefined
    for (let one: Entry | undefined = entry; one; one = one.parent) {
      const beside = await this.level(visiting, one.parent)
      const found = await this.#lastRead(visiting, beside.slice(0, beside.indexOf(one)))
      if (found) return found
      if (one.parent && isRead(one.parent.page)) return one.parent
    }
    return undefined
  }

  /** The page at a path, also one that it once had, with the levels on the way to it. */
  async at(visiting: Visiting, path: string): Promise<Entry | undefined> {
    const { client } = visiting
    const read = this.#paths.get(path)
    // The page that opens the place has another address, which it gets when that page is looked for.
    if (read) return (await this.first(visiting)) && read
    return this.#follow(visiting, client.getPageTrailByPath({ spaceId: this.#spot.spaceId, pagePath: path }))
  }

  /** The page that a path on the site leads to, and what of that path is its own; '' where the path is the place's. */
  async met(visiting: Visiting, rests: readonly string[]): Promise<{ entry: Entry; rest: string } | undefined> {
    for (const rest of rests) {
      const entry = rest === '' ? await this.first(visiting) : await this.at(visiting, rest)
      if (entry) return { entry, rest }
    }
    return undefined
  }

  async entry(visiting: Visiting, id: string): Promise<Entry | undefined> {
    return this.#follow(visiting, visiting.client.getPageTrail({ spaceId: this.#spot.spaceId, pageId: id }))
  }

  async #follow(visiting: Visiting, asking: Promise<{ pages: readonly Page[] }>): Promise<Entry | undefined> {
    const trail = await asking.catch(absent)
    await this.first(visiting)
    let entry: Entry | undefined
    for (const { id } of trail?.pages ?? []) {
      const level = await this.level(visiting, entry)
      entry = level.find((one) => one.page.id === id)
      if (!entry) return undefined
    }
    return entry
  }

  /** What a reference to a page says, without reading what stands around it. */
  known(visiting: Visiting, id: string): Promise<Known | undefined> {
    const { spaceId } = this.#spot
    const read = this.#entries.get(id)
    // Where one leads that is a link itself is not told by its entry.
    if (read && read.page.type !== 'link') return this.first(visiting).then(() => knownOf(read))
    return this.#remember(id, () => this.#about(visiting, visiting.client.getPageTrail({ spaceId, pageId: id })))
  }

  knownAt(visiting: Visiting, path: string): Promise<Known | undefined> {
    const { spaceId } = this.#spot
    const ask = () => visiting.client.getPageTrailByPath({ spaceId, pagePath: path })
    return this.#remember(`/${path}`, () => this.#about(visiting, ask()))
  }

  #remember(key: string, read: () => Promise<Known | undefined>): Promise<Known | undefined> {
    let reading = this.#known.get(key)
    if (!reading) {
      reading = read()
      this.#known.set(key, reading)
      reading.then(
        (known) => known && this.#hold([known.page]),
        () => {},
      )
      reading.catch(() => this.#known.delete(key))
    }
    return reading
  }

  async #about(visiting: Visiting, asking: Promise<{ pages: readonly Page[] }>): Promise<Known | undefined> {
    const trail = await asking.catch(absent)
    const page = trail?.pages.at(-1)
    if (!trail || !page) return undefined
    const above = trail.pages.slice(0, -1).map((one) => one.title)
    const first = await this.first(visiting)
    if (first?.page.id === page.id) return { page, href: first.href, above }
    if (page.type === 'link') {
      const href = await this.#target(visiting, page)
      return href === undefined ? undefined : { page, href, above }
    }
    return { page, href: hrefBelow(this.#spot.basePath, this.#spot.addressOf(page.path ?? '')), above }
  }

  async #lead(visiting: Visiting, { page }: Entry, item: TreeItem): Promise<void> {
    const href = await this.#target(visiting, page)
    if (href !== undefined) item.href = href
  }

  /** Where a page that is a link leads; a link to a link leads nowhere. */
  async #target(visiting: Visiting, { target, href, title }: Page): Promise<string | undefined> {
    const { spaceId, basePath } = this.#spot
    if (href !== undefined) return href
    if (target?.kind === 'file')
      return fileHref(basePath, { space: target.space ?? spaceId, id: target.file, tag: '-', name: title })
    if (target?.kind !== 'page' && target?.kind !== 'anchor') return undefined
    if (target.page !== undefined && (target.space ?? spaceId) === spaceId) {
      const trail = await visiting.client.getPageTrail({ spaceId, pageId: target.page }).catch(absent)
      const page = trail?.pages.at(-1)
      if (!page || page.type === 'link') return undefined
      const anchor = target.kind === 'anchor' && target.anchor ? `#${encodeURIComponent(target.anchor)}` : ''
      return `${hrefBelow(basePath, this.#spot.addressOf(page.path ?? ''))}${anchor}`
    }
    return undefined
  }

  /**
   * The tree with the levels on the way to an entry, and the branches that are worth reading along: groups first, which
   * stand open, then others while they are few. Which these are depends on the pages alone, so that every process sends
   * the same tree.
   */
  async tree(visiting: Visiting, entry: Entry | undefined): Promise<Branches> {
    await this.first(visiting)
    const top = await this.level(visiting, undefined)
    const onPath = new Set<Entry>()
    for (let one = entry; one; one = one.parent) onPath.add(one)
    const queue: Entry[] = [...top]
    for (const one of onPath) if (one.page.hasPages) queue.push(...(await this.level(visiting, one)))
    queue.sort((a, b) => Number(b.page.type === 'group') - Number(a.page.type === 'group'))
    const opened = new Set<TreeItem>()
    for (let at = 0, read = queue.length; at < queue.length && read < readAlong; at += 1) {
      const branch = queue[at]
      if (!branch?.item || !branch.page.hasPages || onPath.has(branch)) continue
      const below = await this.level(visiting, branch)
      opened.add(branch.item)
      read += below.length
      queue.push(...below)
    }
    return { roots: top.flatMap(({ item }) => (item && !isBare(item) ? [item] : [])), opened }
  }
}

export interface Branches {
  roots: readonly TreeItem[]
  /** Branches beside the way that may stand in the tree with what is below them. */
  opened: ReadonlySet<TreeItem>
}

interface Spot {
  spaceId: string
  basePath: string
  /** The path on the site of a page, by its path in the space; of the place itself by none. */
  addressOf(path: string): string
  /** How the tree names a page: see tree.ts. */
  idOf(page: string): string
}

const navigationsIn = defineCache<Navigation>('navigations', { share: 0.05 })

export function navigationOf(visiting: Visiting, profile: Profile, siteSpace: ServedSpace): Navigation {
  const { basePath } = visiting.site
  const { space } = siteSpace.about
  // Some pages are made from specs, and change with them: the second word of the version is theirs.
  const specs = visiting.version.split(' ')[1]
  const key = [basePath, profile.names, siteSpace.id, space.revision, specs, visiting.claims].join('\n')
  const navigations = navigationsIn(visiting.caches)
  let known = navigations.get(key)
  if (!known) {
    const isAlone = profile.structure.spaces.length === 1
    const spot = {
      spaceId: space.id,
      basePath,
      addressOf: profile.pageAddressesOf(siteSpace),
      idOf: (id: string) => (isAlone ? id : `${siteSpace.id}.${id}`),
    }
    const made = new Navigation(spot, () => {
      // It grows as it is read. One that has become too large for the cache serves out its request and is let go.
      if (navigations.has(key)) navigations.set(key, made, made.bytes)
    })
    navigations.set(key, made, made.bytes)
    known = made
  }
  return known
}

export const isRead = (page: Page): boolean => page.type === 'document' || page.type === 'computed'

/** A group without pages would be a label over nothing. */
const isBare = (item: TreeItem): boolean =>
  item.kind === 'group' && item.isUnread !== true && item.children.length === 0

function absent(error: unknown): undefined {
  if (error instanceof CallFailed && (error.status === 404 || error.status === 400)) return undefined
  throw error
}

function itemOf(page: Page, id: string, parent: TreeItem | undefined): TreeItem {
  return {
    id,
    kind: page.type === 'group' ? 'group' : page.type === 'link' ? 'link' : 'page',
    title: page.linkTitle ?? page.title,
    ...(page.icon === undefined ? {} : { icon: page.icon }),
    ...(page.emoji === undefined ? {} : { emoji: page.emoji }),
    ...(parent === undefined ? {} : { parent }),
    children: [],
    isUnread: page.hasPages === true,
  }
}

const knownOf = (entry: Entry): Known => ({
  page: entry.page,
  href: entry.href,
  above: above(entry).map(({ page }) => page.title),
})

/** From the top down to what stands above an entry. */
export function above(entry: Entry): Entry[] {
  const line: Entry[] = []
  for (let one = entry.parent; one; one = one.parent) line.unshift(one)
  return line
}
