/** The settings of a part of a site. What was not changed is not sent. */
import { useState } from 'react'
import { FormDialog } from '../../kit/dialog.tsx'
import { Select } from '../../kit/field.tsx'
import { CheckedField } from '../../kit/forms/checked-field.tsx'
import { FormProblem } from '../../kit/forms/problem.tsx'
import { showDone } from '../../kit/toast.tsx'
import { call, type Input, useCall } from '../../session/client.ts'
import { explain } from '../../session/errors.ts'
import { isAbout, isTaken, useFormAction } from '../../session/form-action.ts'
import { t } from '../../texts/index.ts'
import { structureTexts as words } from '../../texts/site-structure.ts'
import { type Group, nameOf, pathOf, type Section, type SiteSpace } from './arrange.ts'
import type { AboutSite } from './asked.tsx'
import { IconChoice, SpaceProblem, SpaceSelect, useSpaces } from './choosing.tsx'
import { staleStructure } from './moves.ts'

/** Only what differs from before. */
const changed = <T extends object>(before: T, now: T): Partial<T> => {
  const difference: Partial<T> = {}
  for (const key in now) if (now[key] !== before[key]) difference[key] = now[key]
  return difference
}

const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim())

export function SectionSettings({ section, ...about }: AboutSite & { section: Section }) {
  const { open, onClose, ids, nodes } = about
  const before = {
    title: section.title,
    icon: section.icon ?? null,
    description: section.description ?? '',
    path: section.path,
    condition: section.condition ?? '',
    defaultSiteSpace: section.siteSpaces.find((one) => one.default)?.id ?? '',
  }
  const [now, setNow] = useState(before)
  const set = (change: Partial<typeof before>): void => setNow({ ...now, ...change })
  const {
    mutate: send,
    isPending: busy,
    error,
  } = useFormAction(
    () => {
      const { description, condition, ...rest } = changed(before, now)
      const body: Input<'updateSiteSectionById'>['body'] = {
        ...rest,
        ...(description === undefined ? {} : { description: orNull(description) }),
        ...(condition === undefined ? {} : { condition: orNull(condition) }),
      }
      return call('updateSiteSectionById', { ...ids, siteSectionId: section.id, body })
    },
    { refreshes: staleStructure, onDone: () => saved(onClose) },
  )
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={words.settingsOf(section.title)}
      action={t.common.save}
      busy={busy}
      onSubmit={() => send(undefined)}
    >
      <div className="ui-with-icon">
        <CheckedField
          label={words.sectionTitle}
          maxLength={128}
          minLength={2}
          required
          value={now.title}
          problem={isAbout(error, 'title') ? words.titleWrong : undefined}
          onChange={({ target }) => set({ title: target.value })}
        />
        <IconChoice icon={now.icon} onChoose={(icon) => set({ icon })} />
      </div>
      <CheckedField
        label={words.description}
        hint={words.descriptionHint}
        maxLength={256}
        value={now.description}
        problem={undefined}
        onChange={({ target }) => set({ description: target.value })}
      />
      <PathField
        value={now.path}
        error={error}
        hint={section.default ? words.pathOfDefault : words.pathHint(pathOf(nodes, section) ?? '')}
        onChange={(path) => set({ path })}
      />
      {section.siteSpaces.length > 1 && (
        <Select
          label={words.opensFirst}
          value={now.defaultSiteSpace}
          onChange={({ target }) => set({ defaultSiteSpace: target.value })}
          options={section.siteSpaces.map((one) => ({ value: one.id, label: nameOf(one) }))}
        />
      )}
      <ConditionField {...about} value={now.condition} error={error} onChange={(condition) => set({ condition })} />
      <Unplaced error={error} />
    </FormDialog>
  )
}

