/** One page on the server: read at its newest revision, saved as a difference from the revision one knows. */
import { CallFailed, type Client } from '../../client/client.ts'
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

export function pageRemote(client: Client, { space, changeRequest, page }: PageAddress): Remote {
  const newest = async (): Promise<string> => {
    const of =
      changeRequest === undefined
        ? await client.getSpaceById({ spaceId: space })
        : await client.getChangeRequestById({ spaceId: space, changeRequestId: changeRequest })
    return of.revision
  }
  return {
    async read() {
      const revision = await newest()
      const found = await client.getPageInRevisionById({
        spaceId: space,
        revisionId: revision,
        pageId: page,
        query: { format: 'document', pages: false, metadata: false },
      })
      return { revision, blocks: blocksOf(found) }
    },
    async save({ key, base, patch }) {
      const change = { operation: 'update_page', page, base, onConflict: 'refuse', document: patch }
      const input = { spaceId: space, body: { changes: [change], amend: true }, idempotencyKey: key }
      const answer =
        changeRequest === undefined
          ? await post(client, 'updateSpaceContent', input)
          : await post(client, 'updateChangeRequestContent', { ...input, changeRequestId: changeRequest })
      const { revision, changes } = readAnswer(answer)
      const updated = changes.find((one) => one.object === 'updated_page')
      return updated?.document === undefined ? { revision } : { revision, blocks: nodesOf(updated.document) }
    },
  }
}

function post(
  client: Client,
  name: 'updateSpaceContent' | 'updateChangeRequestContent',
  input: object,
): Promise<unknown> {
  const send: unknown = Reflect.get(client, name)
  return typeof send === 'function'
    ? Promise.resolve(Reflect.apply(send, undefined, [input]))
    : Promise.reject(new Error(name))
}

interface Answer {
  revision: string
  changes: { object?: string; document?: unknown }[]
}

function readAnswer(answer: unknown): Answer {
  if (!isAnswer(answer)) throw new Error('The server answered a save with something else.')
  return answer
}

function isAnswer(value: unknown): value is Answer {
  return (
    typeof value === 'object' &&
    value !== null &&
    'revision' in value &&
    'changes' in value &&
    Array.isArray(value.changes)
  )
}

const blocksOf = (page: object): Block[] => ('document' in page ? nodesOf(page.document) : [])

function nodesOf(document: unknown): Block[] {
  return isDocument(document) ? document.nodes : []
}

function isDocument(value: unknown): value is JSONDocument {
  return typeof value === 'object' && value !== null && 'nodes' in value && Array.isArray(value.nodes)
}

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
