/** What a form sends. Its failure stands in the form (`FormProblem`), beside what it is about, in place of a message. */
import { useMutation } from '@tanstack/react-query'
import { CallFailed } from '../../client/client.ts'
import { type Name, refresh } from './client.ts'
import { endedSession } from './signed-out.ts'

export function useFormAction<Given, Result>(
  run: (given: Given) => Promise<Result>,
  options: { refreshes?: Name[]; onDone?: (result: Result, given: Given) => void } = {},
) {
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: run,
    onSuccess: (result, given) => {
      options.onDone?.(result, given)
      if (options.refreshes) void refresh(...options.refreshes)
    },
  })
  return { mutate, isPending, reset, error: error && !endedSession(error) ? error : undefined }
}

/** Whether a failure is about this field. */
export const isAbout = (error: unknown, field: string): boolean =>
  error instanceof CallFailed && error.details.some((detail) => `${detail.field}.`.startsWith(`${field}.`))

export const isTaken = (error: unknown): boolean => error instanceof CallFailed && error.type === 'already_exists'
