/** Long lists, asked for a part at a time. `count` is how many there are in all. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { client, type Input, type Name, type Output } from './client.ts'

/** Operations that answer a list. */
type Listing = { [N in Name]: Output<N> extends { items: unknown[]; count: number } ? N : never }[Name]
type Item<N extends Listing> = Output<N> extends { items: (infer T)[] } ? T : never

interface Part<T> {
  items: T[]
  count: number
  next?: { page: string } | undefined
}

interface Options<T> {
  /** How many at a time. */
  limit?: number
  enabled?: boolean
  /** How long until it is asked for again, by what is shown; false is never. */
  again?: (items: readonly T[]) => number | false
}

export interface Listed<T> {
  data: { items: T[]; count: number } | undefined
  error: unknown
  refetch: () => unknown
  /** There is more, and this asks for it. */
  more: (() => void) | undefined
  isAskingForMore: boolean
}

export function useListing<N extends Listing>(
  name: N,
  input: Omit<Input<N>, 'query'>,
  { limit = 50, enabled = true, again }: Options<Item<N>> = {},
): Listed<Item<N>> {
  const list = useInfiniteQuery({
    queryKey: [name, input, 'parts', limit],
    queryFn: ({ pageParam, signal }): Promise<Part<Item<N>>> => {
      // Every list is asked for in this way; the compiler cannot see it through a name that is still open.
      const ask: (input: object) => Promise<Part<Item<N>>> = Reflect.get(client as object, name)
      return ask({ ...input, query: { limit, ...(pageParam === '' ? {} : { page: pageParam }) }, signal })
    },
    initialPageParam: '',
    getNextPageParam: ({ next }) => next?.page,
    enabled,
    // All that is shown is asked for again: the longer the list, the less often.
    refetchInterval: ({ state }) => {
      const parts = state.data?.pages ?? []
      const pace = again?.(parts.flatMap(({ items }) => items)) ?? false
      return pace && pace * Math.max(1, parts.length)
    },
  })
  const parts = list.data?.pages
  return {
    data: parts && { items: parts.flatMap(({ items }) => items), count: parts[0]?.count ?? 0 },
    error: list.error,
    refetch: list.refetch,
    more: list.hasNextPage ? () => void list.fetchNextPage() : undefined,
    isAskingForMore: list.isFetchingNextPage,
  }
}
