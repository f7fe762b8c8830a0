/**
 * Changes to pages and files, carried out in order on a content that is not stored yet.
 *
 * A batch is one edit: all of it or nothing. Pages made in it have their ids from the start, so that links anywhere in the
 * batch can name them; links are resolved once, at the end, against the content as the batch leaves it.
 */
import type { z } from 'zod'
import type { ContentChange } from '../../../contract/space-content.ts'
import { assignKeys } from '../../../core/document/tree/keys.ts'
import type { ContentRef, JSONDocument } from '../../../core/document/tree/nodes.ts'
import { ApiError, fail, invalid } from '../../../core/errors.ts'
import {
  ancestorsOf,
  type Content,
  childBySlug,
  freeSlug,
  maxDepth,
  maxPages,
  pageById,
  pathOf,
  putFiles,
  putPages,
  ranksAt,
  subtreeOf,
} from '../../../core/revision/content.ts'
import { draftNodes } from '../../../core/revision/draft-nodes.ts'
import type { FileRecord, PageCover, PageLayout, PageRecord } from '../../../core/revision/records.ts'
import { slugify } from '../../../core/text.ts'
import type { ContentWriter } from '../../../store/content.ts'
import type { Connection } from '../../../store/database.ts'
import type { Things } from '../../things.ts'
import { resolveRefs } from '../links/refs.ts'
import type { ParsedBody } from '../markdown/parsed.ts'
import { revertBlocks } from './revert.ts'

export type Change = z.output<typeof ContentChange>
type Insert = Extract<Change, { operation: 'insert_page' }>
type Update = Extract<Change, { operation: 'update_page' }>

/** A change with what could be worked out before: its parsed body, its stored files, the page to revert to. */
export interface ReadyChange {
  change: Change
  body?: ParsedBody | undefined
  files?: { ref?: string | undefined; file: FileRecord }[] | undefined
  /** For `revert_page`: the page as it was, with the reader's document. */
  earlier?: { page: PageRecord | undefined; document: JSONDocument | undefined } | undefined
  /** For `insert_page`: the id the page will have. */
  id?: string
}

export type Outcome =
  | { kind: 'created'; page: string; ref?: string | undefined }
  | { kind: 'updated'; page: string }
  | { kind: 'deleted'; page: string }

export interface Edited {
  content: Content
  outcomes: Outcome[]
  files: { ref?: string | undefined; file: FileRecord }[]
}

export async function applyChanges(
  { db, writer, space, now }: { db: Connection; writer: ContentWriter; space: Things['space']; now: string },
  start: Content,
  changes: readonly ReadyChange[],
): Promise<Edited> {
  const { seal, ...drafts } = draftNodes(writer)
  const batch = new Batch({ db, writer: { ...writer, ...drafts }, space, now }, start, namesIn(changes))
  for (const [index, change] of changes.entries()) await batch.apply(change, `changes.${index}`)
  const edited = await batch.finish()
  return { ...edited, content: seal(edited.content) }
}

/** The names that links of this batch may use. */
function namesIn(changes: readonly ReadyChange[]): Map<string, ContentRef> {
  const names = new Map<string, ContentRef>()
  const add = (name: string | undefined, ref: ContentRef, field: string) => {
    if (name === undefined) return
    if (names.has(name)) throw invalid(field, `uses the name ${name} a second time`)
    names.set(name, ref)
  }
  for (const [index, { change, id, files }] of changes.entries()) {
    if (change.operation === 'insert_page' && id !== undefined)
      add(change.ref, { kind: 'page', page: id }, `changes.${index}.ref`)
    for (const { ref, file } of files ?? []) add(ref, { kind: 'file', file: file.id }, `changes.${index}.files`)
  }
  return names
}

interface Tools {
  db: Connection
  writer: ContentWriter
  space: Things['space']
  now: string
}

class Batch {
  readonly #tools: Tools
  readonly #names: ReadonlyMap<string, ContentRef>
  /** Documents given in this batch, by page; stored once their links are resolved. */
  readonly #documents = new Map<string, JSONDocument | undefined>()
  /** Those of them whose nodes have their keys already. */
  readonly #keyed = new Set<string>()
  readonly #outcomes: Outcome[] = []
  readonly #files: Edited['files'] = []
  #content: Content

  constructor(tools: Tools, content: Content, names: ReadonlyMap<string, ContentRef>) {
    this.#tools = tools
    this.#content = content
    this.#names = names
  }

  async apply(ready: ReadyChange, field: string): Promise<void> {
    const { change } = ready
    if (change.operation === 'insert_page') await this.#insert(change, ready, field)
    else if (change.operation === 'update_page') await this.#update(change, ready, field)
    else if (change.operation === 'delete_page') await this.#delete(change.page, field)
    else if (change.operation === 'revert_page') await this.#revert(change, ready, field)
    else await this.#insertFiles(ready.files ?? [])
  }

