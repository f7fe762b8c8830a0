/**
 * Specs that pages name by an address or by a file of their space, instead of by the slug of a spec. Each has a row of its
 * own like those that people make, under a slug that nobody can send, and is fetched and read by the same job.
 *
 * 1. The row is made with the content that names it; whoever views a page fetches nothing and writes nothing.
 * 2. A file is known by its bytes: who can read the file in the content they read, and nobody else, comes to its spec.
 * 3. A spec whose address no page names any more is dropped when it would be fetched again.
 */
import type { JSONDocument } from '../../core/document/tree/nodes.ts'
import type { SpecBlock } from '../../core/openapi/block-view.ts'
import { specBlocksIn } from '../../core/openapi/write-out.ts'
import { type Content, fileById } from '../../core/revision/content.ts'
import type { NodeStore } from '../../core/revision/map.ts'
import { contentHash } from '../../store/content/content-hash.ts'
import { isNamedUrl } from '../../store/content/links.ts'
import { countNamedSpecs, deleteSpec, insertNamedSpec, type SpecRow } from '../../store/content/openapi.ts'
import { findSpace } from '../../store/content/spaces.ts'
import type { Connection } from '../../store/database.ts'
import { enqueueProcessing, newSpec } from './new-spec.ts'

export type SpecRef = SpecBlock['data']['ref']

/** Where a reference is read. */
export interface ReferenceContext {
  spaceId: string
  reader: NodeStore
  content: Content
}

/** As many as one page shows, and as one organization keeps. */
export const mostSpecsOnPage = 50
const mostNamed = 500
const largestFile = 10 * 1024 * 1024

const ownSlug = (kind: 'url' | 'file', name: string): string =>
  `~${contentHash(kind === 'url' ? name : `file ${name}`)}`

interface SpecName {
  slug: string
  sourceURL: string | null
  sourceBlob: string | null
}

/** The slug under which the spec of a reference is kept, and where it comes from if pages made it. */
export async function nameOfSpec(ref: SpecRef, context: ReferenceContext): Promise<SpecName | undefined> {
  if (ref.kind === 'openapi')
    return ref.spec.startsWith('~') ? undefined : { slug: ref.spec, sourceURL: null, sourceBlob: null }
  if (ref.kind === 'url')
    return /^https?:\/\//i.test(ref.url)
      ? { slug: ownSlug('url', ref.url), sourceURL: ref.url, sourceBlob: null }
      : undefined
  if (ref.space !== undefined && ref.space !== context.spaceId) return undefined
  const file = await fileById(context.reader, context.content, ref.file)
  if (!file || file.size > largestFile) return undefined
  return { slug: ownSlug('file', file.blob), sourceURL: null, sourceBlob: file.blob }
}

/** In the transaction that makes these documents the content of a space: rows and jobs for what they name and is not there. */
export async function keepNamedSpecs(
  tx: Connection,
  context: ReferenceContext & { organizationId: string },
  documents: readonly JSONDocument[],
): Promise<void> {
  const { organizationId } = context
  const names = new Map<string, SpecName>()
  for (const document of documents)
    for (const { data } of specBlocksIn(document).slice(0, mostSpecsOnPage)) {
      const name = data.ref.kind === 'openapi' ? undefined : await nameOfSpec(data.ref, context)
      if (name) names.set(name.slug, name)
    }
  if (names.size === 0) return
  const space = await findSpace(tx, { id: context.spaceId })
  if (!space) return
  const now = new Date().toISOString()
  let count = await countNamedSpecs(tx, organizationId)
  for (const name of names.values()) {
    if (count >= mostNamed) return
    // The same for all who name it at once.
    const id = contentHash(`${organizationId} ${name.slug}`).replace(/[-_]/g, '0').slice(0, 20)
    const isNew = await insertNamedSpec(
      tx,
      newSpec({ id, organizationId, ...name, createdBy: space.createdBy, createdAt: now }),
    )
    if (!isNew) continue
    count += 1
    await enqueueProcessing(tx, id)
  }
}

/** Whether the row was one that pages made and none names any more; it is gone then. */
export async function dropUnnamed(db: Connection, spec: SpecRow): Promise<boolean> {
  if (!spec.slug.startsWith('~') || spec.sourceURL === null || spec.lastProcessedAt === null) return false
  if (await isNamedUrl(db, { organizationId: spec.organizationId, url: spec.sourceURL })) return false
  await deleteSpec(db, { id: spec.id })
  return true
}
