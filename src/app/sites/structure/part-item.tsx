/** One part of a site with those in it: what it is called, where it is read, and what can be done with it. */
import {
  ArrowDown,
  ArrowUp,
  BookOpen,
  CornerDownRight,
  Folder,
  GripVertical,
  MoreHorizontal,
  PanelTop,
  Pencil,
  Plus,
  Star,
  Trash2,
  Ungroup,
} from 'lucide-react'
import { type KeyboardEvent, useRef } from 'react'
import { paths } from '../../frame/paths.ts'
import { keyLabel } from '../../kit/button.tsx'
import { Menu, type MenuEntry } from '../../kit/menu.tsx'
import { NamedIcon } from '../../kit/named-icons.tsx'
import { structureTexts as words } from '../../texts/site-structure.ts'
import { emojiOf } from '../../tree/page-icon.tsx'
import type { Target } from '../../tree/rows.ts'
import type { SiteIds } from '../row.tsx'
import { groupsOf, type Node, nameOf, type Part, pathOf, sectionsOf, siblingsOf } from './arrange.ts'
import type { Ask } from './asked.tsx'
import { dissolve, makeDefault } from './deeds.ts'
import { useDrag } from './use-drag.ts'

type Direction = 'up' | 'down' | 'in' | 'out'

interface PartItemProps {
  node: Node
  nodes: readonly Node[]
  ids: SiteIds
  ask: Ask
  moveTo: (node: Node, target: Target) => void
  step: (node: Node, direction: Direction) => void
  canStep: (node: Node, direction: 'up' | 'down') => boolean
}

const directions: Readonly<Record<string, Direction>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowRight: 'in',
  ArrowLeft: 'out',
}

export function PartItem(props: PartItemProps) {
  const { node, nodes, ask, moveTo, step } = props
  const { part } = node
  const item = useRef<HTMLLIElement>(null)
  const handle = useRef<HTMLDivElement>(null)
  const over = useDrag(item, handle, { node, nodes, onDrop: moveTo })
  const path = pathOf(nodes, part)
  const published = part.object === 'site-section-group' ? undefined : part.urls.published
  const onKeyDown = (event: KeyboardEvent): void => {
    const direction = Object.hasOwn(directions, event.key) ? directions[event.key] : undefined
    if (!event.altKey || !direction) return
    event.preventDefault()
    step(node, direction)
  }
  return (
    <li ref={item} data-part={part.id} data-kind={part.object} data-over={over}>
      <div className="ui-part" ref={handle}>
        <GripVertical className="grip" size={14} strokeWidth={1.75} aria-hidden="true" />
        <PartIcon part={part} />
        <button
          type="button"
          className="title"
          aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
          onClick={() => ask({ kind: 'settings', node })}
          onKeyDown={onKeyDown}
        >
          <span>{nameOf(part)}</span>
          {notesOn(node, nodes).map((note) => (
            <small key={note}>{note}</small>
          ))}
        </button>
        {published === undefined ? (
          <span className="path">{path}</span>
        ) : (
          <a className="path" href={published} target="_blank" rel="noreferrer">
            {path}
          </a>
        )}
        <Menu
          label={words.actions(node.title)}
          entries={() => entriesFor(props)}
          button={
            <button type="button" className="ui-icon-button">
              <MoreHorizontal size={16} strokeWidth={1.75} aria-hidden="true" />
            </button>
          }
        />
      </div>
      {node.pages.length > 0 && (
        <ul>
          {node.pages.map((below) => (
            <PartItem key={below.id} {...props} node={below} />
          ))}
        </ul>
      )}
    </li>
  )
}

function PartIcon({ part }: { part: Part }) {
  if (part.object === 'site-space') {
    const { emoji } = part.space
    if (emoji)
      return (
        <span className="ui-mark emoji" aria-hidden="true">
          {emojiOf(emoji)}
        </span>
      )
    return <BookOpen className="ui-mark" size={16} strokeWidth={1.75} aria-hidden="true" />
  }
  if (part.icon) return <NamedIcon name={part.icon} />
  const Icon = part.object === 'site-section' ? PanelTop : Folder
  return <Icon className="ui-mark" size={16} strokeWidth={1.75} aria-hidden="true" />
}

function notesOn({ id, part, pages }: Node, nodes: readonly Node[]): string[] {
  if (part.object === 'site-section-group') return pages.length === 0 ? [words.empty] : []
  const isAlone = part.object === 'site-section' ? sectionsOf(nodes).length === 1 : siblingsOf(nodes, id).length === 1
  return [
    ...(part.object === 'site-space' && part.space.language ? [part.space.language] : []),
    ...(part.default && !isAlone ? [words.opensFirst] : []),
    ...(part.condition === undefined ? [] : [words.forSome]),
    ...(part.object === 'site-section' && pages.length === 0 ? [words.empty] : []),
  ]
}

function entriesFor({ node, nodes, ids, ask, step, canStep }: PartItemProps): MenuEntry[] {
  const { part } = node
  const isGroup = part.object === 'site-section-group'
  const isSection = part.object === 'site-section'
  const others = isSection ? groupsOf(nodes) : sectionsOf(nodes).filter(({ id }) => isSpaceIn(part) !== id)
  const entries: (MenuEntry | false)[] = [
    { label: words.settings, icon: Pencil, run: () => ask({ kind: 'settings', node }) },
    part.object === 'site-space' &&
      part.space.permissions.view && { label: words.openSpace, icon: BookOpen, href: paths.space(part.space.id) },
    isSection && { label: words.addVariant, icon: Plus, run: () => ask({ kind: 'space', section: part }) },
    !isGroup && {
      label: words.makeDefault,
      icon: Star,
      disabled: part.default,
      run: () => void makeDefault(ids, nodes, part),
    },
    {
      label: words.moveUp,
      icon: ArrowUp,
      shortcut: keyLabel('Alt-↑'),
      apart: true,
      disabled: !canStep(node, 'up'),
      run: () => step(node, 'up'),
    },
    {
      label: words.moveDown,
      icon: ArrowDown,
      shortcut: keyLabel('Alt-↓'),
      disabled: !canStep(node, 'down'),
      run: () => step(node, 'down'),
    },
    !isGroup &&
      others.length > 0 && { label: words.moveTo, icon: CornerDownRight, run: () => ask({ kind: 'move', node }) },
    isGroup
      ? { label: words.dissolve, icon: Ungroup, apart: true, run: () => void dissolve(ids, nodes, part) }
      : { label: words.remove, icon: Trash2, danger: true, apart: true, run: () => ask({ kind: 'remove', node }) },
  ]
  return entries.filter((entry) => entry !== false)
}

const isSpaceIn = (part: Part): string | undefined => (part.object === 'site-space' ? part.section : undefined)
