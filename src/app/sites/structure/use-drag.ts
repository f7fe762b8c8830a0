/** Dragging parts of a site to where they may go. The innermost part below the pointer that takes what is dragged shows where. */
import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import {
  attachInstruction,
  extractInstruction,
  type Instruction,
} from '@atlaskit/pragmatic-drag-and-drop-hitbox/list-item'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { dropOf, type Target, trailOf } from '../../tree/rows.ts'
import { mayStandIn, type Node } from './arrange.ts'

type Operation = Instruction['operation']

interface DragOptions {
  node: Node
  nodes: readonly Node[]
  onDrop: (node: Node, target: Target) => void
}

const sides = { 'reorder-before': 'before', 'reorder-after': 'after', combine: 'inside' } as const

/** Where something dragged would go, while it is above. */
export function useDrag(
  item: RefObject<HTMLElement | null>,
  handle: RefObject<HTMLElement | null>,
  options: DragOptions,
): Operation | undefined {
  const latest = useRef(options)
  latest.current = options
  const [over, setOver] = useState<Operation | undefined>()
  useEffect(() => {
    const [element, dragHandle] = [item.current, handle.current]
    if (!element || !dragHandle) return
    const own = (): Node => latest.current.node
    const dragged = (id: unknown): Node | undefined => trailOf(latest.current.nodes, String(id)).at(-1)
    const stopDrag = draggable({ element, dragHandle, getInitialData: () => ({ sitePart: own().id }) })
    const stopDrop = dropTargetForElements({
      element,
      canDrop: ({ source }) => {
        const node = dragged(source.data.sitePart)
        return node !== undefined && canTake(latest.current, node)
      },
      getData: ({ input, source, element: target }) => {
        const node = dragged(source.data.sitePart)
        const may = (isAllowed: boolean) => (isAllowed ? ('available' as const) : ('not-available' as const))
        const isBeside = node !== undefined && mayStandIn(node.part, aboveOf(latest.current))
        const operations = {
          'reorder-before': may(isBeside),
          'reorder-after': may(isBeside),
          combine: may(node !== undefined && mayStandIn(node.part, own())),
        }
        return attachInstruction({ sitePart: own().id }, { input, element: target, operations })
      },
      onDrag: ({ self, location }) => {
        const isInnermost = location.current.dropTargets[0]?.element === self.element
        const instruction = extractInstruction(self.data)
        setOver(isInnermost && !instruction?.blocked ? instruction?.operation : undefined)
      },
      onDragLeave: () => setOver(undefined),
      onDrop: ({ self, source, location }) => {
        setOver(undefined)
        const instruction = extractInstruction(self.data)
        const node = dragged(source.data.sitePart)
        if (location.current.dropTargets[0]?.element !== self.element || !instruction || instruction.blocked || !node)
          return
        const { nodes, onDrop } = latest.current
        const target = dropOf(nodes, { dragged: node.id, onto: own().id, side: sides[instruction.operation] })
        if (target) onDrop(node, target)
      },
    })
    return () => {
      stopDrag()
      stopDrop()
    }
  }, [item, handle])
  return over
}

const aboveOf = ({ nodes, node }: DragOptions): Node | null => trailOf(nodes, node.id).at(-2) ?? null

function canTake(options: DragOptions, dragged: Node): boolean {
  const { node, nodes } = options
  if (trailOf(nodes, node.id).some(({ id }) => id === dragged.id)) return false
  return mayStandIn(dragged.part, node) || mayStandIn(dragged.part, aboveOf(options))
}
