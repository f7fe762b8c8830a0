/**
 * From arranged pages to records: which pages of the content they are, their addresses and their order.
 *
 * A page is known again by the path of its file, a group by its slug, a link by its title and target: importing a folder
 * a second time changes the pages that changed, and nothing else.
 */
import type { ContentRef } from '../../core/document/tree/nodes.ts'
import { isSafeUrl, parseRef } from '../../core/document/tree/refs.ts'
import { isOwn, repositoryOrigin } from '../../core/import/origins.ts'
import { type ArrangedPage, derivedSlug, folderUnder } from '../../core/repository/arrange.ts'
import type { RepositoryConfig } from '../../core/repository/config.ts'
import { entryFields, knownFields } from '../../core/repository/contents.ts'
import { computedTitle } from '../../core/repository/layout.ts'
import { folderOf } from '../../core/repository/paths.ts'
import { ranksFor } from '../../core/repository/ranks.ts'
import { assignSlugs, isSlug } from '../../core/repository/slugs.ts'
import { lineOf } from '../../core/repository/summary.ts'
import { type PathIndex, resolveTarget } from '../../core/repository/targets.ts'
import { bySiblingOrder } from '../../core/revision/content.ts'
import type { GitBlob, PageRecord } from '../../core/revision/records.ts'
import { TimeSlices } from '../../store/time-slices.ts'
import { requireCondition } from '../content/markdown/parsed.ts'
import type { FileFields } from '../repository/front-matter.ts'

/** What the file of a page says. */
export interface PageFile extends FileFields {
  document?: string | undefined
  git: GitBlob
}

export interface Placing {
  config: RepositoryConfig
  index: PathIndex
  /** Ids and files of pages, by path. */
  ids: ReadonlyMap<string, string>
  files: ReadonlyMap<string, PageFile>
  /** Paths of files that could not be read: a page that is there stays as it is, but for its place. */
  unread: ReadonlySet<string>
  /** The pages that are there, by parent. */
  present: ReadonlyMap<string | undefined, readonly PageRecord[]>
  /** Where the pages come from: said of those that have no file to tell it. */
  origin: string
  /** Whether a page that is there goes when it is not arranged. */
  isGone: (page: PageRecord) => boolean
  newId: () => string
  now: string
}

export async function placePages(roots: readonly ArrangedPage[], placing: Placing): Promise<PageRecord[]> {
  const before = new Map([...placing.present.values()].flat().map((page) => [page.id, page]))
  const known = knownPages(placing)
  const ids = new Map<ArrangedPage, string>()
  const identify = (pages: readonly ArrangedPage[], parent: string | undefined): void => {
    for (const page of pages) {
      const id = (page.path === undefined ? undefined : placing.ids.get(page.path)) ?? known(page, parent, placing)
      ids.set(page, id ?? placing.newId())
      identify(page.children, ids.get(page))
    }
  }
  identify(roots, undefined)
  const arranged = new Set(ids.values())
  const records: PageRecord[] = []
  const slices = new TimeSlices()
  const placeBelow = async (
    pages: readonly ArrangedPage[],
    parent: string | undefined,
    above: string,
  ): Promise<void> => {
    const siblings = (placing.present.get(parent) ?? []).filter(
      (page) => !arranged.has(page.id) && !placing.isGone(page),
    )
    const taken = new Set(siblings.flatMap(({ slug }) => (slug === undefined ? [] : [slug])))
    const addressed = pages.filter(({ type }) => type !== 'link')
    const slugs = assignSlugs(
      addressed.map((page) => ({ explicit: explicitSlug(page, placing), derived: derivedSlug(named(page), above) })),
      taken,
    )
    const old = pages.map((page) => before.get(ids.get(page) ?? ''))
    const ranks = ranksFor(
      old.map((page) => (page && page.parent === parent ? page.rank : undefined)),
      siblings.sort(bySiblingOrder).map(({ rank }) => rank),
    )
    const slugOf = new Map(addressed.map((page, at) => [page, slugs[at]]))
    for (const [at, page] of pages.entries()) {
      const id = ids.get(page) ?? ''
      const slug = slugOf.get(page)
      const made = recordOf(page, { id, parent, rank: ranks[at] ?? '', slug, placing })
      const isUnread = page.path !== undefined && placing.unread.has(page.path)
      records.push(settle(isUnread ? keepFields(made, old[at]) : made, old[at], placing.now))
      await slices.next()
      if (page.children.length > 0) await placeBelow(page.children, id, folderUnder(page, { above, slug: slug ?? '' }))
    }
  }
  await placeBelow(roots, undefined, placing.config.root)
  return records
}

