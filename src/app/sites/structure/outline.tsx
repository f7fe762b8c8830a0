/** The parts of a site as nested lists. Each is opened by its name, moved by mouse, keys or its menu. */
import { useEffect, useRef, useState } from 'react'
import { structureTexts } from '../../texts/site-structure.ts'
import { type Target, trailOf } from '../../tree/rows.ts'
import type { SiteIds } from '../row.tsx'
import { type Node, stepTo } from './arrange.ts'
import type { Ask } from './asked.tsx'
import { move } from './moves.ts'
import { PartItem } from './part-item.tsx'

export interface OutlineProps {
  nodes: readonly Node[]
  ids: SiteIds
  ask: Ask
}

export function Outline({ nodes, ids, ask }: OutlineProps) {
  const list = useRef<HTMLUListElement>(null)
  const [announcement, setAnnouncement] = useState('')
  const moved = useRef<string | undefined>(undefined)

  // What is moved becomes another element where it changes its list, and the focus would be lost with the one before.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the parts are others.
  useEffect(() => {
    if (moved.current === undefined) return
    list.current?.querySelector<HTMLElement>(`[data-part="${moved.current}"] .title`)?.focus()
    moved.current = undefined
  }, [nodes])

  const moveTo = (node: Node, target: Target): void => {
    if (!move(ids, nodes, node, target)) return
    moved.current = node.id
    const above = target.into === null ? undefined : trailOf(nodes, target.into).at(-1)
    const siblings = above ? above.pages : nodes
    const count = siblings.length + (siblings.some(({ id }) => id === node.id) ? 0 : 1)
    setAnnouncement(structureTexts.movedLive(node.title, target.at + 1, count))
  }
  const step = (node: Node, direction: 'up' | 'down' | 'in' | 'out'): void => {
    const target = stepTo(nodes, node, direction)
    if (target) moveTo(node, target)
  }
  const canStep = (node: Node, direction: 'up' | 'down'): boolean => stepTo(nodes, node, direction) !== undefined

  return (
    <>
      <ul className="ui-parts" aria-label={structureTexts.list} ref={list}>
        {nodes.map((node) => (
          <PartItem
            key={node.id}
            node={node}
            nodes={nodes}
            ids={ids}
            ask={ask}
            moveTo={moveTo}
            step={step}
            canStep={canStep}
          />
        ))}
      </ul>
      <p className="sr" aria-live="polite">
        {announcement}
      </p>
    </>
  )
}
