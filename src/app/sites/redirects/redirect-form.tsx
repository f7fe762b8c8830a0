/** A redirect, made or changed. */
import { useState } from 'react'
import { FormDialog } from '../../kit/dialog.tsx'
import { Check, Select } from '../../kit/field.tsx'
import { CheckedField } from '../../kit/forms/checked-field.tsx'
import { FormProblem } from '../../kit/forms/problem.tsx'
import { showDone } from '../../kit/toast.tsx'
import { call } from '../../session/client.ts'
import { isAbout, isTaken, useFormAction } from '../../session/form-action.ts'
import { t } from '../../texts/index.ts'
import { redirectTexts as words } from '../../texts/redirects.ts'
import type { SiteIds } from '../row.tsx'
import { nameOf } from '../structure/arrange.ts'
import type { PartsOfSite } from './destination.tsx'
import { isCircle, isPath, isWeb, type NewRedirect, sourceIn } from './lines.ts'
import { PageChoice } from './page-choice.tsx'
import type { Redirect } from './redirects.ts'

const kinds = ['site-page', 'part', 'path', 'external'] as const
type Kind = (typeof kinds)[number]

interface Fields {
  source: string
  kind: Kind
  siteSpace: string
  page: string
  /** A section or space, by its id. */
  part: string
  path: string
  url: string
  captureWildcard: boolean
  permanent: boolean
  draft: boolean
}

function fieldsOf(redirect: Redirect | undefined, { spaces, sections }: PartsOfSite): Fields {
  const none: Fields = {
    source: '',
    kind: spaces.length > 0 ? 'site-page' : 'path',
    siteSpace: (spaces.find((space) => space.default) ?? spaces[0])?.id ?? '',
    page: '',
    part: (sections[0] ?? spaces[0])?.id ?? '',
    path: '',
    url: '',
    captureWildcard: false,
    permanent: false,
    draft: false,
  }
  if (!redirect) return none
  const { source, destination, captureWildcard, permanent, draft } = redirect
  const same = { ...none, source, captureWildcard, permanent, draft }
  if (destination.kind === 'site-section') return { ...same, kind: 'part', part: destination.siteSection }
  if (destination.kind === 'site-space') return { ...same, kind: 'part', part: destination.siteSpace }
  return { ...same, ...destination }
}

function destinationOf({ kind, siteSpace, page, part, path, url }: Fields, { sections }: PartsOfSite) {
  if (kind === 'site-page') return { kind, siteSpace, page }
  if (kind === 'path') return { kind, path: path.trim() }
  if (kind === 'external') return { kind, url: url.trim() }
  return sections.some(({ id }) => id === part)
    ? { kind: 'site-section' as const, siteSection: part }
    : { kind: 'site-space' as const, siteSpace: part }
}

/** What is wrong and can be seen without asking. */
function problemIn(
  fields: Fields,
  redirect: NewRedirect | undefined,
): 'source' | 'path' | 'url' | 'circle' | undefined {
  if (!redirect) return 'source'
  if (fields.kind === 'path' && !isPath(fields.path.trim())) return 'path'
  if (fields.kind === 'external' && !isWeb(fields.url.trim())) return 'url'
  return isCircle(redirect) ? 'circle' : undefined
}

interface RedirectFormProps {
  open: boolean
  onClose: () => void
  ids: SiteIds
  root: string | undefined
  parts: PartsOfSite
  redirect?: Redirect | undefined
}

