/**
 * Computed pages: where a page stands for a spec, the content is read with the pages that the spec makes in its place. They are
 * never stored. A revision is read with the versions that its specs have at the moment, so that pages follow a new version by
 * themselves; what it was read with is part of `key`, by which whatever was made from it is kept.
 */
import { defineCache } from '../../core/caches.ts'
import { paragraph } from '../../core/document/tree/make.ts'
import type { Block, JSONDocument } from '../../core/document/tree/nodes.ts'
import { ApiError } from '../../core/errors.ts'
import type { OpenSpec } from '../../core/openapi/collect.ts'
import {
  type ComputedDoc,
  type ComputedPage,
  type ComputedProps,
  descriptionOf,
  documentOf,
  pagesOf,
} from '../../core/openapi/pages.ts'
import { ranksBetween } from '../../core/order.ts'
import { type Content, type PageChange, pageById, putPages } from '../../core/revision/content.ts'
import { findKeys } from '../../core/revision/find.ts'
import type { MapNode } from '../../core/revision/map.ts'
import type { PageRecord } from '../../core/revision/records.ts'
import type { ContentReader } from '../../store/content/content.ts'
import { contentHash } from '../../store/content/content-hash.ts'
import { specStamp } from '../../store/content/openapi.ts'
import { TimeSlices } from '../../store/time-slices.ts'
import type { Threads } from '../../threads/supervisor.ts'
import { readMarkdown } from '../content/markdown/markdown.ts'
import type { Base } from '../handler.ts'
import { specOf } from './shown.ts'

export interface Expanded {
  content: Content
  reader: ContentReader
  /** Tells one reading of a revision from another. */
  key: string
  /** The pages that specs have made. */
  made: readonly PageRecord[]
}

interface Expansion {
  content: Content
  made: readonly PageRecord[]
  nodes: ReadonlyMap<string, MapNode<unknown>>
  documents: ReadonlyMap<string, () => Promise<JSONDocument>>
}

const computedInNode = defineCache<readonly string[]>('computed pages in nodes', { share: 0.01 })
const expansionsIn = defineCache<Expansion>('computed pages', { share: 0.06 })

/** About what a page that was made takes: its record, its place in the tree, and how to make its document. */
const madeBytes = 2_500

/** Tells one reading of a revision from another, by the stamp of the organization's specs. */
export const expandedKey = (revisionId: string, stamp: string | null): string =>
  stamp === null ? revisionId : `${revisionId} ${stamp}`

/** The content with its computed pages; the content itself where there are none. */
export async function expand(
  base: Pick<Base, 'db' | 'env'>,
  space: { id: string; organizationId: string; specStamp?: string | null },
  given: { revision: { id: string; content: Content }; reader: ContentReader },
): Promise<Expanded> {
  const { revision, reader } = given
  const plain = { content: revision.content, reader, key: revision.id, made: [] }
  // A space that was loaded for its path has brought it along.
  const stamp = space.specStamp === undefined ? await specStamp(base.db, space) : space.specStamp
  if (stamp === undefined || stamp === null) return plain
  const found = computedInNode(base.db.caches)
  const ids = await findKeys(reader, revision.content.pages, isComputed, {
    get: (hash) => found.get(hash),
    set: (hash, keys) => found.set(hash, keys, 80 * keys.length),
  })
  const key = expandedKey(revision.id, stamp)
  if (ids.length === 0) return { ...plain, key }
  const expansions = expansionsIn(base.db.caches)
  let expansion = expansions.get(key)
  if (!expansion) {
    expansion = await compute(base, space, { content: revision.content, reader, ids })
    expansions.set(key, expansion, madeBytes * expansion.made.length)
  }
  return { content: expansion.content, reader: readerOver(reader, expansion), key, made: expansion.made }
}

export const isComputed = (page: PageRecord): boolean =>
  page.type === 'computed' && page.computed?.type === 'builtin:openapi'

const madeIn = <V>(nodes: Expansion['nodes'], hash: string) => nodes.get(hash) as MapNode<V> | undefined

/** Reads what was made here, and everything else from below. */
const readerOver = (
  reader: ContentReader,
  { nodes, documents }: Pick<Expansion, 'nodes' | 'documents'>,
): ContentReader => ({
  ...reader,
  load: async <V>(hash: string) => madeIn<V>(nodes, hash) ?? reader.load<V>(hash),
  peek: <V>(hash: string) => madeIn<V>(nodes, hash) ?? reader.peek?.<V>(hash),
  loadAll: async (hashes) => reader.loadAll?.(hashes.filter((hash) => !nodes.has(hash))),
  document: async (hash) => documents.get(hash)?.() ?? reader.document(hash),
  documentText: async (hash) => (documents.has(hash) ? undefined : reader.documentText(hash)),
  documentsAhead: (hashes) => reader.documentsAhead(hashes.filter((hash) => !documents.has(hash))),
})

