/** A colour for light and one for dark: picked, or written as a code; and what becomes of it where text must be readable. */
import type { ReactNode } from 'react'
import { customizationTexts } from '../../texts/customization.ts'
import { TextSetting } from './fields.tsx'

interface Pair {
  light: string
  dark: string
}

interface ColorFieldProps {
  at: string
  label: string
  value: Pair
  onChange: (value: Pair) => void
  /** What there is to say of the colour in one of the modes. */
  below?: (mode: keyof Pair) => ReactNode
}

const texts = customizationTexts.colors
const modes = ['light', 'dark'] as const

export const ColorField = ({ at, label, value, onChange, below }: ColorFieldProps) => (
  <fieldset className="ui-fieldset">
    <legend>{label}</legend>
    <div className="customization-colors">
      {modes.map((mode) => (
        <div key={mode}>
          <div className="customization-color">
            <input
              type="color"
              aria-label={texts.pick(`${label}, ${texts[mode]}`)}
              value={asPicked(value[mode])}
              onChange={({ target }) => onChange({ ...value, [mode]: target.value })}
            />
            <TextSetting
              at={`${at}.${mode}`}
              label={texts[mode]}
              dir="ltr"
              maxLength={7}
              value={value[mode]}
              onChange={(text) => onChange({ ...value, [mode]: text })}
            />
          </div>
          {below?.(mode)}
        </div>
      ))}
    </div>
  </fieldset>
)

/** A browser's picker knows only the long form. */
function asPicked(text: string): string {
  if (/^#[0-9a-f]{6}$/i.test(text)) return text.toLowerCase()
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/i.exec(text)
  return short
    ? `#${short
        .slice(1)
        .map((digit) => digit + digit)
        .join('')}`.toLowerCase()
    : '#808080'
}
