/** What a page has beside its text: address, visibility, layout, variables. Each field is sent when it is left. */
import { Plus, X } from 'lucide-react'
import { useState } from 'react'
import { Button, IconButton } from '../kit/button.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { Check, Select, TextField } from '../kit/field.tsx'
import { t } from '../texts/index.ts'
import type { Page } from './content-target.ts'
import type { PageFields } from './use-fields.ts'

interface PageSettingsProps {
  open: boolean
  onClose: () => void
  page: Page
  onChange: (fields: PageFields) => void
}

const layoutFlags = [
  ['cover', t.pageSettings.showCover],
  ['title', t.pageSettings.showTitle],
  ['description', t.pageSettings.showDescription],
  ['tableOfContents', t.pageSettings.showTree],
  ['outline', t.pageSettings.showOutline],
  ['pagination', t.pageSettings.showPagination],
  ['metadata', t.pageSettings.showMetadata],
] as const

export function PageSettings({ open, onClose, page, onChange }: PageSettingsProps) {
  const text = (name: 'slug' | 'linkTitle' | 'condition') => ({
    defaultValue: page[name] ?? '',
    onBlur: ({ target }: { target: HTMLInputElement }) => {
      if (target.value.trim() !== (page[name] ?? '')) onChange({ [name]: target.value.trim() })
    },
  })
  const flag = (name: 'hidden' | 'noIndex' | 'noRobotsIndex') => ({
    checked: page[name] ?? false,
    onChange: ({ target }: { target: HTMLInputElement }) => onChange({ [name]: target.checked }),
  })
  return (
    <Dialog open={open} onClose={onClose} title={t.pageSettings.title} side>
      <div className="ui-form">
        <TextField label={t.pageSettings.slug} hint={t.pageSettings.slugHint} maxLength={100} {...text('slug')} />
        <TextField
          label={t.pageSettings.linkTitle}
          hint={t.pageSettings.linkTitleHint}
          maxLength={100}
          {...text('linkTitle')}
        />
        <fieldset className="ui-fieldset">
          <legend>{t.pageSettings.visibility}</legend>
          <Check label={t.pageSettings.hidden} {...flag('hidden')} />
          <Check label={t.pageSettings.noIndex} {...flag('noIndex')} />
          <Check label={t.pageSettings.noRobotsIndex} {...flag('noRobotsIndex')} />
        </fieldset>
        <TextField
          label={t.pageSettings.condition}
          hint={t.pageSettings.conditionHint}
          maxLength={1024}
          {...text('condition')}
        />
        <fieldset className="ui-fieldset">
          <legend>{t.pageSettings.layout}</legend>
          <Select
            label={t.pageSettings.width}
            value={page.layout?.width ?? 'default'}
            onChange={({ target }) =>
              onChange({ layout: { ...page.layout, width: target.value === 'wide' ? 'wide' : 'default' } })
            }
            options={[
              { value: 'default', label: t.pageSettings.widthDefault },
              { value: 'wide', label: t.pageSettings.widthWide },
            ]}
          />
          {layoutFlags.map(([name, label]) => (
            <Check
              key={name}
              label={label}
              checked={page.layout?.[name] ?? true}
              onChange={({ target }) => onChange({ layout: { ...page.layout, [name]: target.checked } })}
            />
          ))}
        </fieldset>
        <Variables values={page.variables ?? {}} onChange={(variables) => onChange({ variables })} />
      </div>
    </Dialog>
  )
}

interface Variable {
  id: number
  name: string
  value: string
}

function Variables({
  values,
  onChange,
}: {
  values: Record<string, string>
  onChange: (values: Record<string, string>) => void
}) {
  const [rows, setRows] = useState<Variable[]>(() =>
    Object.entries(values).map(([name, value], id) => ({ id, name, value })),
  )
  const send = (next: Variable[]): void => {
    setRows(next)
    const named = next.filter(({ name }) => /^[A-Za-z][A-Za-z0-9_]{0,63}$/.test(name))
    onChange(Object.fromEntries(named.map(({ name, value }) => [name, value])))
  }
  const edit = (id: number, change: Partial<Variable>): void =>
    setRows((all) => all.map((row) => (row.id === id ? { ...row, ...change } : row)))
  return (
    <fieldset className="ui-fieldset">
      <legend>{t.pageSettings.variables}</legend>
      <p className="ui-hint">{t.pageSettings.variablesHint}</p>
      {rows.map(({ id, name, value }) => (
        <div className="ui-variable" key={id}>
          <input
            className="ui-input"
            aria-label={t.pageSettings.variableName}
            placeholder={t.pageSettings.variableName}
            value={name}
            onChange={({ target }) => edit(id, { name: target.value })}
            onBlur={() => send(rows)}
          />
          <input
            className="ui-input"
            aria-label={t.pageSettings.variableValue}
            placeholder={t.pageSettings.variableValue}
            value={value}
            onChange={({ target }) => edit(id, { value: target.value })}
            onBlur={() => send(rows)}
          />
          <IconButton
            label={t.pageSettings.removeVariable(name)}
            icon={X}
            onClick={() => send(rows.filter((row) => row.id !== id))}
          />
        </div>
      ))}
      <Button
        kind="quiet"
        icon={Plus}
        onClick={() => setRows([...rows, { id: Math.max(-1, ...rows.map(({ id }) => id)) + 1, name: '', value: '' }])}
      >
        {t.pageSettings.addVariable}
      </Button>
    </fieldset>
  )
}
