/** What went wrong, beside what it is about. It is read out, and has the focus where a person waits for it. */
import { CircleAlert } from 'lucide-react'
import { CallFailed } from '../../client/client.ts'
import { explain } from '../session/errors.ts'
import { language } from '../texts/index.ts'

/** The server names what it is about, in English; in another language that stands below our own words. */
export function ProblemOf({ error }: { error: unknown }) {
  const { title, text } = explain(error)
  const original =
    language !== 'en' && error instanceof CallFailed && error.message !== text ? error.message : undefined
  return (
    <div className="ui-problem-box" role="alert">
      <CircleAlert size={16} strokeWidth={1.75} aria-hidden="true" />
      <div>
        <strong>{title}</strong>
        <p>{text}</p>
        {original && (
          <p lang="en" className="ui-quiet">
            {original}
          </p>
        )}
      </div>
    </div>
  )
}

/** Below a field: why what it holds cannot be. */
export const FieldProblem = ({ text }: { text: string | undefined }) =>
  text === undefined ? null : (
    <span className="ui-problem" role="alert">
      {text}
    </span>
  )
