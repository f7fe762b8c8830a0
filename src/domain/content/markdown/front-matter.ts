/** Between the front matter of a page's Markdown and its record. */
import type { FrontMatter } from '../../../core/document/read/from-markdown.ts'
import type { PlainObject } from '../../../core/document/tree/nodes.ts'
import { parseRef, printRef } from '../../../core/document/tree/refs.ts'
import type { PageLayout, PageRecord } from '../../../core/revision/records.ts'

export type PageFields = Partial<
  Pick<
    PageRecord,
    'description' | 'icon' | 'hidden' | 'condition' | 'variables' | 'cover' | 'layout' | 'tags' | 'extra'
  >
>

const switches = [
  'title',
  'description',
  'tableOfContents',
  'outline',
  'pagination',
  'metadata',
  'tags',
  'actions',
] as const

/** What the front matter says of the page. Keys without a meaning are kept, so that they print back. */
export function fieldsOf(front: FrontMatter): PageFields {
  const fields: PageFields = {}
  if (front.description !== undefined) fields.description = front.description
  if (front.icon !== undefined) fields.icon = front.icon
  if (front.hidden !== undefined) fields.hidden = front.hidden
  if (front.if !== undefined) fields.condition = front.if
  if (front.vars !== undefined) fields.variables = variablesOf(front.vars)
  if (typeof front.cover === 'string' && front.cover !== '') {
    const ref = parseRef(front.cover)
    if (ref.kind === 'file' || ref.kind === 'url') fields.cover = { ref, yPos: front.coverY ?? 0 }
  }
  if (front.layout !== undefined) fields.layout = layoutOf(front.layout)
  if (Array.isArray(front.tags)) fields.tags = front.tags.filter((tag) => typeof tag === 'string')
  if (Object.keys(front.other).length > 0) fields.extra = front.other
  return fields
}

/** The front matter that a page prints with. */
export function frontMatterOf(page: PageRecord): FrontMatter {
  const cover = page.cover?.ref
  return {
    ...(page.description === undefined ? {} : { description: page.description }),
    ...(page.icon === undefined ? {} : { icon: page.icon }),
    ...(page.hidden ? { hidden: true } : {}),
    ...(page.condition === undefined ? {} : { if: page.condition }),
    ...(page.variables === undefined ? {} : { vars: page.variables }),
    ...(cover === undefined ? {} : { cover: printRef(cover), coverY: page.cover?.yPos ?? 0 }),
    ...(page.layout === undefined ? {} : { layout: printLayout(page.layout) }),
    ...(page.tags === undefined ? {} : { tags: page.tags }),
    other: (page.extra ?? {}) as PlainObject,
  }
}

/** What readers of a site are told: how a page is arranged, and for whom, is its authors' affair. */
export const forReaders = (page: PageRecord): FrontMatter => ({
  ...(page.description === undefined ? {} : { description: page.description }),
  other: {},
})

const variablesOf = (vars: PlainObject): Record<string, string> =>
  Object.fromEntries(
    Object.entries(vars)
      .filter(([, value]) => typeof value !== 'object')
      .map(([name, value]) => [name, String(value)]),
  )

const isVisible = (value: unknown): boolean | undefined =>
  typeof value === 'object' && value !== null && 'visible' in value && typeof value.visible === 'boolean'
    ? value.visible
    : undefined

function layoutOf(from: PlainObject): PageLayout {
  const layout: PageLayout = {}
  if (from.width === 'default' || from.width === 'wide') layout.width = from.width
  for (const name of switches) {
    const visible = isVisible(from[name])
    if (visible !== undefined) layout[name] = visible
  }
  const cover = isVisible(from.cover)
  if (cover !== undefined) layout.cover = cover
  const size = (from.cover as { size?: unknown } | undefined)?.size
  if (size === 'hero' || size === 'full' || size === 'background') layout.coverSize = size
  return layout
}

function printLayout(layout: PageLayout): PlainObject {
  const printed: PlainObject = {}
  if (layout.width !== undefined) printed.width = layout.width
  if (layout.cover !== undefined || layout.coverSize !== undefined) {
    printed.cover = {
      ...(layout.cover === undefined ? {} : { visible: layout.cover }),
      ...(layout.coverSize === undefined ? {} : { size: layout.coverSize }),
    }
  }
  for (const name of switches) {
    const visible = layout[name]
    if (visible !== undefined) printed[name] = { visible }
  }
  return printed
}
