/** The whole schema of visitors as JSON, for what the form of a claim has no fields for. */
import { useState } from 'react'
import { FormDialog } from '../../kit/dialog.tsx'
import { TextArea } from '../../kit/field.tsx'
import { FieldProblem, FormProblem } from '../../kit/forms/problem.tsx'
import { showDone } from '../../kit/toast.tsx'
import { useFormAction } from '../../session/form-action.ts'
import { t } from '../../texts/index.ts'
import { visitorTexts as words } from '../../texts/visitors.ts'
import type { SiteIds } from '../row.tsx'
import { putSchema, staleSchema } from './schema.ts'

interface SchemaFormProps {
  open: boolean
  onClose: () => void
  ids: SiteIds
  schema: unknown
}

export function SchemaForm({ open, onClose, ids, schema }: SchemaFormProps) {
  const [text, setText] = useState(() => JSON.stringify(schema, null, 2))
  const [isWrong, setWrong] = useState(false)
  const {
    mutate: send,
    isPending: busy,
    error,
  } = useFormAction((json: unknown) => putSchema(ids, json), {
    refreshes: staleSchema,
    onDone: () => {
      onClose()
      showDone(t.common.saved)
    },
  })
  const submit = (): void => {
    try {
      send(JSON.parse(text))
    } catch {
      setWrong(true)
    }
  }
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      wide
      title={words.jsonTitle}
      action={t.common.save}
      busy={busy}
      onSubmit={submit}
    >
      <TextArea
        label={words.jsonLabel}
        hint={isWrong ? <FieldProblem text={words.jsonWrong} /> : words.jsonHint}
        aria-invalid={isWrong || undefined}
        rows={16}
        className="ui-lines"
        spellCheck={false}
        autoCapitalize="none"
        value={text}
        onChange={({ target }) => {
          setText(target.value)
          setWrong(false)
        }}
      />
      <FormProblem error={error} />
    </FormDialog>
  )
}
