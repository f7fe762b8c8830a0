/** The table of contents of a layout, as the entries that `summary.ts` prints. */
import { plainObject } from '../document/tree/fields.ts'
import type { PlainObject } from '../document/tree/nodes.ts'
import type { PageRecord } from '../revision/records.ts'
import type { RepositoryConfig } from './config.ts'
import { computedTitle, inOrder, type Layout, type PageTree } from './layout.ts'
import { folderOf, relativePath, spellPath } from './paths.ts'
import { lineOf, type SummaryEntry, type SummaryPart } from './summary.ts'
import { type PathIndex, resolveTarget, spellRef } from './targets.ts'

/** Fields that a list has no place for; they stand in a comment behind the entry. */
export const entryFields = ['emoji', 'icon', 'description', 'condition', 'hidden', 'noIndex', 'noRobotsIndex'] as const

interface Shown {
  config: RepositoryConfig
  tree: PageTree
  layout: Layout
  index: PathIndex
  /** Pages that were listed already: a second entry for one of them is a link. */
  listed: Set<string>
}

export function contentsOf(options: Omit<Shown, 'listed'>): SummaryPart[] {
  const shown: Shown = { ...options, listed: new Set() }
  const parts: SummaryPart[] = []
  for (const page of childrenIn(shown.tree, undefined)) {
    if (page.type === 'group') {
      const fields = fieldsOf(page)
      if (page.linkTitle !== undefined) fields.linkTitle = lineOf(page.linkTitle)
      parts.push({
        group: { title: lineOf(page.title), slug: shown.layout.slugs.get(page.id), fields },
        entries: childrenIn(shown.tree, page.id).flatMap((child) => entryOf(child, shown)),
      })
      continue
    }
    const entries = entryOf(page, shown)
    const last = parts.at(-1)
    if (last && !last.group) last.entries.push(...entries)
    else if (entries.length > 0) parts.push({ entries })
  }
  return parts
}

/** `inOrder` of one level. */
const childrenIn = (tree: PageTree, parent: string | undefined): PageRecord[] =>
  inOrder(new Map([[undefined, tree.get(parent) ?? []]]))

function entryOf(page: PageRecord, shown: Shown): SummaryEntry[] {
  const { layout } = shown
  if (layout.unlisted.has(page.id)) return []
  if (page.type === 'computed') return [computedEntry(page, layout)]
  const folder = folderOf(shown.config.summary)
  if (page.type === 'link') {
    const linkTitle = page.linkTitle === undefined || page.linkTitle === 'mention' ? undefined : lineOf(page.linkTitle)
    const target = linkTarget(page, folder, shown)
    return [{ title: lineOf(page.title), linkTitle, target, fields: fieldsOf(page), children: [] }]
  }
  shown.listed.add(page.id)
  const path = layout.pages.get(page.id) ?? ''
  const children = childrenIn(shown.tree, page.id).flatMap((child) => entryOf(child, shown))
  return [{ title: lineOf(page.linkTitle ?? page.title), target: spellPath(relativePath(folder, path)), children }]
}

/** Where a link page points. Before its page was listed, `page.md#` says that this entry is not the page itself. */
function linkTarget({ target }: PageRecord, folder: string, { index, listed }: Shown): string {
  if (target === undefined) return ''
  const ref = target.kind === 'url' ? (resolveTarget(index, target.url, folder) ?? target) : target
  const spelt = spellRef(index, ref, folder)
  const isPage = ref.kind === 'page' && ref.space === undefined && index.paths.has(`/pages/${ref.page}`)
  return isPage && !listed.has(ref.page) ? `${spelt}#` : spelt
}

/** The names that a computed page's block of YAML says beside what computes it. */
export const knownFields: ReadonlySet<string> = new Set([...entryFields, 'title', 'linkTitle', 'slug'])

function computedEntry(page: PageRecord, layout: Layout): SummaryEntry {
  const title = lineOf(page.title)
  const computed: Record<string, unknown> = { ...(page.computed ?? { type: '' }) }
  if (title !== computedTitle(page.computed?.type ?? '')) computed.title = title
  if (page.linkTitle !== undefined) computed.linkTitle = lineOf(page.linkTitle)
  const slug = layout.slugs.get(page.id)
  if (slug !== undefined) computed.slug = slug
  Object.assign(computed, fieldsOf(page))
  for (const [name, value] of Object.entries(page.extra ?? {}))
    if (!knownFields.has(name) && !Object.hasOwn(computed, name)) computed[name] = value
  return { title, computed: plainObject(computed, ''), children: [] }
}

function fieldsOf(page: PageRecord): PlainObject {
  const fields: PlainObject = {}
  for (const name of entryFields) {
    const value = page[name]
    if (value !== undefined && value !== false && value !== '') fields[name] = value
  }
  return fields
}
