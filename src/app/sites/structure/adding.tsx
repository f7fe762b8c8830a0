/** What is added to a site: a space, a section with its first space, a group of sections. */
import { useState } from 'react'
import { paths } from '../../frame/paths.ts'
import { ButtonLink } from '../../kit/button.tsx'
import { Dialog, FormDialog } from '../../kit/dialog.tsx'
import { Loaded } from '../../kit/empty.tsx'
import { Check, Select } from '../../kit/field.tsx'
import { CheckedField } from '../../kit/forms/checked-field.tsx'
import { FormProblem } from '../../kit/forms/problem.tsx'
import { showDone } from '../../kit/toast.tsx'
import { call, type Output } from '../../session/client.ts'
import { isAbout, useFormAction } from '../../session/form-action.ts'
import { structureTexts as words } from '../../texts/site-structure.ts'
import { nameOf, type Section, sectionsOf } from './arrange.ts'
import type { AboutSite } from './asked.tsx'
import { firstToShow, IconChoice, SpaceProblem, SpaceSelect, useSpaces } from './choosing.tsx'
import { staleStructure } from './moves.ts'

type Spaces = Output<'listSpacesInOrganizationById'>['items']

/** Asked with the spaces there are; where there is none, it says so. */
function WithSpaces({
  about: { open, onClose, ids },
  title,
  children,
}: {
  about: AboutSite
  title: string
  children: (spaces: Spaces) => React.ReactNode
}) {
  const spaces = useSpaces(ids.organizationId)
  if (spaces.data && spaces.data.length > 0) return children(spaces.data)
  return (
    <Dialog open={open} onClose={onClose} title={title}>
      <Loaded query={spaces} lines={2}>
        {() => (
          <div className="ui-form">
            <p>{words.noSpaces}</p>
            <ButtonLink href={paths.home}>{words.toHome}</ButtonLink>
          </div>
        )}
      </Loaded>
    </Dialog>
  )
}

export const AddSpace = (props: AboutSite & { section: Section | undefined }) => (
  <WithSpaces about={props} title={words.addSpace}>
    {(spaces) => <AddSpaceForm {...props} spaces={spaces} />}
  </WithSpaces>
)

function AddSpaceForm({ open, onClose, ids, nodes, section, spaces }: Parameters<typeof AddSpace>[0] & WithList) {
  const [space, setSpace] = useState(() => firstToShow(spaces, nodes))
  const sections = sectionsOf(nodes)
  const [sectionId, setSection] = useState(section?.id ?? sections.find((one) => one.default)?.id)
  const {
    mutate: send,
    isPending: busy,
    error,
  } = useFormAction(
    () =>
      call('addSpaceToSite', { ...ids, body: { spaceId: space, ...(sectionId === undefined ? {} : { sectionId }) } }),
    {
      refreshes: staleStructure,
      onDone: (added) => {
        onClose()
        showDone(words.added(nameOf(added)))
      },
    },
  )
  const isFirst = sections.length === 0 && nodes.length === 0
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={words.addSpace}
      action={words.add}
      busy={busy}
      onSubmit={() => send(undefined)}
    >
      <SpaceSelect
        label={words.space}
        hint={isFirst ? undefined : words.variantHint}
        spaces={spaces}
        nodes={nodes}
        value={space}
        onChoose={setSpace}
      />
      {sections.length > 0 && (
        <Select
          label={words.forSection}
          value={sectionId ?? ''}
          onChange={({ target }) => setSection(target.value)}
          options={sections.map(({ id, title }) => ({ value: id, label: title }))}
        />
      )}
      <SpaceProblem error={error} />
    </FormDialog>
  )
}

interface WithList {
  spaces: Spaces
}

export const AddSection = (props: AboutSite) => (
  <WithSpaces about={props} title={words.addSection}>
    {(spaces) => <AddSectionForm {...props} spaces={spaces} />}
  </WithSpaces>
)

function AddSectionForm({ open, onClose, site, ids, nodes, spaces }: AboutSite & WithList) {
  const [space, setSpace] = useState(() => firstToShow(spaces, nodes))
  const [title, setTitle] = useState('')
  const [icon, setIcon] = useState<string | null>(null)
  const {
    mutate: send,
    isPending: busy,
    error,
  } = useFormAction(
    () => {
      const named = title.trim() === '' ? {} : { title: title.trim() }
      return call('addSectionToSite', { ...ids, body: { spaceId: space, ...named, icon } })
    },
    {
      refreshes: staleStructure,
      onDone: (added) => {
        onClose()
        showDone(words.added(added.title))
      },
    },
  )
  const wraps = nodes.some(({ type }) => type === 'site-space')
  const problem = isAbout(error, 'title') ? words.titleWrong : undefined
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={words.addSection}
      action={words.add}
      busy={busy}
      onSubmit={() => send(undefined)}
    >
      <SpaceSelect label={words.space} spaces={spaces} nodes={nodes} value={space} onChoose={setSpace} />
      <div className="ui-with-icon">
        <CheckedField
          label={words.sectionTitle}
          placeholder={spaces.find(({ id }) => id === space)?.title}
          maxLength={128}
          value={title}
          problem={undefined}
          onChange={({ target }) => setTitle(target.value)}
        />
        <IconChoice icon={icon} onChoose={setIcon} />
      </div>
      <p className="ui-hint">{problem ?? words.sectionTitleHint}</p>
      {wraps && <p className="ui-quiet">{words.firstSection(site.title)}</p>}
      <SpaceProblem error={error} />
    </FormDialog>
  )
}

export function AddGroup({ open, onClose, ids, nodes }: AboutSite) {
  const [title, setTitle] = useState('')
  const [icon, setIcon] = useState<string | null>(null)
  const [inside, setInside] = useState<ReadonlySet<string>>(new Set())
  const free = nodes.flatMap(({ part }) => (part.object === 'site-section' ? [part] : []))
  const {
    mutate: send,
    isPending: busy,
    error,
  } = useFormAction(
    () => {
      const sections = free.filter(({ id }) => inside.has(id)).map(({ id }) => id)
      return call('addSectionGroupToSite', { ...ids, body: { title: title.trim(), icon, sections } })
    },
    {
      refreshes: staleStructure,
      onDone: (added) => {
        onClose()
        showDone(words.added(added.title))
      },
    },
  )
  const check = (id: string, isInside: boolean): void => {
    const next = new Set(inside)
    if (isInside) next.add(id)
    else next.delete(id)
    setInside(next)
  }
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={words.addGroup}
      action={words.add}
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
      {free.length > 0 && (
        <fieldset className="ui-fieldset">
          <legend>{words.sectionsInside}</legend>
          {free.map(({ id, title: name }) => (
            <Check
              key={id}
              label={name}
              checked={inside.has(id)}
              onChange={({ target }) => check(id, target.checked)}
            />
          ))}
        </fieldset>
      )}
      <FormProblem error={error} words={{ conflict: words.tooMany }} />
    </FormDialog>
  )
}
