/** The group of settings about colours. */
import { useDeferredValue, useMemo } from 'react'
import { backgrounds, schemes, themes } from '../../../../core/customization/choices.ts'
import { contrast, parseColor, toHex } from '../../../../theme/oklch.ts'
import { paletteOf, textPairs } from '../../../../theme/palette.ts'
import { madeOnce } from '../../../kit/made-once.ts'
import { customizationTexts } from '../../../texts/customization.ts'
import { language } from '../../../texts/index.ts'
import { ColorField } from '../color-field.tsx'
import { Choice, FlagSetting } from '../fields.tsx'
import { useCustomization } from '../form.tsx'
import type { Customization } from '../target.ts'

const texts = customizationTexts.colors
const signals = ['infoColor', 'successColor', 'warningColor', 'dangerColor'] as const

export function Colors() {
  const { settings, changePart } = useCustomization()
  const { styling, themes: scheme } = settings
  // Typing does not wait for the scales of colours.
  const settled = useDeferredValue(settings)
  return (
    <>
      <Choice
        at="styling.theme"
        label={texts.theme}
        options={themes}
        names={texts.themes}
        value={styling.theme}
        onChange={(theme) => changePart('styling', { theme })}
      />
      <ColorField
        at="styling.primaryColor"
        label={texts.primary}
        value={styling.primaryColor}
        onChange={(primaryColor) => changePart('styling', { primaryColor })}
        below={(mode) => <Readable settings={settled} mode={mode} />}
      />
      <FlagSetting
        at="styling.tint"
        label={texts.tint}
        hint={texts.tintHint}
        checked={styling.tint !== undefined}
        onChange={(isOn) => changePart('styling', { tint: isOn ? { color: styling.primaryColor } : undefined })}
      />
      {styling.tint && (
        <ColorField
          at="styling.tint.color"
          label={texts.tintColor}
          value={styling.tint.color}
          onChange={(color) => changePart('styling', { tint: { color } })}
        />
      )}
      <Choice
        at="styling.background"
        label={texts.background}
        options={backgrounds}
        names={texts.backgrounds}
        value={styling.background}
        onChange={(background) => changePart('styling', { background })}
      />
      <Choice
        at="themes.default"
        label={texts.scheme}
        options={schemes}
        names={texts.schemes}
        value={scheme.default}
        onChange={(chosen) => changePart('themes', { default: chosen })}
      />
      <FlagSetting
        at="themes.toggeable"
        label={texts.toggle}
        checked={scheme.toggeable}
        onChange={(toggeable) => changePart('themes', { toggeable })}
      />
      <details className="customization-more">
        <summary>{texts.signals}</summary>
        {signals.map((name) => (
          <ColorField
            key={name}
            at={`styling.${name}`}
            label={texts[name]}
            value={styling[name]}
            onChange={(color) => changePart('styling', { [name]: color })}
          />
        ))}
      </details>
    </>
  )
}

const format = madeOnce(
  () => new Intl.NumberFormat(language, { minimumFractionDigits: 1, maximumFractionDigits: 1, roundingMode: 'floor' }),
)
const inWords = (ratio: number): string => format().format(ratio)

/** Any colour may be chosen: where it could not be read as text, the site moves it until it can. That is told here. */
function Readable({ settings, mode }: { settings: Customization; mode: 'light' | 'dark' }) {
  const given = parseColor(settings.styling.primaryColor[mode])
  const palette = useMemo(() => paletteOf(settings, mode), [settings, mode])
  if (given === undefined) return null
  const { accent = '', 'accent-text': text = '', 'on-accent': ink = '' } = palette
  const grounds = textPairs(palette).flatMap(([of, ground]) => (of === 'accent-text' ? (palette[ground] ?? []) : []))
  const chosen = toHex(given)
  const ratio = inWords(Math.min(...grounds.map((ground) => contrast(chosen, ground))))
  return (
    <p className="ui-hint" data-contrast={mode}>
      {text === chosen ? texts.textFits(ratio) : texts.textMoved(ratio, text)}
      <br />
      {texts.buttonFits(ink === '#ffffff' ? texts.white : texts.black, inWords(contrast(ink, accent)))}
    </p>
  )
}
