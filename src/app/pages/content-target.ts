/**
 * Where content is read and written: a space as it is, or one of its change requests. Every screen that works in both
 * goes through here, so that which of two twin operations is called is decided once.
 */
import { useQuery } from '@tanstack/react-query'
import { call, type Input, type Output, queries, server } from '../session/client.ts'
import { filesPath, sendFiles } from '../session/upload.ts'

export interface ContentTarget {
  space: string
  /** The number of a change request, or its id. */
  changeRequest?: string | undefined
}

export type PageNode = Output<'listPages'>['pages'][number]
export type Page = Output<'getPageById'>
export type ContentChange = Input<'updateSpaceContent'>['body']['changes'][number]
export type ChangeResult = Output<'updateSpaceContent'>['changes'][number]

const keyOf = ({ space, changeRequest = '' }: ContentTarget, kind: string) =>
  ['content', space, changeRequest, kind] as const

export const pagesKey = (content: ContentTarget) => keyOf(content, 'pages')

export const pagesQuery = (content: ContentTarget) => ({
  queryKey: pagesKey(content),
  queryFn: ({ signal }: { signal: AbortSignal }) => listPages(content, signal),
  staleTime: 60_000,
})

export const usePages = (content: ContentTarget) => useQuery(pagesQuery(content))

async function listPages({ space, changeRequest }: ContentTarget, signal?: AbortSignal): Promise<PageNode[]> {
  const query = { fields: 'tree' } as const
  const extra = signal ? { signal } : {}
  const { pages } =
    changeRequest === undefined
      ? await call('listPages', { spaceId: space, query, ...extra })
      : await call('listPagesInChangeRequest', { spaceId: space, changeRequestId: changeRequest, query, ...extra })
  return pages
}

export const pageQuery = (content: ContentTarget, page: string) => ({
  queryKey: [...keyOf(content, 'page'), page],
  queryFn: ({ signal }: { signal: AbortSignal }) => getPage(content, page, signal),
  staleTime: 5_000,
})

export const usePage = (content: ContentTarget, page: string) => useQuery(pageQuery(content, page))

/** With the revision that it was read at, which a writer starts from. */
function getPage({ space, changeRequest }: ContentTarget, page: string, signal: AbortSignal): Promise<Page> {
  const query = { format: 'document', pages: false, revision: true } as const
  const input = { spaceId: space, pageId: page, query, signal }
  return changeRequest === undefined
    ? call('getPageById', input)
    : call('getPageInChangeRequestById', { ...input, changeRequestId: changeRequest })
}

const isOf =
  ({ space, changeRequest }: ContentTarget) =>
  ({ queryKey: [kind, of, request] }: { queryKey: readonly unknown[] }): boolean =>
    kind === 'content' && of === space && (request === (changeRequest ?? '') || changeRequest === undefined)

export const contentChanged = (content: ContentTarget): Promise<void> =>
  queries.invalidateQueries({ predicate: isOf(content) })

/** Asked for again when it is next looked at, and not before. */
export const contentIsStale = (content: ContentTarget): void =>
  void queries.invalidateQueries({ predicate: isOf(content), refetchType: 'none' })

/** Shows a change at once; `contentChanged` brings what the server made of it. */
export function showPages(content: ContentTarget, change: (pages: PageNode[]) => PageNode[]): void {
  queries.setQueryData<PageNode[]>(keyOf(content, 'pages'), (pages) => pages && change(pages))
}

export const showPage = (content: ContentTarget, page: string, change: Partial<Page>): void => {
  queries.setQueryData<Page>([...keyOf(content, 'page'), page], (before) => before && { ...before, ...change })
}

/** Writes a batch of changes and answers what became of each. */
export async function write(
  { space, changeRequest }: ContentTarget,
  changes: ContentChange[],
): Promise<ChangeResult[]> {
  const content = { space, changeRequest }
  try {
    if (changeRequest === undefined)
      return (await call('updateSpaceContent', { spaceId: space, body: { changes } })).changes
    const outcome = await call('updateChangeRequestContent', {
      spaceId: space,
      changeRequestId: changeRequest,
      query: { compat: false },
      body: { changes },
    })
    return 'changes' in outcome ? outcome.changes : []
  } finally {
    void contentChanged(content)
  }
}

export async function upload(
  { space, changeRequest }: ContentTarget,
  files: readonly File[],
  onProgress?: (part: number) => void,
) {
  const url = `${server.url}${filesPath(space, changeRequest)}`
  const added = await sendFiles({ url, files, onProgress })
  void contentChanged({ space, changeRequest })
  return added
}
