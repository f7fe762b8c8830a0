/** A labelled input with a hint below it. */
import { type ComponentProps, type ReactNode, useId } from 'react'

interface Labelled {
  label: string
  hint?: ReactNode
}

export function TextField({ label, hint, ...rest }: Labelled & ComponentProps<'input'>) {
  const id = useId()
  return (
    <div className="ui-field">
      <label htmlFor={id}>{label}</label>
      <input id={id} type="text" aria-describedby={hint ? `${id}-hint` : undefined} autoComplete="off" {...rest} />
      {hint && <Hint id={id}>{hint}</Hint>}
    </div>
  )
}

interface SavedFieldProps extends Labelled {
  type?: 'text' | 'url'
  value: string
  maxLength: number
  /** With less it stays as it was. */
  least?: number
  onSave: (value: string) => void
}

/** A field that is saved when it is left, or by Enter, if it holds something else than before. */
export const SavedField = ({ value, least = 1, onSave, ...rest }: SavedFieldProps) => (
  <TextField
    key={value}
    defaultValue={value}
    onBlur={({ target }) => {
      const text = target.value.trim()
      if (text.length >= least && text !== value) onSave(text)
    }}
    onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
    {...rest}
  />
)

export function TextArea({ label, hint, ...rest }: Labelled & ComponentProps<'textarea'>) {
  const id = useId()
  return (
    <div className="ui-field">
      <label htmlFor={id}>{label}</label>
      <textarea id={id} rows={3} dir="auto" aria-describedby={hint ? `${id}-hint` : undefined} {...rest} />
      {hint && <Hint id={id}>{hint}</Hint>}
    </div>
  )
}

export function Select({
  label,
  hint,
  options,
  ...rest
}: Labelled & ComponentProps<'select'> & { options: readonly { value: string; label: string }[] }) {
  const id = useId()
  return (
    <div className="ui-field">
      <label htmlFor={id}>{label}</label>
      <select id={id} aria-describedby={hint ? `${id}-hint` : undefined} {...rest}>
        {options.map(({ value, label: text }) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
      {hint && <Hint id={id}>{hint}</Hint>}
    </div>
  )
}

export function Check({ label, hint, ...rest }: Labelled & ComponentProps<'input'>) {
  const id = useId()
  return (
    <div className="ui-check">
      <input id={id} type="checkbox" aria-describedby={hint ? `${id}-hint` : undefined} {...rest} />
      <label htmlFor={id}>{label}</label>
      {hint && <Hint id={id}>{hint}</Hint>}
    </div>
  )
}

const Hint = ({ id, children }: { id: string; children: ReactNode }) => (
  <p className="ui-hint" id={`${id}-hint`}>
    {children}
  </p>
)
