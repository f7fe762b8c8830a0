/** Why a form was not taken, within it. */
import { explain } from '../../session/errors.ts'

export function FormProblem({ error }: { error: unknown }) {
  if (!error) return null
  const { title, text } = explain(error)
  return (
    <p className="ui-form-problem" role="alert">
      <strong>{title}.</strong> {text}
    </p>
  )
}