  async finish(): Promise<Edited> {
    const { db, writer, space } = this.#tools
    const at = { reader: writer, content: this.#content, space, revision: undefined as never }
    const changes = []
    for (const [id, document] of this.#documents) {
      const before = await pageById(writer, this.#content, id)
      if (!before) continue // Inserted or edited, and deleted again by the same batch.
      if (document === undefined) {
        const { document: _, ...empty } = before
        changes.push({ before, after: empty })
        continue
      }
      const path = await pathOf(writer, this.#content, before)
      const resolved = await resolveRefs(db, at, document, { path, names: this.#names })
      const keyed = this.#keyed.has(id) ? resolved : assignKeys(resolved, await this.#documentOf(before))
      changes.push({ before, after: { ...before, document: writer.saveDocument(keyed) } })
    }
    const content = await putPages(writer, this.#content, changes)
    return { content, outcomes: this.#outcomes, files: this.#files }
  }

  async #insert(change: Insert, { body, id }: ReadyChange, field: string): Promise<void> {
    const { writer, now } = this.#tools
    if (this.#content.pages.count >= maxPages) throw invalid(field, `would make more than ${maxPages} pages`)
    if (id === undefined) throw new Error('An inserted page has its id from the start.')
    const type = change.type ?? 'document'
    const parent = await this.#parentOf(change.into, type, `${field}.into`)
    const title = body?.title ?? change.title ?? 'Untitled'
    const [rank = ''] = await ranksAt(writer, this.#content, { parent, at: change.at })
    const page: PageRecord = clean({
      id,
      type,
      parent,
      rank,
      title,
      slug: type === 'link' ? undefined : await this.#slugFor(parent, change.slug, title, undefined, `${field}.slug`),
      target: type === 'link' ? ((change.target ?? { kind: 'url', url: '' }) as ContentRef) : undefined,
      ...metadataOf(change),
      ...body?.fields,
      createdAt: now,
      updatedAt: now,
    })
    this.#content = await putPages(writer, this.#content, [{ after: page }])
    if (body?.document) this.#setDocument(id, body.document, body.keyed)
    this.#outcomes.push({ kind: 'created', page: id, ref: change.ref })
  }

  async #update(change: Update, { body }: ReadyChange, field: string): Promise<void> {
    const { writer, now } = this.#tools
    const before = await this.#page(change.page, `${field}.page`)
    const title = body?.title ?? change.title ?? before.title
    const moves = change.into !== undefined || change.at !== undefined
    const parent =
      change.into === undefined ? before.parent : await this.#newParent(before, change.into, `${field}.into`)
    const [rank = before.rank] = moves
      ? await ranksAt(writer, this.#content, { parent, at: change.at, except: before.id })
      : [before.rank]
    const after: PageRecord = clean({
      ...before,
      parent,
      rank,
      title,
      slug: await this.#slugAfter(before, { parent, title, slug: change.slug }, `${field}.slug`),
      ...(before.type === 'link' && change.target ? { target: change.target as ContentRef } : {}),
      ...metadataOf(change),
      ...body?.fields,
      updatedAt: now,
    })
    this.#content = await putPages(writer, this.#content, [{ before, after }])
    if (change.document !== undefined) this.#setDocument(before.id, body?.document, body?.keyed)
    this.#outcomes.push({ kind: 'updated', page: before.id })
  }

  async #delete(id: string, field: string): Promise<void> {
    const page = await this.#page(id, `${field}.page`)
    const gone = await subtreeOf(this.#tools.writer, this.#content, page)
    this.#content = await putPages(
      this.#tools.writer,
      this.#content,
      gone.map((before) => ({ before })),
    )
    this.#outcomes.push({ kind: 'deleted', page: id })
  }

  async #revert(
    change: Extract<Change, { operation: 'revert_page' }>,
    { earlier }: ReadyChange,
    field: string,
  ): Promise<void> {
    const { writer, now } = this.#tools
    const then = earlier?.page
    const before = await pageById(writer, this.#content, change.page)
    if (!then && !before) throw missing(change.page, `${field}.page`)
    if (!then) return this.#delete(change.page, field)
    if (change.block && before) {
      const document = await this.#documentOf(before)
      this.#setDocument(before.id, revertBlocks(document, earlier?.document, change.block))
      this.#content = await putPages(writer, this.#content, [{ before, after: { ...before, updatedAt: now } }])
    } else {
      // A parent that is gone since cannot take it back: it comes back at the root.
      const home = before?.parent ?? then.parent
      const parent = home !== undefined && (await pageById(writer, this.#content, home)) ? home : undefined
      const slug =
        then.slug === undefined
          ? undefined
          : await freeSlug(writer, this.#content, { parent, title: then.slug, self: then.id })
      const after = clean({ ...then, parent, slug, rank: before?.rank ?? then.rank, updatedAt: now })
      this.#content = await putPages(writer, this.#content, [{ before, after }])
    }
    this.#outcomes.push({ kind: 'updated', page: change.page })
  }

  async #insertFiles(files: Edited['files']): Promise<void> {
    this.#content = await putFiles(this.#tools.writer, this.#content, new Map(files.map(({ file }) => [file.id, file])))
    this.#files.push(...files)
  }

  #setDocument(id: string, document: JSONDocument | undefined, keyed = false): void {
    this.#documents.set(id, document)
    if (keyed) this.#keyed.add(id)
    else this.#keyed.delete(id)
  }

  async #documentOf(page: PageRecord): Promise<JSONDocument | undefined> {
    return page.document === undefined ? undefined : this.#tools.writer.document(page.document)
  }

  async #page(id: string, field: string): Promise<PageRecord> {
    const page = await pageById(this.#tools.writer, this.#content, id)
    if (!page) throw missing(id, field)
    return page
  }

  /** Where a new page goes: an existing document or group, not too deep. A name given in this batch stands for its page. */
  async #parentOf(into: string | undefined, type: PageRecord['type'], field: string): Promise<string | undefined> {
    if (into === undefined) return undefined
    const named = this.#names.get(into)
    const parent = await this.#page(named?.kind === 'page' ? named.page : into, field)
    if (parent.type === 'link' || parent.type === 'computed')
      throw invalid(field, `is a ${parent.type} page, which holds no pages`)
    if (type === 'group') throw invalid(field, 'cannot hold a group: groups stand at the root')
    const depth = (await ancestorsOf(this.#tools.writer, this.#content, parent)).length + 2
    if (depth > maxDepth) throw invalid(field, `is too deep: pages can be nested ${maxDepth} deep`)
    return parent.id
  }

  async #newParent(page: PageRecord, into: string | null, field: string): Promise<string | undefined> {
    if (into === null) return undefined
    const parent = await this.#parentOf(into, page.type, field)
    for (let id = parent; id !== undefined; id = (await pageById(this.#tools.writer, this.#content, id))?.parent) {
      if (id === page.id) throw fail('cycle')
    }
    return parent
  }

  async #slugFor(
    parent: string | undefined,
    wanted: string | undefined,
    title: string,
    self: string | undefined,
    field: string,
  ): Promise<string> {
    const { writer } = this.#tools
    if (wanted === undefined || wanted === '') return freeSlug(writer, this.#content, { parent, title, self })
    const slug = slugify(wanted)
    if (slug === '') throw invalid(field, 'has nothing that can stand in an address')
    const holder = await childBySlug(writer, this.#content, parent, slug)
    if (holder !== undefined && holder !== self)
      throw fail('conflict', `\`${field}\`: the page ${holder} beside it has the slug ${slug} already.`)
    return slug
  }

  /** An address stays as it is while it can; a title that changed takes its address along unless that was chosen by hand. */
  async #slugAfter(
    before: PageRecord,
    next: { parent: string | undefined; title: string; slug: string | undefined },
    field: string,
  ): Promise<string | undefined> {
    if (before.type === 'link' || before.slug === undefined) return undefined
    const { parent, title, slug } = next
    if (slug !== undefined) return this.#slugFor(parent, slug, title, before.id, field)
    const wasMade = before.slug === slugify(before.title) || before.slug.startsWith(`${slugify(before.title)}-`)
    if (title !== before.title && wasMade) return this.#slugFor(parent, undefined, title, before.id, field)
    if (parent === before.parent) return before.slug
    return freeSlug(this.#tools.writer, this.#content, { parent, title: before.slug, self: before.id })
  }
}

const missing = (id: string, field: string): ApiError =>
  new ApiError('not_found', {
    message: `There is no page ${id} in this content.`,
    details: [{ field, message: 'names no page' }],
  })

/** The metadata a change carries; an empty text takes a field away. */
function metadataOf(change: Insert | Update): Partial<PageRecord> {
  const { emoji, icon, description, linkTitle, hidden, noIndex, noRobotsIndex, condition, layout, cover, variables } =
    change
  const given: Partial<PageRecord> = {
    emoji,
    icon,
    description,
    linkTitle,
    hidden,
    noIndex,
    noRobotsIndex,
    condition,
    variables,
  } as Partial<PageRecord>
  if (layout !== undefined) given.layout = layout as PageLayout
  if (cover !== undefined) given.cover = (cover ?? undefined) as PageCover
  const result: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(given)) if (value !== undefined) result[name] = value
  if (cover === null) result.cover = undefined
  return result as Partial<PageRecord>
}

/** A record has no empty fields: what was cleared is absent. */
function clean(page: { [K in keyof PageRecord]: PageRecord[K] | undefined }): PageRecord {
  const kept = Object.entries(page).filter(([, value]) => value !== undefined && value !== '' && value !== false)
  // The fields that every page has are never empty: id, type, rank and title are given by the callers above.
  return { title: page.title ?? '', rank: page.rank ?? '', ...Object.fromEntries(kept) } as PageRecord
}