export function RedirectForm({ open, onClose, ids, root, parts, redirect }: RedirectFormProps) {
  const [fields, setFields] = useState(() => fieldsOf(redirect, parts))
  const [wrong, setWrong] = useState<ReturnType<typeof problemIn>>()
  const set = (change: Partial<Fields>): void => {
    setFields({ ...fields, ...change })
    setWrong(undefined)
  }
  const {
    mutate: send,
    isPending: busy,
    error,
  } = useFormAction(
    (body: NewRedirect): Promise<unknown> =>
      redirect
        ? call('updateSiteRedirectById', { ...ids, redirectId: redirect.id, body })
        : call('createSiteRedirect', { ...ids, body }),
    {
      refreshes: ['listSiteRedirects', 'getSiteRedirectBySource'],
      onDone: () => {
        onClose()
        showDone(t.common.saved)
      },
    },
  )
  const { kind } = fields
  const submit = (): void => {
    const source = sourceIn(fields.source, root)
    const { captureWildcard, permanent, draft } = fields
    const body =
      source === undefined
        ? undefined
        : { source, destination: destinationOf(fields, parts), captureWildcard, permanent, draft }
    const problem = problemIn(fields, body)
    setWrong(problem)
    if (body && problem === undefined) send(body)
  }
  const sourceProblem = isTaken(error)
    ? words.sourceTaken
    : wrong === 'source' || isAbout(error, 'source')
      ? words.sourceWrong
      : undefined
  const pathProblem =
    wrong === 'circle' ? words.circle : wrong === 'path' || isAbout(error, 'destination') ? words.pathWrong : undefined
  const isShown = isTaken(error) || isAbout(error, 'source') || (kind === 'path' && isAbout(error, 'destination'))
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={redirect ? words.edit : words.add}
      action={redirect ? t.common.save : words.add}
      busy={busy}
      disabled={fields.source.trim() === '' || (kind === 'site-page' && fields.page === '')}
      onSubmit={submit}
    >
      <CheckedField
        label={words.source}
        hint={words.sourceHint}
        maxLength={2048}
        spellCheck={false}
        autoCapitalize="none"
        value={fields.source}
        problem={sourceProblem}
        onChange={({ target }) => set({ source: target.value })}
      />
      <Select
        label={words.kind}
        value={kind}
        onChange={({ target }) => set({ kind: kinds.find((one) => one === target.value) ?? 'path' })}
        options={kinds
          .filter((one) => parts.spaces.length > 0 || one === 'path' || one === 'external')
          .map((one) => ({ value: one, label: words.kinds[one] }))}
      />
      {kind === 'site-page' && (
        <PageChoice
          spaces={parts.spaces}
          siteSpace={fields.siteSpace}
          page={fields.page}
          onChoose={(siteSpace, page) => set({ siteSpace, page })}
        />
      )}
      {kind === 'part' && (
        <Select
          label={words.part}
          value={fields.part}
          onChange={({ target }) => set({ part: target.value })}
          options={[
            ...parts.sections.map(({ id, title }) => ({ value: id, label: title })),
            ...parts.spaces.map((space) => ({ value: space.id, label: spaceLabel(parts, space) })),
          ]}
        />
      )}
      {kind === 'path' && (
        <CheckedField
          label={words.path}
          maxLength={512}
          spellCheck={false}
          autoCapitalize="none"
          placeholder="/"
          value={fields.path}
          problem={pathProblem}
          onChange={({ target }) => set({ path: target.value })}
        />
      )}
      {kind === 'external' && (
        <CheckedField
          label={words.url}
          maxLength={2048}
          inputMode="url"
          spellCheck={false}
          autoCapitalize="none"
          placeholder="https://"
          value={fields.url}
          problem={wrong === 'url' || isAbout(error, 'destination') ? words.urlWrong : undefined}
          onChange={({ target }) => set({ url: target.value })}
        />
      )}
      <Check
        label={words.everything}
        hint={words.everythingHint}
        checked={fields.captureWildcard}
        onChange={({ target }) => set({ captureWildcard: target.checked })}
      />
      <Check
        label={words.permanent}
        hint={words.permanentHint}
        checked={fields.permanent}
        onChange={({ target }) => set({ permanent: target.checked })}
      />
      <Check label={words.draft} checked={fields.draft} onChange={({ target }) => set({ draft: target.checked })} />
      {!isShown && <FormProblem error={error} words={{ conflict: words.tooMany }} />}
    </FormDialog>
  )
}

const spaceLabel = ({ sections }: PartsOfSite, space: PartsOfSite['spaces'][number]): string => {
  const section = sections.find(({ id }) => id === space.section)
  return section ? `${section.title} › ${nameOf(space)}` : nameOf(space)
}
