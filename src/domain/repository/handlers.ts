/** A content as a docs repository: the operation answers an address, and whoever fetches it gets the archive. */
import type { spaceContent } from '../../contract/content/space-content.ts'
import { fail } from '../../core/errors.ts'
import { readContent } from '../../store/content/content.ts'
import { findRevision } from '../../store/content/revisions.ts'
import { findSpace } from '../../store/content/spaces.ts'
import type { Database } from '../../store/database.ts'
import { contentAt } from '../content/at.ts'
import type { Environment } from '../environment.ts'
import type { HandlersOf } from '../handler.ts'
import { type Export, exportRepository } from './export.ts'

/** What the address says, sealed so that nobody can change it; it is the right to fetch the archive, for an hour. */
interface ExportTicket {
  space: string
  revision: string
  until: number
}

const purpose = 'export'
const hour = 60 * 60 * 1000

export const exportHandlers: Pick<HandlersOf<typeof spaceContent>, 'exportContent'> = {
  async exportContent(call) {
    const { env, now, space } = call
    const { revision } = await contentAt(call, { computed: false })
    const ticket: ExportTicket = { space: space.id, revision: revision.id, until: Date.parse(now) + hour }
    const token = env.signer.seal(purpose, JSON.stringify(ticket))
    return { revision: revision.id, url: env.urls.export(token, space.title) }
  },
}

/** The export that an address names. */
export async function openExport(
  { db, env, now }: { db: Database; env: Environment; now: Date },
  token: string,
): Promise<Export> {
  const text = env.signer.open(purpose, token)
  if (text === undefined) throw fail('not_found')
  // Sealed by us, so it has the shape that it was given above.
  const ticket: ExportTicket = JSON.parse(text)
  if (ticket.until <= now.getTime()) throw fail('not_found', 'This address has expired. Ask for the export again.')
  const space = await findSpace(db, { id: ticket.space })
  const revision = await findRevision(db, { id: ticket.revision, spaceId: ticket.space })
  if (!space || space.deletedAt !== null || !revision) throw fail('not_found')
  return exportRepository({ db, reader: readContent(db), blobs: env.blobs }, revision.content)
}
