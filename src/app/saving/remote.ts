/** One page on the server: read at its newest revision, saved as a difference from the revision one knows. */
import { CallFailed, type Client } from '../../client/client.ts'
import { withoutHeadingIds } from '../../core/document/text/heading-ids.ts'
import type { Block, JSONDocument } from '../../core/document/tree/nodes.ts'
import type { Patch } from './patch.ts'

/** A state of the page that the server has. */
export interface Head {
  revision: string
  blocks: Block[]
}

export interface Save {
  /** Makes it safe to send twice. */
  key: string
  base: string
  patch: Patch
}

export interface Remote {
  read(): Promise<Head>
  /** Answers with the new revision, and with what the page holds now where that is not what was sent. */
  save(save: Save): Promise<{ revision: string; blocks?: Block[] }>
}

export interface PageAddress {
  space: string
  changeRequest?: string | undefined
  page: string
}

/** The newest revision of the space or of the change request. */
export async function newestRevision(client: Client, { space, changeRequest }: PageAddress): Promise<string> {
  const { revision } =
    changeRequest === undefined
      ? await client.getSpaceById({ spaceId: space })
      : await client.getChangeRequestById({ spaceId: space, changeRequestId: changeRequest })
  return revision
}

export function pageRemote(client: Client, address: PageAddress): Remote {
  const { space, changeRequest, page } = address
  return {
    async read() {
      const revision = await newestRevision(client, address)
      const found = await client.getPageInRevisionById({
        spaceId: space,
        revisionId: revision,
        pageId: page,
        query: { format: 'document', pages: false, metadata: false },
      })
      return headOf(revision, found)
    },
    async save({ key, base, patch }) {
      const document = { ...patch, put: patch.put.map((block) => ({ ...block })) }
      const change = { operation: 'update_page' as const, page, base, onConflict: 'refuse' as const, document }
      const input = { spaceId: space, body: { changes: [change], amend: true }, idempotencyKey: key }
      if (changeRequest === undefined) {
        const { revision, changes } = await client.updateSpaceContent(input)
        return savedAs(revision, changes)
      }
      const answer = await client.updateChangeRequestContent({
        ...input,
        changeRequestId: changeRequest,
        query: { compat: false },
      })
      if (!('changes' in answer)) throw new Error('The server answered a save with something else.')
      return savedAs(answer.changeRequest.revision, answer.changes)
    },
  }
}

function savedAs(
  revision: string,
  changes: readonly { object: string; document?: JSONDocument | undefined }[],
): { revision: string; blocks?: Block[] } {
  const updated = changes.find(({ document }) => document !== undefined)
  return updated === undefined ? { revision } : { revision, blocks: blocksOf(updated) }
}

/** A page as it was read at a revision, to write on. */
export const headOf = (revision: string, page: { document?: JSONDocument | undefined }): Head => ({
  revision,
  blocks: blocksOf(page),
})

const blocksOf = ({ document }: { document?: JSONDocument | undefined }): Block[] =>
  document ? withoutHeadingIds(document).nodes : []

/** Deleted, or not to be seen any more. */
export const isGone = (problem: unknown): boolean => problem instanceof CallFailed && problem.status === 404

/** What to do after a save that failed. */
export type Failure = 'again' | 'again-anew' | 'conflict' | 'base-gone' | 'refused'

export function failureOf(problem: unknown): Failure {
  if (!(problem instanceof CallFailed)) return 'again'
  const { status, type } = problem
  const name: string = type
  if (name === 'edit_conflict') return 'conflict'
  if (name === 'base_gone') return 'base-gone'
  // Someone was quicker: the same words, sent as a new request, are let through.
  if (name === 'conflict' || status === 412) return 'again-anew'
  // Signing in again, an overloaded or a starting server: what was written waits.
  if (status === 401 || status === 408 || status === 425 || status === 429 || status >= 500) return 'again'
  return 'refused'
}
