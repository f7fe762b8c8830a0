/** The question behind a new term, or another translation of one. */
import { Plus, X } from 'lucide-react'
import { useState } from 'react'
import type { Language } from '../../core/languages.ts'
import { Button, IconButton } from '../kit/button.tsx'
import { FormDialog } from '../kit/dialog.tsx'
import { Select, TextField } from '../kit/field.tsx'
import { FieldProblem, FormProblem } from '../kit/forms/problem.tsx'
import { showDone } from '../kit/toast.tsx'
import { refresh } from '../session/client.ts'
import { t } from '../texts/index.ts'
import { translationTexts as words } from '../texts/translations.ts'
import { changeGlossary, type Entry } from './glossary.ts'
import { asLanguage, languageOptions, nameOfLanguage } from './language-names.ts'

interface TermDialogProps {
  /** None for a new one. */
  entry: Entry | undefined
  known: readonly Entry[]
  organizationId: string
  onClose: () => void
}

interface Row {
  key: number
  language: Language
  text: string
}

export function TermDialog({ entry, known, organizationId, onClose }: TermDialogProps) {
  const options = languageOptions()
  const firstFree = (rows: readonly Row[]): Language =>
    options.find(({ value }) => !rows.some(({ language }) => language === value))?.value ?? 'en'
  const [term, setTerm] = useState(entry?.term ?? '')
  const [rows, setRows] = useState<readonly Row[]>(() => {
    const given = Object.entries(entry?.translations ?? {}).flatMap(([code, text], key) => {
      const language = asLanguage(code)
      return language ? [{ key, language, text }] : []
    })
    return given.length > 0 ? given : [{ key: 0, language: firstFree([]), text: '' }]
  })
  const [problem, setProblem] = useState<string | undefined>()
  const [error, setError] = useState<unknown>()
  const [isBusy, setIsBusy] = useState(false)
  const change = (index: number, given: Partial<Row>): void =>
    setRows(rows.map((row, at) => (at === index ? { ...row, ...given } : row)))
  const submit = async (): Promise<void> => {
    const name = term.trim()
    const isTaken = name !== entry?.term && known.some((other) => other.term === name)
    const wrong = name === '' ? words.noTerm : isTaken ? words.termTaken : undefined
    setProblem(wrong)
    setError(undefined)
    if (wrong !== undefined) return
    setIsBusy(true)
    try {
      const pairs = rows.map(({ language, text }) => [language, text.trim()]).filter(([, text]) => text !== '')
      await changeGlossary(organizationId, {
        ...(entry && entry.term !== name ? { remove: entry.term } : {}),
        put: { term: name, translations: Object.fromEntries(pairs) },
      })
      void refresh('listTranslationsGlossary', 'listTranslations')
      showDone(words.termSaved)
      onClose()
    } catch (failure) {
      setError(failure)
    } finally {
      setIsBusy(false)
    }
  }
  return (
    <FormDialog
      open
      onClose={onClose}
      title={entry ? words.editTerm : words.newTerm}
      action={t.common.save}
      busy={isBusy}
      onSubmit={() => void submit()}
    >
      <TextField
        label={words.term}
        placeholder={words.termPlaceholder}
        maxLength={200}
        value={term}
        aria-invalid={problem !== undefined}
        hint={problem && <FieldProblem text={problem} />}
        onChange={({ target }) => setTerm(target.value)}
      />
      {rows.map(({ key, language, text }, index) => (
        <div key={key} className="ui-pair">
          <Select
            label={words.language}
            value={language}
            onChange={({ target }) => change(index, { language: asLanguage(target.value) ?? language })}
            options={options.filter(
              ({ value }) => value === language || !rows.some((other) => other.language === value),
            )}
          />
          <TextField
            label={words.inLanguage}
            maxLength={200}
            value={text}
            lang={language}
            dir="auto"
            onChange={({ target }) => change(index, { text: target.value })}
          />
          <IconButton
            label={words.removeLanguage(nameOfLanguage(language))}
            icon={X}
            onClick={() => setRows(rows.filter((_, at) => at !== index))}
          />
        </div>
      ))}
      {rows.length < options.length && (
        <Button
          kind="quiet"
          icon={Plus}
          onClick={() => {
            const key = Math.max(-1, ...rows.map((row) => row.key)) + 1
            setRows([...rows, { key, language: firstFree(rows), text: '' }])
          }}
        >
          {words.addLanguage}
        </Button>
      )}
      <FormProblem error={error} />
    </FormDialog>
  )
}
