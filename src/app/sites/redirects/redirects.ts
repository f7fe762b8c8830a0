/** The redirects of a site: some at a time, or all of them where somebody looks for one. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { showDone, showProblem } from '../../kit/toast.tsx'
import { call, type Output, refresh } from '../../session/client.ts'
import { explain } from '../../session/errors.ts'
import { endedSession } from '../../session/signed-out.ts'
import { t } from '../../texts/index.ts'
import { redirectTexts } from '../../texts/redirects.ts'
import type { SiteIds } from '../row.tsx'

export type Redirect = Output<'listSiteRedirects'>['items'][number]
type Destination = Redirect['destination']

export function useRedirects(ids: SiteIds, { all }: { all: boolean }) {
  const list = useInfiniteQuery({
    queryKey: ['listSiteRedirects', ids, all],
    queryFn: ({ pageParam, signal }) => {
      const query = { limit: all ? 1000 : 50, ...(pageParam === '' ? {} : { page: pageParam }) }
      return call('listSiteRedirects', { ...ids, query, signal })
    },
    initialPageParam: '',
    getNextPageParam: ({ next }) => next?.page,
  })
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = list
  useEffect(() => {
    if (all && hasNextPage && !isFetchingNextPage && !isFetchNextPageError) void fetchNextPage()
  }, [all, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage])
  return {
    query: { ...list, data: list.data && { items: list.data.pages.flatMap(({ items }) => items) } },
    count: list.data?.pages[0]?.count ?? 0,
    isWhole: list.data !== undefined && !hasNextPage,
    more: hasNextPage ? () => void fetchNextPage() : undefined,
    isLoadingMore: isFetchingNextPage,
    /** Why no more came. */
    problem: isFetchNextPageError ? list.error : undefined,
  }
}

export async function deleteRedirect(ids: SiteIds, redirect: Redirect): Promise<void> {
  const { source, destination, draft, captureWildcard, permanent } = redirect
  try {
    await call('deleteSiteRedirectById', { ...ids, redirectId: redirect.id })
  } catch (error) {
    if (!endedSession(error)) showProblem(explain(error))
    return
  } finally {
    void refresh('listSiteRedirects')
  }
  const body = { source, destination, draft, captureWildcard, permanent }
  const bringBack = async (): Promise<void> => {
    await call('createSiteRedirect', { ...ids, body }).catch((error: unknown) => showProblem(explain(error)))
    void refresh('listSiteRedirects')
  }
  showDone(redirectTexts.deleted(source), { label: t.common.undo, run: () => void bringBack() })
}

/** What of a destination is known without asking, in words that can be looked for. */
export const wordsOf = (destination: Destination): string =>
  destination.kind === 'external' ? destination.url : destination.kind === 'path' ? destination.path : ''
