/** A picture of the owner's, by its address: one for light, and one for dark where it is another. */
import { useState } from 'react'
import { customizationTexts } from '../../texts/customization.ts'
import { TextSetting } from './fields.tsx'

interface Pair {
  light: string
  dark: string
}

interface PicturesProps {
  at: string
  label: string
  hint: string
  value: Pair | undefined
  onChange: (value: Pair | undefined) => void
}

const texts = customizationTexts.brand

export function Pictures({ at, label, hint, value, onChange }: PicturesProps) {
  const { light = '', dark = '' } = value ?? {}
  // What is the same need not be seen twice.
  const [isOther, setIsOther] = useState(dark !== light)
  const change = (next: Pair): void => onChange(next.light === '' && next.dark === '' ? undefined : next)
  return (
    <fieldset className="ui-fieldset customization-pictures">
      <legend>{label}</legend>
      <TextSetting
        at={`${at}.light`}
        label={texts.light}
        hint={hint}
        type="url"
        dir="ltr"
        maxLength={2048}
        placeholder="https://"
        value={light}
        onChange={(text) => change({ light: text, dark: isOther ? dark : text })}
      />
      <Shown key={`light ${light}`} address={light} mode="light" />
      {(light !== '' || isOther) && (
        <TextSetting
          at={`${at}.dark`}
          label={texts.dark}
          hint={texts.darkHint}
          type="url"
          dir="ltr"
          maxLength={2048}
          placeholder="https://"
          value={isOther ? dark : ''}
          onChange={(text) => {
            setIsOther(text !== '')
            change({ light, dark: text === '' ? light : text })
          }}
        />
      )}
      {isOther && <Shown key={`dark ${dark}`} address={dark} mode="dark" />}
    </fieldset>
  )
}

function Shown({ address, mode }: { address: string; mode: 'light' | 'dark' }) {
  const [isBroken, setIsBroken] = useState(false)
  if (!/^https:\/\/[^\s/]+\.[^\s/]{2,}\//.test(address) && !address.startsWith(`${location.origin}/`)) return null
  if (isBroken) return <p className="ui-hint">{texts.isBroken}</p>
  return (
    <img
      className="customization-picture"
      data-mode={mode}
      src={address}
      alt={texts.isShown}
      onError={() => setIsBroken(true)}
      loading="lazy"
    />
  )
}