export function SpaceSettings({ siteSpace, ...about }: AboutSite & { siteSpace: SiteSpace }) {
  const { open, onClose, ids, nodes } = about
  const spaces = useSpaces(ids.organizationId)
  const before = { path: siteSpace.path, condition: siteSpace.condition ?? '', spaceId: siteSpace.space.id }
  const [now, setNow] = useState(before)
  const set = (change: Partial<typeof before>): void => setNow({ ...now, ...change })
  const {
    mutate: send,
    isPending: busy,
    error,
  } = useFormAction(
    () => {
      const { condition, ...rest } = changed(before, now)
      const body = { ...rest, ...(condition === undefined ? {} : { condition: orNull(condition) }) }
      return call('updateSiteSpaceById', { ...ids, siteSpaceId: siteSpace.id, body })
    },
    { refreshes: staleStructure, onDone: () => saved(onClose) },
  )
  // One that the caller does not see stays what it is.
  const known = spaces.data ?? []
  const listed = known.some(({ id }) => id === before.spaceId) ? known : [siteSpace.space, ...known]
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={words.settingsOf(nameOf(siteSpace))}
      action={t.common.save}
      busy={busy}
      onSubmit={() => send(undefined)}
    >
      <PathField
        value={now.path}
        error={error}
        hint={siteSpace.default ? words.pathOfDefault : words.pathHint(pathOf(nodes, siteSpace) ?? '')}
        onChange={(path) => set({ path })}
      />
      <SpaceSelect
        label={words.changedSpace}
        spaces={listed}
        nodes={[]}
        value={now.spaceId}
        onChoose={(spaceId) => set({ spaceId })}
      />
      <ConditionField {...about} value={now.condition} error={error} onChange={(condition) => set({ condition })} />
      <Unplaced error={error} />
    </FormDialog>
  )
}

export function GroupSettings({ open, onClose, ids, group }: AboutSite & { group: Group }) {
  const [title, setTitle] = useState(group.title)
  const [icon, setIcon] = useState(group.icon ?? null)
  const {
    mutate: send,
    isPending: busy,
    error,
  } = useFormAction(
    () =>
      call('updateSiteSectionGroupById', { ...ids, siteSectionGroupId: group.id, body: { title: title.trim(), icon } }),
    { refreshes: staleStructure, onDone: () => saved(onClose) },
  )
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={words.settingsOf(group.title)}
      action={t.common.save}
      busy={busy}
      disabled={title.trim() === ''}
      onSubmit={() => send(undefined)}
    >
      <div className="ui-with-icon">
        <CheckedField
          label={words.sectionTitle}
          maxLength={100}
          value={title}
          problem={undefined}
          onChange={({ target }) => setTitle(target.value)}
        />
        <IconChoice icon={icon} onChoose={setIcon} />
      </div>
      <FormProblem error={error} />
    </FormDialog>
  )
}

function saved(onClose: () => void): void {
  onClose()
  showDone(t.common.saved)
}

interface FieldOf {
  value: string
  error: unknown
  onChange: (value: string) => void
}

function PathField({ value, error, hint, onChange }: FieldOf & { hint: string }) {
  const problem = isTaken(error) ? words.pathTaken : isAbout(error, 'path') ? words.pathWrong : undefined
  return (
    <CheckedField
      label={words.path}
      hint={hint}
      maxLength={100}
      required
      spellCheck={false}
      autoCapitalize="none"
      value={value}
      problem={problem}
      onChange={({ target }) => onChange(target.value)}
    />
  )
}

/** With the conditions that the schema of visitors offers. */
function ConditionField({ site, ids, value, error, onChange }: FieldOf & Pick<AboutSite, 'site' | 'ids'>) {
  const offered = useCall('listSiteAdaptiveTemplateConditions', ids).data?.items ?? []
  const list = `conditions-${site.id}`
  return (
    <>
      <CheckedField
        label={words.condition}
        hint={site.adaptiveContent.enabled ? words.conditionHint : words.conditionOff}
        maxLength={1024}
        spellCheck={false}
        autoCapitalize="none"
        list={list}
        value={value}
        problem={isAboutCondition(error) ? explain(error).text : undefined}
        onChange={({ target }) => onChange(target.value)}
      />
      <datalist id={list}>
        {offered.map(({ condition, description }) => (
          <option key={condition} value={condition} label={description} />
        ))}
      </datalist>
    </>
  )
}

const isAboutCondition = (error: unknown): boolean => isAbout(error, 'condition')

/** What no field of these says. */
const Unplaced = ({ error }: { error: unknown }) =>
  isTaken(error) || ['title', 'path', 'condition'].some((field) => isAbout(error, field)) ? null : (
    <SpaceProblem error={error} />
  )
