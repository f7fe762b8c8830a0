/** What a form sends. Its failure stands in the form (`FormProblem`), beside what it is about, in place of a message. */
import { useMutation } from '@tanstack/react-query'
import { type Name, refresh } from './client.ts'

export const useFormAction = <Given, Result>(
  run: (given: Given) => Promise<Result>,
  options: { refreshes?: Name[]; onDone?: (result: Result, given: Given) => void } = {},
) =>
  useMutation({
    mutationFn: run,
    onSuccess: (result, given) => {
      options.onDone?.(result, given)
      if (options.refreshes) void refresh(...options.refreshes)
    },
  })
