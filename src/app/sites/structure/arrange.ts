/**
 * The parts of a site as a tree (groups hold sections, sections hold spaces), and where each of them may go. Pure; the tree of
 * pages does the moving.
 */
import { addressFor } from '../../../core/site-structure.ts'
import type { Input, Output } from '../../session/client.ts'
import { movePage, stepOf, type Target, type TreePage, trailOf } from '../../tree/rows.ts'

export type Structure = Output<'getSiteStructure'>
export type SiteSpace = Extract<Structure, { type: 'siteSpaces' }>['structure'][number]
type Top = Extract<Structure, { type: 'sections' }>['structure'][number]
export type Section = Extract<Top, { object: 'site-section' }>
export type Group = Extract<Top, { object: 'site-section-group' }>
export type Part = SiteSpace | Section | Group

/** A part with those in it. */
export interface Node extends TreePage {
  part: Part
  pages: Node[]
}

export function nodesOf({ structure }: Structure): Node[] {
  return structure.map(nodeOf)
}

function nodeOf(part: Part): Node {
  const below = part.object === 'site-space' ? [] : part.object === 'site-section' ? part.siteSpaces : part.sections
  return { id: part.id, title: nameOf(part), type: part.object, part, pages: below.map(nodeOf) }
}

export const nameOf = (part: Part): string =>
  part.object === 'site-space' ? part.title || part.space.title : part.title

/** The tree as the API tells it: what it would answer after a move that it has not been told of yet. */
export function structureOf(nodes: readonly Node[], before: Structure): Structure {
  if (before.type === 'siteSpaces')
    return { type: 'siteSpaces', structure: nodes.flatMap(({ part }) => (part.object === 'site-space' ? [part] : [])) }
  return {
    type: 'sections',
    structure: nodes.flatMap((node): Top[] =>
      node.part.object === 'site-section-group' ? [groupOf(node, node.part)] : sectionOf(node),
    ),
  }
}

const groupOf = ({ pages }: Node, group: Group): Group => {
  const sections = pages.flatMap((node) => sectionOf(node, group.id))
  return { ...group, sections, children: sections }
}

function sectionOf({ part, pages }: Node, sectionGroup?: string): Section[] {
  if (part.object !== 'site-section') return []
  const { sectionGroup: _, ...section } = part
  const siteSpaces = pages.flatMap((node) => (node.part.object === 'site-space' ? [inSection(node.part, part.id)] : []))
  return [{ ...section, siteSpaces, ...(sectionGroup === undefined ? {} : { sectionGroup }) }]
}

/** What comes from another section is not the one that opens this. */
const inSection = (space: SiteSpace, section: string): SiteSpace =>
  space.section === section ? space : { ...space, section, default: false }

/** Whether a part may stand in another, or at the top where that is null. Nothing can be moved into an empty section. */
export function mayStandIn(part: Part, above: Node | null): boolean {
  if (part.object === 'site-space')
    return above === null ? part.section === undefined : above.type === 'site-section' && above.pages.length > 0
  if (part.object === 'site-section') return above === null || above.type === 'site-section-group'
  return above === null
}

/** One step by keyboard or menu; undefined where there is none. */
export function stepTo(
  nodes: readonly Node[],
  node: Node,
  direction: 'up' | 'down' | 'in' | 'out',
): Target | undefined {
  const target = stepOf(nodes, node.id, direction)
  if (!target) return undefined
  const above = target.into === null ? null : (trailOf(nodes, target.into).at(-1) ?? null)
  return mayStandIn(node.part, above) ? target : undefined
}

/** The call that brings a part there; undefined where the API has none. */
export function moveCall(
  nodes: readonly Node[],
  { part }: Node,
  { into, at }: Target,
): { sort: Input<'sortSiteStructure'>['body'] } | { intoGroup: string } | undefined {
  const above = into === null ? undefined : trailOf(nodes, into).at(-1)
  const others = (above ? above.pages : nodes).filter(({ id }) => id !== part.id)
  const item = { type: part.object, id: part.id }
  const [before, after] = [others[at], others[at - 1]]
  if (after) return { sort: { item, position: { after: { type: after.part.object, id: after.id } } } }
  if (before) return { sort: { item, position: { before: { type: before.part.object, id: before.id } } } }
  return above?.type === 'site-section-group' ? { intoGroup: above.id } : undefined
}

/** Those at the level of a part, with it. */
export const siblingsOf = (nodes: readonly Node[], id: string): readonly Node[] =>
  trailOf(nodes, id).at(-2)?.pages ?? nodes

/** Where a part stands now. */
export const targetOf = (nodes: readonly Node[], id: string): Target => ({
  into: trailOf(nodes, id).at(-2)?.id ?? null,
  at: siblingsOf(nodes, id).findIndex((node) => node.id === id),
})

/** The tree with a part somewhere else. */
export const withMoved = (nodes: readonly Node[], id: string, target: Target): Node[] => movePage(nodes, id, target)

export const sectionsOf = (nodes: readonly Node[]): Section[] =>
  nodes.flatMap(({ part, pages }) => (part.object === 'site-section' ? [part] : sectionsOf(pages)))

export const groupsOf = (nodes: readonly Node[]): Group[] =>
  nodes.flatMap(({ part }) => (part.object === 'site-section-group' ? [part] : []))

/** The path of a part below the address of the site. */
export function pathOf(nodes: readonly Node[], part: Part): string | undefined {
  if (part.object === 'site-section-group') return undefined
  if (part.object === 'site-section') return part.default ? '/' : `/${part.path}`
  const sections = sectionsOf(nodes)
  const section = sections.find(({ id }) => id === part.section)
  const isNamesake = sections.some(({ path }) => path === part.path)
  return `/${addressFor({
    space: { path: part.path, isDefault: part.default },
    section: section && { path: section.path, isDefault: section.default },
    isNamesake,
  })}`
}
