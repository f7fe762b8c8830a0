/**
 * The one client of the app, and how screens ask through it: `useCall` for what is shown, `useAction` for what is done.
 * The browser's cookie says who calls, and `person.ts` who should.
 */
import { QueryClient, type UseQueryResult, useMutation, useQuery } from '@tanstack/react-query'
import { CallFailed, type Client } from '../../client/client.ts'
import { connect } from '../../client/index.ts'
import { showProblem } from '../kit/toast.tsx'
import { explain } from './errors.ts'
import { fetchOrTake } from './first-answers.ts'
import { mount } from './leaving.ts'
import { ownHeaders } from './person.ts'
import { endedSession, noteAnswer } from './signed-out.ts'

export const server = { url: `${location.origin}${mount}`, headers: ownHeaders }

const fetchNoted: typeof fetch = async (input, init) => {
  const answer = await fetchOrTake(input, init)
  void noteAnswer(answer)
  return answer
}

export const client: Client = connect({ ...server, fetch: fetchNoted })

export type Name = keyof Client
export type Input<N extends Name> = NonNullable<Parameters<Client[N]>[0]>
export type Output<N extends Name> = Awaited<ReturnType<Client[N]>>

export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      gcTime: 10 * 60_000,
      // What the server refused it will refuse again; what did not reach it may yet.
      retry: (count, error) => !(error instanceof CallFailed && error.status < 500) && count < 3,
    },
    mutations: { retry: false },
  },
})

/** One call by name. */
export function call<N extends Name>(name: N, input: Input<N>): Promise<Output<N>> {
  // The compiler cannot follow a name that is still open through two hundred signatures.
  const method: (input: Input<N>) => Promise<Output<N>> = Reflect.get(client as object, name)
  return method(input)
}

/** One call as something that is asked for once and kept. */
export const callQuery = <N extends Name>(name: N, input: Input<N>) => ({
  queryKey: [name, input],
  queryFn: ({ signal }: { signal: AbortSignal }): Promise<Output<N>> => call(name, { ...input, signal }),
})

export const useCall = <N extends Name>(
  name: N,
  input: Input<N>,
  options: { enabled?: boolean; staleTime?: number; refetchInterval?: number; keep?: boolean } = {},
): UseQueryResult<Output<N>> => {
  const { keep, ...rest } = options
  return useQuery({
    ...callQuery(name, input),
    ...rest,
    ...(keep ? { placeholderData: (before: Output<N> | undefined) => before } : {}),
  })
}

/** What these operations answered is no longer true. */
export const refresh = (...names: Name[]): Promise<void> =>
  queries.invalidateQueries({ predicate: ({ queryKey }) => names.includes(queryKey[0] as Name) })

/** Something a person does: its failure is told in words, its success makes what it changed be asked for again. */
export function useAction<Given, Result>(
  run: (given: Given) => Promise<Result>,
  options: { refreshes?: Name[]; onDone?: (result: Result, given: Given) => void } = {},
) {
  return useMutation({
    mutationFn: run,
    onSuccess: (result, given) => {
      options.onDone?.(result, given)
      if (options.refreshes) void refresh(...options.refreshes)
    },
    onError: (error) => {
      if (!endedSession(error)) showProblem(explain(error))
    },
  })
}
