/** What went wrong, beside what it is about: below a field, or at the foot of a form. It is read out. */
import { CircleAlert } from 'lucide-react'
import { CallFailed } from '../../../client/client.ts'
import type { ErrorCode } from '../../../core/errors.ts'
import { explain } from '../../session/errors.ts'
import { language } from '../../texts/index.ts'

interface FormProblemProps {
  error: unknown
  /** In the place of general ones, by the code of the error. */
  words?: Readonly<Partial<Record<ErrorCode, string>>>
}

/** The server names what it is about, in English; in another language that stands below our own words. */
export function FormProblem({ error, words = {} }: FormProblemProps) {
  if (!error) return null
  const own = error instanceof CallFailed ? words[error.type] : undefined
  const { title, text } = explain(error)
  const original =
    language !== 'en' && own === undefined && error instanceof CallFailed && error.message !== text
      ? error.message
      : undefined
  return (
    <div className="ui-problem-box" role="alert">
      <CircleAlert size={16} strokeWidth={1.75} aria-hidden="true" />
      <div>
        {own === undefined && <strong>{title}</strong>}
        <p>{own ?? text}</p>
        {original && (
          <p lang="en" className="ui-quiet">
            {original}
          </p>
        )}
      </div>
    </div>
  )
}

export const FieldProblem = ({ text }: { text: string | undefined }) =>
  text === undefined ? null : (
    <span className="ui-problem" role="alert">
      {text}
    </span>
  )
