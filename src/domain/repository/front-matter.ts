/**
 * The front matter of a page's file: what the API's Markdown says of a page, and beside it what only a file must tell,
 * because no list of pages is at hand when it is read back.
 */
import type { FrontMatter } from '../../core/document/read/from-markdown.ts'
import type { FileRef, PlainObject } from '../../core/document/tree/nodes.ts'
import { parseRef } from '../../core/document/tree/refs.ts'
import { isSlug } from '../../core/repository/slugs.ts'
import type { PageRecord } from '../../core/revision/records.ts'
import { fieldsOf, frontMatterOf, type PageFields } from '../content/markdown/front-matter.ts'

export interface FileFields {
  fields: PageFields & Partial<Pick<PageRecord, 'emoji' | 'noIndex' | 'noRobotsIndex'>>
  slug?: string | undefined
  title?: string | undefined
}

export function readFields(front: FrontMatter, resolve: (target: string) => FileRef | undefined): FileFields {
  const { other, ...known } = front
  const extra: Record<string, unknown> = { ...other }
  const take = <T>(name: string, isFit: (value: unknown) => value is T): T | undefined => {
    const value = extra[name]
    if (!isFit(value)) return undefined
    delete extra[name]
    return value
  }
  const fields: FileFields['fields'] = fieldsOf({ ...known, other: {} })
  const emoji = take('emoji', isShortText)
  if (emoji !== undefined) fields.emoji = emoji
  if (take('noIndex', isTrue)) fields.noIndex = true
  if (take('noRobotsIndex', isTrue)) fields.noRobotsIndex = true
  const slug = take('slug', isSlugText)
  if (fields.cover) {
    const ref = fields.cover.ref
    const refDark = take('coverDark', isText)
    const height = take('coverHeight', isNumber)
    fields.cover = {
      ...fields.cover,
      ...(ref?.kind === 'url' ? { ref: resolve(ref.url) ?? ref } : {}),
      ...(refDark === undefined ? {} : { refDark: resolve(refDark) ?? fileRef(refDark) }),
      ...(height === undefined ? {} : { height }),
    }
  } else {
    // Without a cover that can be shown, what is said of it is only carried.
    if (known.cover !== undefined) extra.cover = known.cover
    if (known.coverY !== undefined) extra.coverY = known.coverY
  }
  if (known.tags !== undefined && !isTextList(known.tags)) {
    extra.tags = known.tags
    delete fields.tags
  }
  if (Object.keys(extra).length > 0) fields.extra = extra
  const { title } = other
  return { fields, slug, title: typeof title === 'string' && title.trim() !== '' ? title : undefined }
}

export function printFields(
  page: PageRecord,
  { slug, isUnlisted, spell }: { slug: string | undefined; isUnlisted: boolean; spell: (ref: FileRef) => string },
): FrontMatter {
  const { hidden: _, ...shown } = page
  // The address of an unlisted page depends on where the next import puts it: only what its file said is said again.
  const explicit = isUnlisted ? page.extra?.slug : slug
  const hidden = isUnlisted ? page.unlisted?.hidden === true : page.hidden === true
  const { other, ...front } = frontMatterOf(hidden ? { ...shown, hidden } : shown)
  const { cover } = page
  if (cover && !cover.ref) delete front.coverY
  const own: PlainObject = {
    ...(page.emoji === undefined ? {} : { emoji: page.emoji }),
    ...(page.noIndex ? { noIndex: true } : {}),
    ...(page.noRobotsIndex ? { noRobotsIndex: true } : {}),
    ...(cover?.ref && cover.refDark ? { coverDark: spell(cover.refDark) } : {}),
    ...(cover?.ref && cover.height !== undefined ? { coverHeight: cover.height } : {}),
    ...(isSlugText(explicit) ? { slug: explicit } : {}),
  }
  return {
    ...front,
    ...(cover?.ref ? { cover: spell(cover.ref) } : {}),
    other: withCarried(own, other, cover?.ref !== undefined),
  }
}

/** With what is only carried: not what would be read as saying something of the page, which only its record may say. */
function withCarried(own: PlainObject, all: PlainObject, hasCover: boolean): PlainObject {
  const isRead = (name: string, value: unknown): boolean =>
    (name === 'emoji' && isShortText(value)) ||
    (name === 'slug' && isSlugText(value)) ||
    ((name === 'noIndex' || name === 'noRobotsIndex') && isTrue(value)) ||
    (hasCover && ((name === 'coverDark' && isText(value)) || (name === 'coverHeight' && isNumber(value))))
  const carried = Object.entries(all).filter(([name, value]) => !Object.hasOwn(own, name) && !isRead(name, value))
  return { ...own, ...Object.fromEntries(carried) }
}

function fileRef(target: string): FileRef {
  const ref = parseRef(target)
  return ref.kind === 'file' ? ref : { kind: 'url', url: target }
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''
const isShortText = (value: unknown): value is string => isText(value) && value.length <= 50
const isTrue = (value: unknown): value is true => value === true
const isNumber = (value: unknown): value is number => typeof value === 'number'
const isSlugText = (value: unknown): value is string => typeof value === 'string' && isSlug(value)
const isTextList = (value: unknown): boolean =>
  Array.isArray(value) && value.every((entry: unknown) => typeof entry === 'string')
