/** The question behind a new translation: which space, from which language into which, and what the service is told. */
import { useState } from 'react'
import { useLocation } from 'wouter'
import type { Language } from '../../core/languages.ts'
import { paths } from '../frame/paths.ts'
import { FormDialog } from '../kit/dialog.tsx'
import { Select, TextArea } from '../kit/field.tsx'
import { FieldProblem, FormProblem } from '../kit/forms/problem.tsx'
import { call, type Output, refresh } from '../session/client.ts'
import { language, t } from '../texts/index.ts'
import { translationTexts as words } from '../texts/translations.ts'
import { documentOf } from './instructions.ts'
import { asLanguage, languageOptions } from './language-names.ts'
import type { Translation } from './state.tsx'

interface NewTranslationDialogProps {
  open: boolean
  onClose: () => void
  organizationId: string
  spaces: readonly Output<'getSpaceById'>[]
  known: readonly Translation[]
}

export function NewTranslationDialog({ open, onClose, organizationId, spaces, known }: NewTranslationDialogProps) {
  const [, navigate] = useLocation()
  // What a translation has made follows its source.
  const made = new Set(known.map(({ result }) => result?.space))
  const sources = spaces.filter(({ id }) => !made.has(id))
  const [chosen, choose] = useState<string | undefined>()
  const [from, setFrom] = useState<Language | undefined>()
  const [to, setTo] = useState<Language | undefined>()
  const [instructions, setInstructions] = useState('')
  const [problem, setProblem] = useState<string | undefined>()
  const [error, setError] = useState<unknown>()
  const [isBusy, setIsBusy] = useState(false)
  const source = sources.find(({ id }) => id === chosen) ?? sources[0]
  const options = languageOptions()
  const written = from ?? asLanguage(source?.language ?? undefined) ?? language
  const target = to ?? options.find(({ value }) => value !== written && !isKnown(value))?.value ?? 'en'

  function isKnown(wanted: Language): boolean {
    return known.some((translation) => translation.source.space === source?.id && translation.language === wanted)
  }

  const submit = async (space: string): Promise<void> => {
    const wrong = target === written ? words.sameLanguage : isKnown(target) ? words.isThere : undefined
    setProblem(wrong)
    setError(undefined)
    if (wrong !== undefined) return
    setIsBusy(true)
    try {
      const { id } = await call('createTranslation', {
        organizationId,
        body: {
          source: { space, language: written },
          language: target,
          ...(instructions.trim() === '' ? {} : { instructions: documentOf(instructions) }),
        },
      })
      void refresh('listTranslations')
      onClose()
      navigate(paths.translation(organizationId, id))
    } catch (failure) {
      setError(failure)
    } finally {
      setIsBusy(false)
    }
  }
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={words.new}
      action={words.create}
      busy={isBusy}
      disabled={!source}
      onSubmit={() => source && void submit(source.id)}
    >
      {source ? (
        <>
          <Select
            label={words.source}
            hint={words.spaceHint}
            value={source.id}
            onChange={({ target: { value } }) => choose(value)}
            options={sources.map(({ id, title }) => ({ value: id, label: title || t.common.untitled }))}
          />
          <Select
            label={words.sourceLanguage}
            value={written}
            onChange={({ target: { value } }) => setFrom(asLanguage(value))}
            options={options}
          />
          <Select
            label={words.target}
            value={target}
            aria-invalid={problem !== undefined}
            hint={problem && <FieldProblem text={problem} />}
            onChange={({ target: { value } }) => setTo(asLanguage(value))}
            options={options}
          />
          <TextArea
            label={`${words.instructions} (${t.common.optional})`}
            hint={words.instructionsHint}
            placeholder={words.instructionsPlaceholder}
            maxLength={4000}
            value={instructions}
            onChange={({ target: { value } }) => setInstructions(value)}
          />
          <p className="ui-hint">{words.engineHint}</p>
          <FormProblem error={error} />
        </>
      ) : (
        <p>{words.noSpaces}</p>
      )}
    </FormDialog>
  )
}