function keepFields(made: PageRecord, before: PageRecord | undefined): PageRecord {
  const { createdAt: _, updatedAt: __, parent: ___, ...fields } = before ?? made
  const { parent, rank, slug } = made
  return { ...fields, ...(parent === undefined ? {} : { parent }), rank, ...(slug === undefined ? {} : { slug }) }
}

/** Finds pages without a file again; each is found once. */
function knownPages({ present, origin }: Placing) {
  const found = new Map<string, string[]>()
  const keyOf = (parent: string | undefined, parts: unknown[]): string => JSON.stringify([parent ?? '', ...parts])
  for (const [parent, pages] of present) {
    for (const page of pages) {
      // What another import made is that one's.
      if (page.origin !== undefined && !isOwn(page, origin)) continue
      const key = keyOf(parent, signatureOf(page))
      const same = found.get(key)
      if (same) same.push(page.id)
      else found.set(key, [page.id])
    }
  }
  return (page: ArrangedPage, parent: string | undefined, placing: Placing): string | undefined => {
    const slug = explicitSlug(page, placing) ?? derivedSlug(named(page), '')
    const target = page.type === 'link' ? targetOf(page, placing) : undefined
    const { computed } = page.type === 'computed' ? computedOf(page) : { computed: undefined }
    const sought = { type: page.type, title: page.title, slug, target, computed, git: undefined }
    return found.get(keyOf(parent, signatureOf(sought)))?.shift()
  }
}

type Signed = { [K in 'type' | 'title' | 'slug' | 'target' | 'computed' | 'git']?: PageRecord[K] | undefined }

function signatureOf({ type, title, slug, target, computed, git }: Signed): unknown[] {
  if (type === 'link') return [type, title, target]
  if (type === 'computed') return [type, computed]
  return [type, slug, git?.path ?? null]
}

/** A computed page's slug is made of the title it will have. */
const named = (page: ArrangedPage): ArrangedPage =>
  page.type === 'computed' ? { ...page, title: computedOf(page).title } : page

function explicitSlug(page: ArrangedPage, { files }: Placing): string | undefined {
  const file = page.path === undefined ? undefined : files.get(page.path)
  const slug = page.type === 'computed' ? page.computed?.slug : (file?.slug ?? page.slug)
  return typeof slug === 'string' && isSlug(slug) ? slug : undefined
}

function recordOf(
  page: ArrangedPage,
  at: { id: string; parent: string | undefined; rank: string; slug: string | undefined; placing: Placing },
): PageRecord {
  const { id, parent, rank, slug, placing } = at
  const base: PageRecord = {
    id,
    type: page.type,
    ...(parent === undefined ? {} : { parent }),
    rank,
    title: page.title,
    ...(slug === undefined ? {} : { slug }),
    ...originOf(page, placing),
  }
  if (page.type === 'document') return { ...base, ...documentFields(page, placing) }
  const linkTitle = page.linkTitle === undefined ? {} : { linkTitle: page.linkTitle }
  if (page.type === 'link')
    return { ...base, ...linkTitle, target: targetOf(page, placing), ...fieldsFrom(page.fields ?? {}, page.title) }
  if (page.type === 'computed') {
    const { title, computed, extra, fields } = computedOf(page)
    return { ...base, title, computed, ...extra, ...fieldsFrom(fields, title) }
  }
  return { ...base, ...fieldsFrom(page.fields ?? {}, page.title) }
}

