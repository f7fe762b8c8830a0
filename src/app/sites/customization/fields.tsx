/** The fields of the form. Each knows the path of its setting, by which what is wrong with it is found. */
import { type ComponentProps, type ReactNode, useId, useState } from 'react'
import { Check, Select, TextField } from '../../kit/field.tsx'
import { afterPress } from './after-press.ts'
import { useCustomization } from './form.tsx'

interface Setting {
  /** The path of the setting. */
  at: string
  label: string
  hint?: ReactNode
}

interface TextSettingProps extends Setting {
  value: string
  maxLength: number
  type?: 'text' | 'url' | 'number'
  placeholder?: string
  dir?: ComponentProps<'input'>['dir']
  onChange: (value: string) => void
}

/** What is wrong is told when the field is left, and no longer when it is right. */
export function TextSetting({ at, hint, onChange, dir = 'auto', ...rest }: TextSettingProps) {
  const { problems, wasTried } = useCustomization()
  const [wasLeft, setWasLeft] = useState(false)
  const problem = wasLeft || wasTried ? problemAt(problems, at) : undefined
  return (
    <TextField
      {...rest}
      dir={dir}
      data-setting={at}
      spellCheck={false}
      hint={problem === undefined ? hint : <Problem text={problem} />}
      aria-invalid={problem === undefined ? undefined : true}
      onChange={({ target }) => onChange(target.value)}
      onBlur={() => afterPress(() => setWasLeft(true))}
    />
  )
}

export const Problem = ({ text }: { text: string }) => <span className="ui-problem">{text}</span>

/** Of the field itself, or of something in it that no field shows. */
const problemAt = (problems: ReadonlyMap<string, string>, at: string): string | undefined =>
  problems.get(at) ?? [...problems].find(([path]) => path.startsWith(`${at}.`))?.[1]

export const FlagSetting = ({
  at,
  onChange,
  checked,
  ...rest
}: Setting & { checked: boolean; onChange: (checked: boolean) => void }) => (
  <Check {...rest} data-setting={at} checked={checked} onChange={({ target }) => onChange(target.checked)} />
)

interface ChoiceProps<Value extends string> extends Setting {
  value: Value
  options: readonly Value[]
  names: Readonly<Record<Value, string>>
  onChange: (value: Value) => void
}

/** A few values that one sees at once. */
export function Choice<Value extends string>({ at, label, hint, value, options, names, onChange }: ChoiceProps<Value>) {
  const id = useId()
  return (
    <fieldset className="ui-fieldset" data-setting={at} aria-describedby={hint ? `${id}-hint` : undefined}>
      <legend>{label}</legend>
      <div className="ui-segments">
        {options.map((option) => (
          <label key={option}>
            <input type="radio" className="sr" name={id} checked={option === value} onChange={() => onChange(option)} />
            <span>{names[option]}</span>
          </label>
        ))}
      </div>
      {hint && (
        <p className="ui-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </fieldset>
  )
}

/** Many values. */
export const SelectSetting = <Value extends string>({
  at,
  value,
  options,
  names,
  onChange,
  ...rest
}: ChoiceProps<Value>) => (
  <Select
    {...rest}
    data-setting={at}
    value={value}
    options={options.map((option) => ({ value: option, label: names[option] }))}
    onChange={({ target }) => {
      const chosen = options.find((option) => option === target.value)
      if (chosen !== undefined) onChange(chosen)
    }}
  />
)
