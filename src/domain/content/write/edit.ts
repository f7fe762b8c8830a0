/**
 * Changes to pages, files, reusable contents and variables, carried out in order on a content that is not stored yet.
 *
 * A batch is one edit: all of it or nothing. Pages made in it have their ids from the start, so that links anywhere in the
 * batch can name them; links are resolved once, at the end, against the content as the batch leaves it. What changes
 * nothing leaves the content as it was.
 */
import { identical, same } from '../../../core/diff/equal.ts'
import { textOf } from '../../../core/document/text/to-text.ts'
import { assignKeys } from '../../../core/document/tree/keys.ts'
import type { ContentRef, JSONDocument } from '../../../core/document/tree/nodes.ts'
import { ApiError, invalid } from '../../../core/errors.ts'
import { fits } from '../../../core/json-pieces.ts'
import {
  type Content,
  freeSlug,
  maxPages,
  pageById,
  pathOf,
  putFiles,
  putPages,
  putReusable,
  ranksAt,
  reusableById,
  subtreeOf,
} from '../../../core/revision/content.ts'
import { draftNodes } from '../../../core/revision/draft-nodes.ts'
import type { PageRecord, ReusableRecord } from '../../../core/revision/records.ts'
import type { ContentWriter } from '../../../store/content/content.ts'
import type { Connection } from '../../../store/database.ts'
import { TimeSlices } from '../../../store/time-slices.ts'
import type { Things } from '../../things.ts'
import { resolveRefs } from '../links/refs.ts'
import { type Edited, namesIn, type Outcome, type ReadyChange, type ReusableOutcome } from './changes.ts'
import { type Change, clean, type Insert, metadataOf, rebaseFields, type Update } from './page-fields.ts'
import { findParent, missingPage, refuseCycle, refuseTooDeep, slugAfter, slugFor, type Within } from './page-place.ts'
import { RebasedEdits } from './rebased-edits.ts'
import { decideConflict } from './resolve.ts'
import { revertBlocks } from './revert.ts'

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

function refuseMany(variables: PageRecord['variables'], field: string): void {
  if (Object.keys(variables ?? {}).length > maxVariables)
    throw invalid(`${field}.variables`, `would make more than ${maxVariables} variables`)
}

/** A group is a heading of the navigation: words in it could be read nowhere. */
function refuseWords(document: JSONDocument | undefined, field: string): void {
  if (document?.nodes.some((node) => node.type !== 'paragraph' || textOf(node) !== ''))
    throw invalid(`${field}.document`, 'must be empty: a group has no text of its own, put it on a page below it')
}

interface Tools {
  db: Connection
  writer: ContentWriter
  space: Things['space']
  now: string
}

/** A document given in a batch, stored once its links are resolved. */
interface Given {
  document: JSONDocument | undefined
  /** Its nodes have their keys already. */
  keyed: boolean
}

const maxVariables = 1000
/** Values of a document. */
const mostCompared = 20_000

class Batch {
  readonly #tools: Tools
  readonly #names: ReadonlyMap<string, ContentRef>
  readonly #documents = new Map<string, Given>()
  readonly #reusableDocuments = new Map<string, Given>()
  readonly #rebased = new RebasedEdits()
  readonly #outcomes: Outcome[] = []
  readonly #files: Edited['files'] = []
  readonly #reusables: ReusableOutcome[] = []
  #content: Content

  constructor(tools: Tools, content: Content, names: ReadonlyMap<string, ContentRef>) {
    this.#tools = tools
    this.#content = content
    this.#names = names
  }

  async apply(ready: ReadyChange, field: string): Promise<void> {
    const { change } = ready
    switch (change.operation) {
      case 'insert_page':
        return this.#insert(change, ready, field)
      case 'update_page':
        return this.#update(change, ready, field)
      case 'move_page':
        return this.#move(change, field)
      case 'delete_page':
        return this.#delete(change.page, field)
      case 'revert_page':
        return this.#revert(change, ready, field)
      case 'insert_files':
        return this.#insertFiles(ready.files ?? [])
      case 'resolve_conflict':
        return this.#resolve(change, field)
      case 'update_variables':
        return this.#setVariables(change, field)
      case 'delete_reusable_content':
        await this.#reusable(change.reusableContent, `${field}.reusableContent`)
        return this.#putReusable(change.reusableContent, undefined, { kind: 'deleted', id: change.reusableContent })
      default:
        return this.#saveReusable(change, ready, field)
    }
  }

