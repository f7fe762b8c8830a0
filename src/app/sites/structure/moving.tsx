/** Moving a part to somewhere far, and taking one off the site. */
import { useState } from 'react'
import { FormDialog } from '../../kit/dialog.tsx'
import { Select } from '../../kit/field.tsx'
import { FormProblem } from '../../kit/forms/problem.tsx'
import { showDone } from '../../kit/toast.tsx'
import { call } from '../../session/client.ts'
import { useFormAction } from '../../session/form-action.ts'
import { structureTexts as words } from '../../texts/site-structure.ts'
import { trailOf } from '../../tree/rows.ts'
import {
  groupsOf,
  mayStandIn,
  type Node,
  pathOf,
  type Section,
  type SiteSpace,
  sectionsOf,
  targetOf,
} from './arrange.ts'
import type { AboutSite } from './asked.tsx'
import { move, staleStructure } from './moves.ts'

/** A space to another section, a section to another group or out of its own. It comes last there. */
export function MoveTo({ open, onClose, ids, nodes, node }: AboutSite & { node: Node }) {
  const { part } = node
  const here = targetOf(nodes, node.id).into ?? ''
  const fit = (part.object === 'site-section' ? groupsOf(nodes) : sectionsOf(nodes)).filter(
    ({ id }) => id !== here && mayStandIn(part, trailOf(nodes, id).at(-1) ?? null),
  )
  const options = [
    ...(part.object === 'site-section' && here !== '' ? [{ value: '', label: words.topLevel }] : []),
    ...fit.map(({ id, title }) => ({ value: id, label: title })),
  ]
  const [chosen, choose] = useState(options[0]?.value)
  const go = (): void => {
    if (chosen === undefined) return
    const above = chosen === '' ? undefined : trailOf(nodes, chosen).at(-1)
    const siblings = above ? above.pages : nodes
    move(ids, nodes, node, { into: above?.id ?? null, at: siblings.length })
    onClose()
  }
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={words.moveTitle(node.title)}
      action={words.move}
      disabled={chosen === undefined}
      onSubmit={go}
    >
      <Select
        label={words.destination}
        value={chosen ?? ''}
        onChange={({ target }) => choose(target.value)}
        options={options}
      />
    </FormDialog>
  )
}

/** There is no way back: another place for the space is another thing, with a look and redirects of its own. */
export function TakeOff({
  open,
  onClose,
  ids,
  nodes,
  node,
  part,
}: AboutSite & { node: Node; part: Section | SiteSpace }) {
  const {
    mutate: send,
    isPending: busy,
    error,
  } = useFormAction(
    () =>
      part.object === 'site-section'
        ? call('deleteSiteSectionById', { ...ids, siteSectionId: part.id })
        : call('deleteSiteSpaceById', { ...ids, siteSpaceId: part.id }),
    {
      refreshes: staleStructure,
      onDone: () => {
        onClose()
        showDone(words.removed(node.title))
      },
    },
  )
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={words.removeTitle(node.title)}
      action={words.removeAction}
      busy={busy}
      onSubmit={() => send(undefined)}
    >
      <p>{lossOf(nodes, node, part)}</p>
      <FormProblem error={error} words={{ conflict: words.conditionsUnfit }} />
    </FormDialog>
  )
}

function lossOf(nodes: readonly Node[], { pages }: Node, part: Section | SiteSpace): string {
  const path = pathOf(nodes, part) ?? ''
  if (part.object === 'site-space') return words.removeSpace(path)
  if (sectionsOf(nodes).length === 1) return words.removeLast
  return pages.length === 0 ? words.removeEmpty : words.removeSection(pages.length, path)
}
