/** Choosing a space of the organization, and the icon of a section. */
import { useQuery } from '@tanstack/react-query'
import { PanelTop } from 'lucide-react'
import { Select } from '../../kit/field.tsx'
import { FormProblem } from '../../kit/forms/problem.tsx'
import { NamedIcon } from '../../kit/named-icons.tsx'
import { IconPicker } from '../../pages/icon-picker.tsx'
import { call, type Output } from '../../session/client.ts'
import { structureTexts as words } from '../../texts/site-structure.ts'
import type { Node } from './arrange.ts'

type Space = Output<'getSpaceById'>

const mostCalls = 10

/** All spaces that the caller may put on a site, as far as their permissions tell; asked for a thousand at a time. */
export const useSpaces = (organizationId: string) =>
  useQuery({
    queryKey: ['listSpacesInOrganizationById', { organizationId, all: true }],
    queryFn: async ({ signal }) => {
      const spaces: Space[] = []
      let page: string | undefined
      for (let calls = 0; calls < mostCalls; calls++) {
        const query = { limit: 1000, ...(page === undefined ? {} : { page }) }
        const { items, next } = await call('listSpacesInOrganizationById', { organizationId, query, signal })
        spaces.push(...items)
        page = next?.page
        if (page === undefined) break
      }
      return spaces.filter(({ permissions }) => permissions.merge).sort((a, b) => a.title.localeCompare(b.title))
    },
  })

/** Why a space is not shown. */
export const SpaceProblem = ({ error }: { error: unknown }) => (
  <FormProblem error={error} words={{ forbidden: words.notYours, conflict: words.tooMany }} />
)

interface SpaceSelectProps {
  label: string
  hint?: string | undefined
  spaces: readonly Space[]
  nodes: readonly Node[]
  value: string
  onChoose: (space: string) => void
}

/** Those that are not on the site yet come first. */
export function SpaceSelect({ label, hint, spaces, nodes, value, onChoose }: SpaceSelectProps) {
  const here = spacesOn(nodes)
  const options = [
    ...spaces.filter(({ id }) => !here.has(id)).map(({ id, title }) => ({ value: id, label: title })),
    ...spaces.filter(({ id }) => here.has(id)).map(({ id, title }) => ({ value: id, label: words.alreadyHere(title) })),
  ]
  return (
    <Select
      label={label}
      hint={hint}
      value={value}
      onChange={({ target }) => onChoose(target.value)}
      options={options}
    />
  )
}

const spacesOn = (nodes: readonly Node[]): Set<string> =>
  new Set(
    nodes.flatMap(function idsIn({ part, pages }: Node): string[] {
      return part.object === 'site-space' ? [part.space.id] : pages.flatMap(idsIn)
    }),
  )

/** The first that is not on the site yet, else the first. */
export const firstToShow = (spaces: readonly Space[], nodes: readonly Node[]): string => {
  const here = spacesOn(nodes)
  return (spaces.find(({ id }) => !here.has(id)) ?? spaces[0])?.id ?? ''
}

export function IconChoice({ icon, onChoose }: { icon: string | null; onChoose: (icon: string | null) => void }) {
  return (
    <IconPicker
      label={words.icon}
      canEdit
      only="icon"
      onChoose={(chosen) => onChoose(chosen && 'icon' in chosen ? chosen.icon : null)}
      button={
        <button type="button" className="ui-part-icon">
          {icon === null ? (
            <PanelTop size={20} strokeWidth={1.5} aria-hidden="true" />
          ) : (
            <NamedIcon name={icon} size={20} />
          )}
        </button>
      }
    />
  )
}