  async finish(): Promise<Edited> {
    const { writer, now } = this.#tools
    const changes = []
    const slices = new TimeSlices()
    for (const [id, given] of this.#documents) {
      const before = await pageById(writer, this.#content, id)
      if (!before) continue // Inserted or edited, and deleted again by the same batch.
      const document = await this.#settled(given, before, await pathOf(writer, this.#content, before))
      await slices.next()
      this.#rebased.addDocument(id, document)
      // Who named a base goes on with the keys that were sent; anyone else may have sent none.
      const isSame = this.#rebased.has(id) ? identical : same
      // Comparing large ones takes longer than finding out by its hash that this one is stored already.
      const isLarge = document !== undefined && !fits(document, mostCompared)
      if (!isLarge && isSame(document, await this.#storedDocument(before))) continue
      const hash = document && (await writer.saveDocument(document, before.document))
      if (isLarge && hash === before.document) continue
      const { document: _, ...page } = before
      changes.push({ before, after: { ...page, ...(hash === undefined ? {} : { document: hash }), updatedAt: now } })
    }
    this.#content = await putPages(writer, this.#content, changes)
    for (const [id, given] of this.#reusableDocuments) {
      const before = await reusableById(writer, this.#content, id)
      if (!before) continue
      const document = await this.#settled(given, before, '')
      if (same(document, await this.#storedDocument(before))) continue
      const { document: _, ...record } = before
      const after = document ? { ...record, document: await writer.saveDocument(document, before.document) } : record
      this.#content = await putReusable(writer, this.#content, new Map([[id, after]]))
    }
    return { content: this.#content, outcomes: this.#outcomes, files: this.#files, reusables: this.#reusables }
  }

  /** With links that name pages and files of the content, and keys. */
  async #settled(
    { document, keyed }: Given,
    before: PageRecord | ReusableRecord,
    path: string,
  ): Promise<JSONDocument | undefined> {
    if (document === undefined) return undefined
    const { db, writer, space } = this.#tools
    const at = { reader: writer, content: this.#content, space, revision: undefined as never }
    const resolved = await resolveRefs(db, at, document, { path, names: this.#names })
    return keyed ? resolved : assignKeys(resolved, await this.#storedDocument(before))
  }

  async #insert(change: Insert, { body, id }: ReadyChange, field: string): Promise<void> {
    const { writer, now } = this.#tools
    if (this.#content.pages.count >= maxPages) throw invalid(field, `would make more than ${maxPages} pages`)
    if (id === undefined) throw new Error('An inserted page has its id from the start.')
    const type = change.type ?? 'document'
    if (type === 'computed' && change.computed === undefined) throw invalid(`${field}.computed`, 'is missing')
    const parent = await this.#parentOf(change.into, type, `${field}.into`)
    const title = body?.title ?? change.title ?? 'Untitled'
    const [rank = ''] = await ranksAt(writer, this.#content, { parent, at: change.at })
    const wanted = change.slug
    const page: PageRecord = clean({
      id,
      type,
      parent,
      rank,
      title,
      slug: type === 'link' ? undefined : await slugFor(this.#within(`${field}.slug`), { parent, title, wanted }),
      computed: type === 'computed' ? change.computed : undefined,
      target: type === 'link' ? (change.target ?? { kind: 'url', url: '' }) : undefined,
      ...metadataOf(change),
      ...body?.fields,
      createdAt: now,
      updatedAt: now,
    })
    refuseMany(page.variables, field)
    if (type === 'group') refuseWords(body?.document, field)
    this.#content = await putPages(writer, this.#content, [{ after: page }])
    if (body?.document) this.#setDocument(id, body.document, body.keyed)
    this.#outcomes.push({ kind: 'created', page: id, ref: change.ref })
  }

  async #update(change: Update, { body, rebased }: ReadyChange, field: string): Promise<void> {
    const before = await this.#page(change.page, `${field}.page`)
    const given = {
      ...(body?.title === undefined && change.title === undefined ? {} : { title: body?.title ?? change.title }),
      ...(change.slug === undefined ? {} : { slug: change.slug }),
      ...(before.type === 'link' && change.target ? { target: change.target } : {}),
      ...metadataOf(change),
      ...body?.fields,
    } as Partial<PageRecord>
    const chosen = rebased && rebaseFields(given, { base: rebased.page, head: before })
    const { slug: wanted, title = before.title, ...fields } = chosen?.fields ?? given
    refuseMany(fields.variables, field)
    if (before.type === 'group') refuseWords(rebased ? rebased.document : body?.document, field)
    const position = await this.#positionOf(before, change, field)
    const slug = await slugAfter(this.#within(`${field}.slug`), before, {
      parent: position.parent,
      title,
      slug: wanted,
    })
    await this.#replace(before, { ...before, ...fields, ...position, title, slug })
    const outcome: Outcome = { kind: 'updated', page: before.id }
    this.#outcomes.push(outcome)
    if (rebased === undefined) {
      if (change.document !== undefined) this.#setDocument(before.id, body?.document, body?.keyed)
      return
    }
    if (rebased.hasBody && this.#documents.has(before.id))
      throw invalid(`${field}.base`, 'names a page that this batch edits already')
    this.#rebased.add({ change, page: before, rebased, conflicts: chosen?.conflicts ?? [], outcome, field })
    if (rebased.hasBody) this.#setDocument(before.id, rebased.document, true)
  }

  async #move(change: Extract<Change, { operation: 'move_page' }>, field: string): Promise<void> {
    const before = await this.#page(change.page, `${field}.page`)
    const position = await this.#positionOf(before, change, field)
    const next = { parent: position.parent, title: before.title, slug: undefined }
    const slug = await slugAfter(this.#within(field), before, next)
    const after = clean({ ...before, ...position, slug })
    // Its words did not change, and so neither does the time of their last change.
    if (!same(after, before)) this.#content = await putPages(this.#tools.writer, this.#content, [{ before, after }])
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
    const { writer } = this.#tools
    const then = earlier?.page
    const before = await pageById(writer, this.#content, change.page)
    if (!then && !before) throw missingPage(change.page, `${field}.page`)
    if (!then) return this.#delete(change.page, field)
    if (change.block && before) {
      const document = await this.#documentOf(before)
      this.#setDocument(before.id, revertBlocks(document, earlier?.document, change.block))
    } else {
      // A parent that is gone since cannot take it back: it comes back at the root.
      const home = before?.parent ?? then.parent
      const parent = home !== undefined && (await pageById(writer, this.#content, home)) ? home : undefined
      if (!before) await refuseTooDeep(this.#within(`${field}.page`), { ...then, parent: undefined }, parent)
      const slug =
        then.slug === undefined
          ? undefined
          : await freeSlug(writer, this.#content, { parent, title: then.slug, self: then.id })
      await this.#replace(before, { ...then, parent, slug, rank: before?.rank ?? then.rank })
      this.#documents.delete(then.id)
    }
    this.#outcomes.push({ kind: 'updated', page: change.page })
  }

  async #insertFiles(files: Edited['files']): Promise<void> {
    this.#content = await putFiles(this.#tools.writer, this.#content, new Map(files.map(({ file }) => [file.id, file])))
    this.#files.push(...files)
  }

  async #resolve(change: Extract<Change, { operation: 'resolve_conflict' }>, field: string): Promise<void> {
    const { page, reusableContent } = change
    if ((page === undefined) === (reusableContent === undefined))
      throw invalid(field, 'needs exactly one of `page` and `reusableContent`')
    if (page !== undefined) {
      const before = await this.#page(page, `${field}.page`)
      this.#setDocument(before.id, decideConflict(await this.#documentOf(before), change, `${field}.block`), true)
      this.#outcomes.push({ kind: 'updated', page: before.id })
    } else if (reusableContent !== undefined) {
      const before = await this.#reusable(reusableContent, `${field}.reusableContent`)
      const known = this.#reusableDocuments.get(before.id)
      const document = known ? known.document : await this.#storedDocument(before)
      const decided = decideConflict(document, change, `${field}.block`)
      this.#reusableDocuments.set(before.id, { document: decided, keyed: true })
      this.#reusables.push({ kind: 'updated', id: before.id })
    }
  }

  async #setVariables(change: Extract<Change, { operation: 'update_variables' }>, field: string): Promise<void> {
    const page = change.page === undefined ? undefined : await this.#page(change.page, `${field}.page`)
    const variables = { ...(page ? page.variables : this.#content.variables) }
    for (const [name, value] of Object.entries(change.variables))
      if (value === null) delete variables[name]
      else variables[name] = value
    refuseMany(variables, field)
    if (!page) {
      if (!same(variables, this.#content.variables)) this.#content = { ...this.#content, variables }
      return
    }
    await this.#replace(page, { ...page, variables: Object.keys(variables).length === 0 ? undefined : variables })
    this.#outcomes.push({ kind: 'updated', page: page.id })
  }

  async #saveReusable(
    change: Extract<Change, { operation: 'insert_reusable_content' | 'update_reusable_content' }>,
    { body, id }: ReadyChange,
    field: string,
  ): Promise<void> {
    if (change.operation === 'insert_reusable_content') {
      if (id === undefined) throw new Error('A reusable content has its id from the start.')
      await this.#putReusable(id, { id, title: change.title }, { kind: 'created', id, ref: change.ref })
    } else {
      const before = await this.#reusable(change.reusableContent, `${field}.reusableContent`)
      const after = { ...before, title: change.title ?? before.title }
      await this.#putReusable(before.id, after, { kind: 'updated', id: before.id })
    }
    const target = change.operation === 'insert_reusable_content' ? id : change.reusableContent
    if (change.document !== undefined && target !== undefined)
      this.#reusableDocuments.set(target, { document: body?.document, keyed: body?.keyed ?? false })
  }

  async #putReusable(id: string, record: ReusableRecord | undefined, outcome: ReusableOutcome): Promise<void> {
    this.#content = await putReusable(this.#tools.writer, this.#content, new Map([[id, record]]))
    this.#reusables.push(outcome)
  }

  /** A record that says the same is no edit. */
  async #replace(
    before: PageRecord | undefined,
    next: { [K in keyof PageRecord]: PageRecord[K] | undefined },
  ): Promise<void> {
    const after = clean({ ...next, updatedAt: before?.updatedAt })
    if (before && same(after, before)) return
    const changed = { ...after, updatedAt: this.#tools.now }
    this.#content = await putPages(this.#tools.writer, this.#content, [{ before, after: changed }])
  }

  #setDocument(id: string, document: JSONDocument | undefined, keyed = false): void {
    this.#documents.set(id, { document, keyed })
  }

  async #documentOf(page: PageRecord): Promise<JSONDocument | undefined> {
    const given = this.#documents.get(page.id)
    return given ? given.document : this.#storedDocument(page)
  }

  async #storedDocument({ document }: { document?: string }): Promise<JSONDocument | undefined> {
    return document === undefined ? undefined : this.#tools.writer.document(document)
  }

  async #page(id: string, field: string): Promise<PageRecord> {
    const page = await pageById(this.#tools.writer, this.#content, id)
    if (!page) throw missingPage(id, field)
    return page
  }

  async #reusable(id: string, field: string): Promise<ReusableRecord> {
    const record = await reusableById(this.#tools.writer, this.#content, id)
    if (record) return record
    throw new ApiError('not_found', {
      message: `There is no reusable content ${id} in this content.`,
      details: [{ field, message: 'names no reusable content' }],
    })
  }

  #within(field: string): Within {
    return { nodes: this.#tools.writer, content: this.#content, field }
  }

  /** A name given in this batch stands for its page. */
  async #parentOf(into: string | undefined, type: PageRecord['type'], field: string): Promise<string | undefined> {
    if (into === undefined) return undefined
    const named = this.#names.get(into)
    return findParent(this.#within(field), named?.kind === 'page' ? named.page : into, type)
  }

  /** Where a page goes when it moves; where it stands when it does not. */
  async #positionOf(
    before: PageRecord,
    { into, at }: { into?: string | null | undefined; at?: number | undefined },
    field: string,
  ): Promise<{ parent: string | undefined; rank: string }> {
    const { rank } = before
    if (into === undefined && at === undefined) return { parent: before.parent, rank }
    const wanted = into === undefined ? before.parent : (into ?? undefined)
    const parent = into === undefined ? wanted : await this.#parentOf(wanted, before.type, `${field}.into`)
    await refuseCycle(this.#within(field), before, parent)
    await refuseTooDeep(this.#within(`${field}.into`), before, parent)
    const [next = rank] = await ranksAt(this.#tools.writer, this.#content, { parent, at, except: before.id })
    return { parent, rank: next }
  }
}