/** A page with a file in a folder is told by that; all others say which import made them. */
function originOf({ path }: ArrangedPage, { origin, files }: Placing): { origin?: string } {
  const hasFile = path !== undefined && files.has(path) && origin === repositoryOrigin
  return hasFile ? {} : { origin }
}

function documentFields(page: ArrangedPage, { files }: Placing): Partial<PageRecord> {
  const file = page.path === undefined ? undefined : files.get(page.path)
  const shown = page.linkTitle ?? (page.isNamed ? page.title : undefined)
  const title = lineOf(file?.title ?? page.title)
  const { hidden, ...fields } = file?.fields ?? {}
  return {
    title,
    ...fields,
    ...(shown === undefined || shown === title ? {} : { linkTitle: shown }),
    ...(hidden || page.unlisted ? { hidden: true } : {}),
    ...(page.unlisted ? { unlisted: { hidden: hidden === true } } : {}),
    ...(page.unlisted && file?.slug !== undefined ? { extra: { slug: file.slug, ...fields.extra } } : {}),
    ...(file?.document === undefined ? {} : { document: file.document }),
    ...(file === undefined ? {} : { git: file.git }),
  }
}

function targetOf({ target = '' }: ArrangedPage, { index, config }: Placing): ContentRef {
  const found = resolveTarget(index, target, folderOf(config.summary))
  if (found) return found
  return isSafeUrl(target) && target.length <= 2048 ? parseRef(target) : { kind: 'url', url: '' }
}

/** The fields that the table of contents says of a page that has no file to say them. */
function fieldsFrom(given: Record<string, unknown>, title: string): Partial<PageRecord> {
  const fields: Partial<PageRecord> = {}
  for (const name of entryFields) {
    const value = given[name]
    if (name === 'hidden' || name === 'noIndex' || name === 'noRobotsIndex') {
      if (value === true) fields[name] = true
    } else if (typeof value === 'string' && value !== '') fields[name] = value
  }
  if (typeof given.linkTitle === 'string') fields.linkTitle = lineOf(given.linkTitle)
  if (fields.condition !== undefined) requireCondition(fields.condition, `SUMMARY.md: ${title}`)
  return fields
}

const computedFields = new Set(['type', 'dependencies', 'props'])

function computedOf({ computed: all = {} }: ArrangedPage) {
  const type = String(all.type ?? '')
  const computed: NonNullable<PageRecord['computed']> = { type }
  const given: Record<string, unknown> = {}
  const extra: Record<string, unknown> = {}
  const fields: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(all)) {
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    if (name === 'type' || (computedFields.has(name) && isObject)) given[name] = value
    else if (knownFields.has(name)) fields[name] = value
    else extra[name] = value
  }
  const title = typeof all.title === 'string' ? lineOf(all.title) : computedTitle(type)
  // In the order in which the file says them, so that they print back in it.
  return {
    title,
    computed: Object.assign({}, given, computed),
    fields,
    extra: Object.keys(extra).length === 0 ? {} : { extra },
  }
}

/** A page in which nothing changed stays the record it was. */
function settle(placed: PageRecord, before: PageRecord | undefined, now: string): PageRecord {
  if (!before) return { ...placed, createdAt: now, updatedAt: now }
  const { origin, ...unclaimed } = placed
  // A group or link that was there before any import, and only has the same name, stays nobody's.
  const isOthers = before.origin === undefined && before.git === undefined
  const made = isOthers || origin === undefined ? unclaimed : { ...unclaimed, origin }
  const { createdAt, updatedAt, ...rest } = before
  if (textOf(rest) === textOf(made)) return before
  return { ...made, ...(createdAt === undefined ? {} : { createdAt }), updatedAt: now }
}

const textOf = (page: PageRecord): string => JSON.stringify(Object.entries(page).sort(([a], [b]) => (a < b ? -1 : 1)))
