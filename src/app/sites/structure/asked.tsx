/** What can be asked about the parts of a site, each by a dialog. */
import type { Site, SiteIds } from '../row.tsx'
import { AddGroup, AddSection, AddSpace } from './adding.tsx'
import type { Node, Section } from './arrange.ts'
import { MoveTo, TakeOff } from './moving.tsx'
import { GroupSettings, SectionSettings, SpaceSettings } from './settings.tsx'

export type Asked =
  | { kind: 'space'; section?: Section }
  | { kind: 'section' }
  | { kind: 'group' }
  | { kind: 'settings' | 'move' | 'remove'; node: Node }

export type Ask = (asked: Asked) => void

/** What every dialog of this screen knows. */
export interface AboutSite {
  open: boolean
  onClose: () => void
  site: Site
  ids: SiteIds
  nodes: readonly Node[]
}

export function AskedDialog({ asked, ...about }: AboutSite & { asked: Asked }) {
  if (asked.kind === 'space') return <AddSpace {...about} section={asked.section} />
  if (asked.kind === 'section') return <AddSection {...about} />
  if (asked.kind === 'group') return <AddGroup {...about} />
  const { kind, node } = asked
  const { part } = node
  if (kind === 'move') return <MoveTo {...about} node={node} />
  if (part.object === 'site-section-group') return <GroupSettings {...about} group={part} />
  if (kind === 'remove') return <TakeOff {...about} node={node} part={part} />
  return part.object === 'site-section' ? (
    <SectionSettings {...about} section={part} />
  ) : (
    <SpaceSettings {...about} siteSpace={part} />
  )
}
