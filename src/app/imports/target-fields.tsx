/** Where what is brought in goes: a new space, or one that is there, at once or by way of a change request. */
import { useEffect } from 'react'
import { Select, TextField } from '../kit/field.tsx'
import { Choices } from '../kit/forms/choices.tsx'
import { FieldProblem } from '../kit/forms/problem.tsx'
import { type Output, useCall } from '../session/client.ts'
import { importTexts as words } from '../texts/imports.ts'
import { t } from '../texts/index.ts'

export interface Destination {
  /** Empty for a new one. */
  space: string
  title: string
  how: 'direct' | 'request'
}

interface TargetFieldsProps {
  spaces: readonly Output<'getSpaceById'>[]
  canCreate: boolean
  value: Destination
  /** A change request that was asked for takes it, whatever is chosen. */
  request: Output<'getChangeRequestById'> | undefined
  /** Repositories come into a space itself. */
  isDirectOnly: boolean
  problem: string | undefined
  onChange: (change: Partial<Destination>) => void
}

export function TargetFields(props: TargetFieldsProps) {
  const { spaces, canCreate, value, request, isDirectOnly, problem, onChange } = props
  const chosen = spaces.find(({ id }) => id === value.space)
  const isLocked = chosen?.editMode === 'locked'
  const pages = useCall(
    'listPages',
    { spaceId: value.space, query: { fields: 'tree' } },
    { enabled: chosen !== undefined },
  )
  const hasPages = (pages.data?.pages.length ?? 0) > 0
  // Nobody needs to look at what comes into an empty space first.
  const how = isLocked || hasPages ? 'request' : 'direct'
  const isKnown = chosen !== undefined && (isLocked || pages.data !== undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another space begins with what suits it.
  useEffect(() => {
    if (isKnown) onChange({ how })
  }, [value.space, isKnown, how])
  if (request) return <p className="ui-notice">{words.thisRequest(request.number, request.subject)}</p>
  return (
    <>
      <Select
        label={words.space}
        value={value.space}
        onChange={({ target }) => onChange({ space: target.value })}
        options={[
          ...(canCreate ? [{ value: '', label: words.newSpace }] : []),
          ...spaces.map(({ id, title }) => ({ value: id, label: title || t.common.untitled })),
        ]}
      />
      {value.space === '' ? (
        <TextField
          label={words.newSpaceName}
          placeholder={t.spaces.namePlaceholder}
          maxLength={50}
          value={value.title}
          aria-invalid={problem !== undefined}
          hint={problem && <FieldProblem text={problem} />}
          onChange={({ target }) => onChange({ title: target.value })}
        />
      ) : (
        !isDirectOnly && (
          <Choices
            label={words.how}
            value={isLocked ? 'request' : value.how}
            options={[
              {
                value: 'direct',
                label: words.direct,
                disabled: isLocked,
                ...(isLocked ? { hint: words.lockedHint } : {}),
              },
              { value: 'request', label: words.inRequest },
            ]}
            onChange={(value) => onChange({ how: value })}
          />
        )
      )}
    </>
  )
}