async function compute(
  base: Pick<Base, 'db' | 'env'>,
  space: { id: string; organizationId: string },
  { content, reader, ids }: { content: Content; reader: ContentReader; ids: readonly string[] },
): Promise<Expansion> {
  const nodes = new Map<string, MapNode<unknown>>()
  const documents = new Map<string, () => Promise<JSONDocument>>()
  const slices = new TimeSlices()
  const over = readerOver(reader, { nodes, documents })
  const drafts: ContentReader = {
    ...over,
    // A spec may make thousands of pages: others have the event loop between one node and the next.
    load: async (hash) => {
      await slices.next()
      return over.load(hash)
    },
    peek: (hash) => (slices.isOver ? undefined : over.peek?.(hash)),
    save: (node) => {
      // No hash begins like this.
      const hash = `*${nodes.size}`
      nodes.set(hash, node)
      return hash
    },
  }
  const changes: PageChange[] = []
  for (const id of ids) {
    const page = await pageById(reader, content, id)
    const ref = page && computedSpec(page)
    const spec = ref && (await specOf(base, { ...space, spaceId: space.id, reader, content }, ref))
    if (page && ref && spec)
      changes.push(...(await changesFor({ page, ref, spec }, { documents, slices, threads: base.db.threads })))
  }
  return {
    content: changes.length === 0 ? content : await putPages(drafts, content, changes),
    made: changes.flatMap(({ after }) => after ?? []),
    nodes,
    documents,
  }
}

interface Source {
  page: PageRecord
  ref: { kind: 'openapi'; spec: string }
  spec: OpenSpec
}

async function changesFor(
  { page, ref, spec }: Source,
  {
    documents,
    slices,
    threads,
  }: { documents: Map<string, () => Promise<JSONDocument>>; slices: TimeSlices; threads: Threads },
): Promise<PageChange[]> {
  const records: PageRecord[] = []
  // A page keeps its id through versions, and tells which page it was made by.
  const pageId = (key: string): string =>
    `${page.id}_${contentHash(key)
      .replace(/[^A-Za-z0-9]/g, '')
      .slice(0, 12)}`
  const written = async (props: ComputedDoc): Promise<JSONDocument> => {
    const about = await readDescription(threads, descriptionOf(spec.index, props))
    return documentOf(spec.index, ref, props, { about, pageId })
  }
  const put = (record: PageRecord, props: ComputedDoc): void => {
    const document = `*${record.id}`
    documents.set(document, () => written(props))
    const computed = { type: 'builtin:openapi', props: { ...props }, dependencies: { spec: { ref } } }
    records.push({ ...record, type: 'document', document, computed, computedSeed: contentHash(JSON.stringify(props)) })
  }
  const below = async (pages: readonly ComputedPage[], parent: string): Promise<void> => {
    const ranks = ranksBetween('', '', pages.length)
    for (const [index, one] of pages.entries()) {
      await slices.next()
      const id = pageId(one.key)
      const rank = ranks[index] ?? ''
      const layout = layouts[one.props.doc]
      put(
        {
          id,
          title: one.title,
          slug: one.slug,
          parent,
          rank,
          type: 'document',
          ...(layout ? { layout } : {}),
          ...(page.hidden === undefined ? {} : { hidden: page.hidden }),
        },
        one.props,
      )
      await below(one.pages, id)
    }
  }
  put({ ...page, type: 'document', title: page.title }, { doc: 'info', page: spec.index.title })
  await slices.next()
  const pages = pagesOf(spec.index, propsOf(page))
  await slices.next()
  await below(pages, page.id)
  return records.map((after, index) => (index === 0 ? { before: page, after } : { after }))
}

/** Readers get their page even where its description is made to take long: then as it is spelt. */
async function readDescription(threads: Threads, text: string | undefined): Promise<Block[]> {
  if (text === undefined) return []
  try {
    return (await readMarkdown(threads, text, 'description', { isPart: true })).document.nodes
  } catch (error) {
    if (error instanceof ApiError && error.code === 'invalid_input') return [paragraph(text)]
    throw error
  }
}

/** The spec that a computed page is made from. */
export function computedSpec({ computed }: PageRecord): Source['ref'] | undefined {
  const spec: unknown = computed?.dependencies?.spec
  const ref: unknown = typeof spec === 'object' && spec !== null && 'ref' in spec ? spec.ref : undefined
  if (typeof ref !== 'object' || ref === null || !('spec' in ref) || typeof ref.spec !== 'string') return undefined
  return { kind: 'openapi', spec: ref.spec }
}

/** An operation stands beside how to call it; where there are many, the outline lists them. */
const layouts: Partial<Record<ComputedDoc['doc'], PageRecord['layout']>> = {
  operation: { width: 'wide', outline: false },
  operations: { width: 'wide' },
}

const propsOf = ({ computed }: PageRecord): ComputedProps => ({
  models: computed?.props?.models !== false,
  grouping: computed?.props?.grouping === 'by-operation' ? 'by-operation' : 'by-tag',
})
