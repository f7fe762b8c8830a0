/** Where a link leads: to an address, a page or a space of the site. What can only be set by the API stays as it is. */
import { useState } from 'react'
import { Select, TextField } from '../../kit/field.tsx'
import { useCall } from '../../session/client.ts'
import { customizationTexts } from '../../texts/customization.ts'
import { Problem, TextSetting } from './fields.tsx'
import { useCustomization } from './form.tsx'
import type { Customization } from './target.ts'

export type LinkTarget = Customization['header']['links'][number]['to']
type SetTarget = NonNullable<LinkTarget>
type PageTarget = Extract<SetTarget, { kind: 'page' }>

const texts = customizationTexts.target
const kinds = ['url', 'page', 'space'] as const

interface TargetFieldProps<Value extends LinkTarget> {
  at: string
  value: Value
  onChange: (value: SetTarget) => void
}

export function TargetField<Value extends LinkTarget>({ at, value, onChange }: TargetFieldProps<Value>) {
  const spaces = useSpacesOfSite()
  const kind = kinds.find((one) => one === value?.kind)
  const choose = (chosen: string): void => {
    if (chosen === 'url') onChange({ kind: 'url', url: '' })
    else if (chosen === 'page') onChange({ kind: 'page', page: '', space: spaces[0]?.value ?? '' })
    else if (chosen === 'space') onChange({ kind: 'space', space: '' })
  }
  return (
    <div className="customization-target">
      <Select
        label={texts.kind}
        data-setting={`${at}.kind`}
        value={kind ?? ''}
        onChange={({ target }) => choose(target.value)}
        options={[
          ...(kind === undefined ? [{ value: '', label: value === null ? texts.nowhere : texts.other }] : []),
          ...kinds.map((one) => ({ value: one, label: texts.kinds[one] })),
        ]}
      />
      {value?.kind === 'url' && (
        <TextSetting
          at={at}
          label={texts.address}
          dir="ltr"
          placeholder="https://"
          maxLength={2048}
          value={value.url}
          onChange={(url) => onChange({ kind: 'url', url })}
        />
      )}
      {value?.kind === 'space' && (
        <Chooser
          at={at}
          label={texts.space}
          gone={texts.goneSpace}
          value={value.space}
          options={spaces}
          onChange={(space) => onChange({ kind: 'space', space })}
        />
      )}
      {value?.kind === 'page' && <PageFields at={at} value={value} spaces={spaces} onChange={onChange} />}
    </div>
  )
}

interface Option {
  value: string
  label: string
}

/** Each once: a space may stand in several places of a site. */
function useSpacesOfSite(): Option[] {
  const { organizationId, siteId } = useCustomization().target
  const shown = useCall('listSiteSpaces', { organizationId, siteId, query: { limit: 1000 } }, { staleTime: 60_000 })
  const names = new Map((shown.data?.items ?? []).map(({ space, title }) => [space.id, space.title || title]))
  return [...names].map(([value, label]) => ({ value, label }))
}

interface ChooserProps {
  at: string
  label: string
  /** What a value is called that is not among the options. */
  gone: string
  value: string
  options: readonly Option[]
  hint?: string | undefined
  onChange: (value: string) => void
}

function Chooser({ at, label, gone, value, options, hint, onChange }: ChooserProps) {
  const { problems, wasTried } = useCustomization()
  const problem = wasTried ? problems.get(at) : undefined
  const isThere = value === '' || options.some((option) => option.value === value)
  return (
    <Select
      label={label}
      data-setting={at}
      aria-invalid={problem === undefined ? undefined : true}
      hint={problem === undefined ? hint : <Problem text={problem} />}
      value={value}
      onChange={({ target }) => onChange(target.value)}
      options={[
        ...(value === '' ? [{ value: '', label: texts.choose }] : []),
        ...(isThere ? [] : [{ value, label: gone }]),
        ...options,
      ]}
    />
  )
}

/** More of them are hard to find in a list. */
const mostShown = 200

interface PageFieldsProps {
  at: string
  value: PageTarget
  spaces: readonly Option[]
  onChange: (value: SetTarget) => void
}

function PageFields({ at, value, spaces, onChange }: PageFieldsProps) {
  const [words, setWords] = useState('')
  const spaceId = value.space ?? spaces[0]?.value ?? ''
  const listed = useCall(
    'listPages',
    { spaceId, query: { fields: 'tree' } },
    { enabled: spaceId !== '', staleTime: 60_000 },
  )
  const pages = flatten(listed.data?.pages ?? [])
  const wanted = words.trim().toLowerCase()
  const found = pages.filter(({ value: id, label }) => id === value.page || label.toLowerCase().includes(wanted))
  const shown = found.slice(0, mostShown)
  const chosen = found.find((page) => page.value === value.page)
  return (
    <>
      {spaces.length > 1 && (
        <Chooser
          at={`${at}.space`}
          label={texts.space}
          gone={texts.goneSpace}
          value={spaceId}
          options={spaces}
          onChange={(space) => onChange({ kind: 'page', page: '', space })}
        />
      )}
      {pages.length > 30 && (
        <TextField label={texts.filter} type="search" value={words} onChange={({ target }) => setWords(target.value)} />
      )}
      <Chooser
        at={at}
        label={texts.page}
        gone={texts.gone}
        value={value.page}
        options={chosen && !shown.includes(chosen) ? [chosen, ...shown] : shown}
        hint={found.length > mostShown ? texts.narrow(shown.length, pages.length) : undefined}
        onChange={(page) => onChange({ kind: 'page', page, ...(spaceId === '' ? {} : { space: spaceId }) })}
      />
    </>
  )
}

interface Listed {
  id: string
  title: string
  type: string
  pages?: Listed[] | undefined
}

/** In the order of the tree, each a step further in than what is above it. Groups and links are no pages. */
const flatten = (pages: readonly Listed[], depth = 0): Option[] =>
  pages.flatMap(({ id, title, type, pages: below }) => [
    ...(type === 'document' || type === 'computed' ? [{ value: id, label: `${'\u2003'.repeat(depth)}${title}` }] : []),
    ...flatten(below ?? [], depth + 1),
  ])
