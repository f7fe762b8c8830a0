/** A few choices, one of which is taken, each with a word on what it is. */
import { useId } from 'react'

interface ChoicesProps<T extends string> {
  label: string
  value: T
  options: readonly { value: T; label: string; hint?: string | undefined; disabled?: boolean }[]
  onChange: (value: T) => void
}

export function Choices<T extends string>({ label, value, options, onChange }: ChoicesProps<T>) {
  const name = useId()
  return (
    <fieldset className="ui-fieldset">
      <legend>{label}</legend>
      <div className="ui-choices">
        {options.map(({ value: own, label: text, hint, disabled = false }) => (
          <label key={own} className="ui-choice">
            <input
              type="radio"
              name={name}
              checked={own === value}
              disabled={disabled}
              aria-describedby={hint === undefined ? undefined : `${name}-${own}`}
              aria-label={text}
              onChange={() => onChange(own)}
            />
            <span>{text}</span>
            {hint !== undefined && <small id={`${name}-${own}`}>{hint}</small>}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
