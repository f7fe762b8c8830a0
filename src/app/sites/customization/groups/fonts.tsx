/** The group of settings about fonts and the colours of code. */
import { Plus, X } from 'lucide-react'
import { fonts, monospaceFonts } from '../../../../core/customization/choices.ts'
import { codeThemes } from '../../../../core/customization/code-themes.ts'
import { Button, IconButton } from '../../../kit/button.tsx'
import { Select } from '../../../kit/field.tsx'
import { customizationTexts } from '../../../texts/customization.ts'
import { TextSetting } from '../fields.tsx'
import { useCustomization } from '../form.tsx'
import type { Customization } from '../target.ts'

type Styling = Customization['styling']
type OwnFont = Exclude<Styling['font'], string>
type CodeTheme = Styling['codeTheme']['default']

const texts = customizationTexts.type

export function Fonts() {
  const { settings, changePart } = useCustomization()
  const { font, headingFont, monospaceFont, codeTheme } = settings.styling
  return (
    <>
      <FontField
        at="styling.font"
        label={texts.font}
        offered={fonts}
        value={font}
        onChange={(chosen) => changePart('styling', { font: chosen })}
      />
      <FontField
        at="styling.headingFont"
        label={texts.headingFont}
        offered={fonts}
        otherwise={texts.asText}
        value={headingFont ?? undefined}
        onChange={(chosen) => changePart('styling', { headingFont: chosen })}
        onNone={() => changePart('styling', { headingFont: undefined })}
      />
      <FontField
        at="styling.monospaceFont"
        label={texts.monospaceFont}
        offered={monospaceFonts}
        value={monospaceFont}
        onChange={(chosen) => changePart('styling', { monospaceFont: chosen })}
      />
      <p className="ui-hint">{texts.vendored}</p>
      <CodeThemes
        at="styling.codeTheme.default"
        label={texts.codeTheme}
        value={codeTheme.default}
        onChange={(chosen) => changePart('styling', { codeTheme: { ...codeTheme, default: chosen } })}
      />
      <CodeThemes
        at="styling.codeTheme.openapi"
        label={texts.specTheme}
        value={codeTheme.openapi}
        onChange={(chosen) => changePart('styling', { codeTheme: { ...codeTheme, openapi: chosen } })}
      />
    </>
  )
}

interface FontFieldProps<Name extends string> {
  at: string
  label: string
  offered: readonly Name[]
  value: Name | OwnFont | undefined
  /** What it is called when no font is chosen, where that may be. */
  otherwise?: string
  onChange: (font: Name | OwnFont) => void
  onNone?: () => void
}

const own = '~own'

function FontField<Name extends string>(props: FontFieldProps<Name>) {
  const { at, label, offered, value, otherwise, onChange, onNone } = props
  const choose = (name: string): void => {
    const found = offered.find((one) => one === name)
    if (found !== undefined) onChange(found)
    else if (name === own)
      onChange({ id: at, custom: true, fontFamily: '', fontFaces: [{ weight: 400, sources: [{ url: '' }] }] })
    else onNone?.()
  }
  return (
    <>
      <Select
        label={label}
        data-setting={at}
        value={value === undefined ? '' : typeof value === 'string' ? value : own}
        onChange={({ target }) => choose(target.value)}
        options={[
          ...(otherwise === undefined ? [] : [{ value: '', label: otherwise }]),
          ...offered.map((name) => ({ value: name, label: spaced(name) })),
          { value: own, label: texts.own },
        ]}
      />
      {typeof value === 'object' && <OwnFontFields at={at} font={value} onChange={onChange} />}
    </>
  )
}

/** `IBMPlexMono` as its makers write it. */
const spaced = (name: string): string =>
  name.replace(/([a-z])([A-Z])|([A-Z]{2,})([A-Z][a-z])/g, '$1$3 $2$4').replace('Jet Brains', 'JetBrains')

function OwnFontFields({ at, font, onChange }: { at: string; font: OwnFont; onChange: (font: OwnFont) => void }) {
  const changeFace = (index: number, face: Partial<OwnFont['fontFaces'][number]>): void =>
    onChange({ ...font, fontFaces: font.fontFaces.map((one, of) => (of === index ? { ...one, ...face } : one)) })
  return (
    <div className="customization-inner">
      <TextSetting
        at={`${at}.fontFamily`}
        label={texts.ownName}
        hint={texts.ownHint}
        maxLength={50}
        value={font.fontFamily}
        onChange={(fontFamily) => onChange({ ...font, fontFamily })}
      />
      {font.fontFaces.map(({ weight, sources }, index) => (
        <div className="customization-row" key={index}>
          <TextSetting
            at={`${at}.fontFaces.${index}.weight`}
            label={texts.weight}
            type="number"
            maxLength={4}
            value={Number.isNaN(weight) ? '' : String(weight)}
            onChange={(text) => changeFace(index, { weight: Number.parseInt(text, 10) })}
          />
          <TextSetting
            at={`${at}.fontFaces.${index}.sources.0.url`}
            label={texts.file}
            type="url"
            dir="ltr"
            maxLength={2048}
            placeholder="https://"
            value={sources[0]?.url ?? ''}
            onChange={(url) => changeFace(index, { sources: [{ ...sources[0], url }, ...sources.slice(1)] })}
          />
          {font.fontFaces.length > 1 && (
            <IconButton
              label={texts.removeFile}
              icon={X}
              onClick={() => onChange({ ...font, fontFaces: font.fontFaces.filter((_, of) => of !== index) })}
            />
          )}
        </div>
      ))}
      {font.fontFaces.length < 20 && (
        <Button
          kind="quiet"
          icon={Plus}
          onClick={() => onChange({ ...font, fontFaces: [...font.fontFaces, { weight: 700, sources: [{ url: '' }] }] })}
        >
          {texts.addFile}
        </Button>
      )}
    </div>
  )
}

interface CodeThemesProps {
  at: string
  label: string
  value: CodeTheme
  onChange: (value: CodeTheme) => void
}

const CodeThemes = ({ at, label, value, onChange }: CodeThemesProps) => (
  <fieldset className="ui-fieldset">
    <legend>{label}</legend>
    <div className="customization-colors">
      {(['light', 'dark'] as const).map((mode) => (
        <Select
          key={mode}
          label={mode === 'light' ? texts.themeLight : texts.themeDark}
          data-setting={`${at}.${mode}`}
          value={value[mode]}
          onChange={({ target }) => {
            const theme = codeThemes.find((one) => one === target.value)
            if (theme) onChange({ ...value, [mode]: theme })
          }}
          options={codeThemes.map((theme) => ({ value: theme, label: nameOf(theme) }))}
        />
      ))}
    </div>
  </fieldset>
)

const modesInWords = { light: customizationTexts.colors.light, dark: customizationTexts.colors.dark }

/** Themes of others have names of their own. */
function nameOf(theme: (typeof codeThemes)[number]): string {
  const ours = /^(default|monochrome)-(light|dark)$/.exec(theme)
  if (!ours) return theme.replace(/-/g, ' ').replace(/^\w/, (first) => first.toUpperCase())
  const mode = ours[2] === 'light' ? modesInWords.light : modesInWords.dark
  return `${ours[1] === 'default' ? texts.ownTheme : texts.plainTheme} (${mode})`
}
