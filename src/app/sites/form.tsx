/** Forms of a site: what is wrong with a field is said beside it, and what is wrong with the rest at the foot of the form. */
import { useMutation } from '@tanstack/react-query'
import type { ComponentProps } from 'react'
import { CallFailed } from '../../client/client.ts'
import type { ErrorCode } from '../../core/errors.ts'
import { TextField } from '../kit/field.tsx'
import { type Name, refresh } from '../session/client.ts'
import { explain } from '../session/errors.ts'
import { endedSession } from '../session/signed-out.ts'

/** Like `useAction`, with the failure left to the form. */
export function useForm<Given, Result>(
  run: (given: Given) => Promise<Result>,
  { refreshes, onDone }: { refreshes: Name[]; onDone: (result: Result, given: Given) => void },
) {
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: run,
    onSuccess: (result, given) => {
      onDone(result, given)
      void refresh(...refreshes)
    },
  })
  return { send: mutate, busy: isPending, error: error && !endedSession(error) ? error : undefined, reset }
}

/** Whether a failure is about this field. */
export const isAbout = (error: unknown, field: string): boolean =>
  error instanceof CallFailed && error.details.some((detail) => `${detail.field}.`.startsWith(`${field}.`))

export const isTaken = (error: unknown): boolean => error instanceof CallFailed && error.type === 'already_exists'

interface CheckedFieldProps extends ComponentProps<typeof TextField> {
  /** What is wrong with it, in the place of its hint. */
  problem: string | undefined
}

export const CheckedField = ({ problem, hint, ...rest }: CheckedFieldProps) => (
  <TextField
    {...rest}
    aria-invalid={problem !== undefined || undefined}
    hint={problem === undefined ? hint : <Wrong>{problem}</Wrong>}
  />
)

export const Wrong = ({ children }: { children: string }) => (
  <strong role="alert" className="ui-wrong">
    {children}
  </strong>
)

interface FormProblemProps {
  error: unknown
  /** In the place of general ones, by the code of the error. */
  words?: Readonly<Partial<Record<ErrorCode, string>>>
}

/** What is wrong and not said beside a field. */
export function FormProblem({ error, words = {} }: FormProblemProps) {
  if (!error) return null
  const own = error instanceof CallFailed ? words[error.type] : undefined
  const { title, text } = explain(error)
  return (
    <p role="alert" className="ui-wrong">
      {own ?? `${title}. ${text}`}
    </p>
  )
}
