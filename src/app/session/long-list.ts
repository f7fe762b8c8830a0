/** Lists that may be long: asked for by pages, the next one when it is wanted. What was shown stays while filters change. */
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { client, type Input, type Name, type Output } from './client.ts'

/** The operations that answer with a list. */
export type ListName = {
  [N in Name]: Output<N> extends { count: number; items: unknown[] } ? N : never
}[Name]

export type ItemOf<N extends ListName> = Output<N> extends { items: (infer Item)[] } ? Item : never

export interface LongList<Item> {
  /** All that was asked for so far; undefined before the first answer. */
  data: { items: Item[]; count: number } | undefined
  error: unknown
  refetch: () => unknown
  hasMore: boolean
  isLoadingMore: boolean
  loadMore: () => void
}

interface ListOptions<Item> {
  enabled?: boolean
  /** How long until it is asked for again, by what is shown; false is never. */
  again?: (items: readonly Item[]) => number | false
}

interface PageOf<Item> {
  items: Item[]
  count: number
  next?: { page: string } | undefined
}

export function useLongList<N extends ListName>(
  name: N,
  input: Input<N>,
  { enabled = true, again }: ListOptions<ItemOf<N>> = {},
): LongList<ItemOf<N>> {
  const query = useInfiniteQuery({
    queryKey: [name, input, 'by pages'],
    queryFn: ({ pageParam, signal }): Promise<PageOf<ItemOf<N>>> => {
      // The compiler cannot follow a name that is still open: every operation of this kind takes `page` and answers so.
      const methods: object = client
      const method: (input: object) => Promise<PageOf<ItemOf<N>>> = Reflect.get(methods, name)
      const asked = 'query' in input && typeof input.query === 'object' ? input.query : {}
      return method({ ...input, query: { limit: 50, ...asked, ...(pageParam && { page: pageParam }) }, signal })
    },
    initialPageParam: '',
    getNextPageParam: (last) => last.next?.page,
    placeholderData: keepPreviousData,
    enabled,
    refetchInterval: ({ state }) => again?.(state.data?.pages.flatMap(({ items }) => items) ?? []) ?? false,
  })
  const pages = query.data?.pages
  return {
    data: pages && { items: pages.flatMap(({ items }) => items), count: pages[0]?.count ?? 0 },
    error: query.error,
    refetch: query.refetch,
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    loadMore: () => void query.fetchNextPage(),
  }
}
