/** A claim, declared or changed. */
import { useState } from 'react'
import { FormDialog } from '../../kit/dialog.tsx'
import { Check, Select, TextArea } from '../../kit/field.tsx'
import { CheckedField } from '../../kit/forms/checked-field.tsx'
import { FieldProblem, FormProblem } from '../../kit/forms/problem.tsx'
import { showDone } from '../../kit/toast.tsx'
import { useFormAction } from '../../session/form-action.ts'
import { t } from '../../texts/index.ts'
import { visitorTexts as words } from '../../texts/visitors.ts'
import type { SiteIds } from '../row.tsx'
import { type Claim, isSame, type Kind, kindOf, kinds, schemaFor, valuesOf } from './claims.ts'
import { putClaim, staleSchema } from './schema.ts'

interface ClaimFormProps {
  open: boolean
  onClose: () => void
  ids: SiteIds
  claims: readonly Claim[]
  claim?: Claim | undefined
}

/** What names a claim; the API refuses others. */
const isName = (name: string): boolean => /^[^\p{C}\s"'`\\]+$/u.test(name) && name !== 'unsigned'

const linesOf = (text: string): string[] => [
  ...new Set(
    text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  ),
]

export function ClaimForm({ open, onClose, ids, claims, claim }: ClaimFormProps) {
  const [name, setName] = useState(claim?.name ?? '')
  const [kind, setKind] = useState<Kind>(kinds.find((one) => claim && one === kindOf(claim.schema)) ?? 'boolean')
  const [values, setValues] = useState(claim ? valuesOf(claim.schema).join('\n') : '')
  const [description, setDescription] = useState(claim?.schema.description ?? '')
  const [unsigned, setUnsigned] = useState(claim?.unsigned ?? false)
  const [wrong, setWrong] = useState<'name' | 'taken' | 'values' | undefined>()
  const {
    mutate: send,
    isPending: busy,
    error,
  } = useFormAction((next: Claim) => putClaim(ids, next, claim), {
    refreshes: staleSchema,
    onDone: () => {
      onClose()
      showDone(t.common.saved)
    },
  })
  const submit = (): void => {
    const lines = linesOf(values)
    const next = { name: name.trim(), unsigned, schema: schemaFor(kind, description.trim(), lines) }
    const others = claims.filter((one) => !claim || !isSame(one, claim))
    const problem = !isName(next.name)
      ? 'name'
      : others.some((one) => isSame(one, next))
        ? 'taken'
        : kind === 'enum' && (lines.length === 0 || lines.some((line) => line.length > 200))
          ? 'values'
          : undefined
    setWrong(problem)
    if (problem === undefined) send(next)
  }
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={claim ? words.change : words.add}
      action={claim ? t.common.save : words.add}
      busy={busy}
      disabled={name.trim() === '' || description.trim() === ''}
      onSubmit={submit}
    >
      <CheckedField
        label={words.name}
        hint={words.nameHint}
        maxLength={100}
        spellCheck={false}
        autoCapitalize="none"
        value={name}
        problem={wrong === 'name' ? words.nameWrong : wrong === 'taken' ? words.nameTaken : undefined}
        onChange={({ target }) => {
          setName(target.value)
          setWrong(undefined)
        }}
      />
      <CheckedField
        label={words.description}
        hint={words.descriptionHint}
        maxLength={1024}
        value={description}
        problem={undefined}
        onChange={({ target }) => setDescription(target.value)}
      />
      <Select
        label={words.kind}
        value={kind}
        onChange={({ target }) => setKind(kinds.find((one) => one === target.value) ?? 'boolean')}
        options={kinds.map((value) => ({ value, label: words.kinds[value] }))}
      />
      {kind === 'enum' && (
        <TextArea
          label={words.values}
          hint={wrong === 'values' ? <FieldProblem text={words.valuesWrong} /> : words.valuesHint}
          aria-invalid={wrong === 'values' || undefined}
          spellCheck={false}
          value={values}
          onChange={({ target }) => setValues(target.value)}
        />
      )}
      <Check
        label={words.unsigned}
        hint={words.unsignedHint}
        checked={unsigned}
        onChange={({ target }) => setUnsigned(target.checked)}
      />
      <FormProblem error={error} />
    </FormDialog>
  )
}
