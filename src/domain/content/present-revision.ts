/** A revision as the API shows it: with all its pages, files and reusable contents. */
import type { z } from 'zod'
import type { Revision } from '../../contract/content/pages.ts'
import { entries } from '../../core/revision/map.ts'
import type { FileRecord, ReusableRecord } from '../../core/revision/records.ts'
import { findChangeRequest } from '../../store/content/change-requests.ts'
import { presentChangeRequest } from '../change-requests/present.ts'
import { Answer, type Base } from '../handler.ts'
import { type PublishedAddress, publishedAddressOf } from '../sites/published-address.ts'
import type { ContentAt } from './at.ts'
import { viewTree } from './page-view.ts'
import { presentFile } from './present-file.ts'
import { presentReusable } from './present-reusable.ts'

export async function presentRevision(
  base: Base,
  at: ContentAt,
  { metadata }: { metadata: boolean },
): Promise<Answer<z.output<typeof Revision>>> {
  const { reader, content, revision, space } = at
  const files = await entries<FileRecord>(reader, content.files)
  const reusable = await entries<ReusableRecord>(reader, content.reusable)
  // Readers see the revision that the space points at, and no other.
  const address = revision.id === space.revisionId ? await publishedAddressOf(base, space) : undefined
  const mergedFrom =
    revision.mergedFrom === null
      ? undefined
      : await findChangeRequest(base.db, { spaceId: space.id, id: revision.mergedFrom })
  return new Answer({
    object: 'revision',
    id: revision.id,
    parents: revision.parents,
    type: revision.type,
    pages: (await viewTree(base, at, metadata)).pages,
    files: files.map(([, file]) => presentFile(file, { env: base.env, now: base.now, metadata })),
    reusableContents: reusable.map(([, record]) => presentReusable(record, { metadata })),
    ...(Object.keys(content.variables).length === 0 ? {} : { variables: content.variables }),
    tags: [],
    createdAt: revision.createdAt,
    ...(revision.git === null || !metadata ? {} : { git: JSON.parse(revision.git) }),
    ...(mergedFrom ? { mergedFrom: await presentChangeRequest(base, mergedFrom) } : {}),
    urls: { app: base.env.urls.revision(space.id, revision.id), ...published(address) },
  })
}

const published = (address: PublishedAddress | undefined) => ({
  ...(address?.published === undefined ? {} : { published: address.published }),
  ...(address?.public === undefined ? {} : { public: address.public }),
})
