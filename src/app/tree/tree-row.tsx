/** One row of the page tree: opened by click, renamed in place, dragged by mouse, everything else behind its menu. */
import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import {
  attachInstruction,
  extractInstruction,
  type Instruction,
} from '@atlaskit/pragmatic-drag-and-drop-hitbox/list-item'
import { ChevronRight, EyeOff, MoreHorizontal } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Menu, type MenuEntry } from '../kit/menu.tsx'
import type { PageNode } from '../pages/content-target.ts'
import { t } from '../texts/index.ts'
import { PageIcon } from './page-icon.tsx'
import { canHold, dropOf, type Row, type Target, trailOf } from './rows.ts'

interface TreeRowProps {
  row: Row<PageNode>
  top: number
  height: number
  isActive: boolean
  isCurrent: boolean
  isRenaming: boolean
  badge: 'added' | 'changed' | undefined
  canEdit: boolean
  pages: readonly PageNode[]
  menu: () => readonly MenuEntry[]
  onToggle: () => void
  onOpen: () => void
  /** Undefined when it was given up. */
  onRenamed: (title: string | undefined) => void
  onDrop: (page: PageNode, target: Target) => void
}

const sides = { 'reorder-before': 'before', 'reorder-after': 'after', combine: 'inside' } as const

export function TreeRow(props: TreeRowProps) {
  const { row, isActive, isCurrent, isRenaming, badge, canEdit } = props
  const { page, depth, hasPages, isOpen } = row
  const element = useRef<HTMLDivElement>(null)
  const latest = useRef(props)
  latest.current = props
  const [over, setOver] = useState<Instruction['operation'] | undefined>()

  useEffect(() => {
    const node = element.current
    if (!node || !canEdit) return
    const stopDrag = draggable({ element: node, getInitialData: () => ({ page: latest.current.row.page.id }) })
    const stopDrop = dropTargetForElements({
      element: node,
      canDrop: ({ source }) => typeof source.data.page === 'string' && source.data.page !== latest.current.row.page.id,
      getData: ({ input, element: target }) =>
        attachInstruction(
          { page: latest.current.row.page.id },
          {
            input,
            element: target,
            operations: {
              'reorder-before': 'available',
              'reorder-after': latest.current.row.isOpen ? 'not-available' : 'available',
              combine: canHold(latest.current.row.page) ? 'available' : 'not-available',
            },
          },
        ),
      onDrag: ({ self }) => setOver(extractInstruction(self.data)?.operation),
      onDragLeave: () => setOver(undefined),
      onDrop: ({ self, source }) => {
        setOver(undefined)
        const operation = extractInstruction(self.data)?.operation
        const { pages, row: now, onDrop } = latest.current
        const dragged = trailOf(pages, String(source.data.page)).at(-1)
        if (!operation || !dragged) return
        const target = dropOf(pages, { dragged: dragged.id, onto: now.page.id, side: sides[operation] })
        if (target) onDrop(dragged, target)
      },
    })
    return () => {
      stopDrag()
      stopDrop()
    }
  }, [canEdit])

  const details = [
    page.type !== 'document' && kindOf(page),
    page.hidden && t.tree.hidden,
    badge && t.tree[badge],
  ].filter(Boolean)
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the tree keeps the focus and names its active row.
    <div
      ref={element}
      id={`page-${page.id}`}
      data-page={page.id}
      className="ui-tree-row"
      role="treeitem"
      aria-level={depth + 1}
      aria-setsize={row.siblings}
      aria-posinset={row.index + 1}
      aria-expanded={hasPages ? isOpen : undefined}
      aria-selected={isCurrent}
      aria-label={[page.title || t.common.untitled, ...details].join(', ')}
      data-active={isActive || undefined}
      data-over={over}
      data-type={page.type}
      style={{ transform: `translateY(${props.top}px)`, height: props.height, paddingInlineStart: 4 + depth * 14 }}
      onClick={props.onOpen}
      onKeyDown={undefined}
    >
      {hasPages ? (
        <button
          type="button"
          className="ui-tree-toggle"
          tabIndex={-1}
          aria-hidden="true"
          onClick={(event) => {
            event.stopPropagation()
            props.onToggle()
          }}
        >
          <ChevronRight size={14} strokeWidth={2} data-open={isOpen || undefined} />
        </button>
      ) : (
        <span className="ui-tree-toggle" aria-hidden="true" />
      )}
      <PageIcon page={page} />
      {isRenaming ? (
        <RenameField title={page.title} onDone={props.onRenamed} />
      ) : (
        <span className="ui-tree-title">{page.title || t.common.untitled}</span>
      )}
      {page.hidden && <EyeOff size={13} strokeWidth={1.75} aria-hidden="true" />}
      {badge && <span className="ui-tree-badge" data-kind={badge} title={t.tree[badge]} aria-hidden="true" />}
      {canEdit && !isRenaming && (
        // biome-ignore lint/a11y/noStaticElementInteractions: keeps a click on the menu from opening the page.
        // biome-ignore lint/a11y/useKeyWithClickEvents: the tree has the keys.
        <span className="ui-tree-tools" onClick={(event) => event.stopPropagation()}>
          <Menu
            label={t.tree.actions(page.title)}
            placement="bottom-start"
            entries={props.menu}
            button={
              <button type="button" className="ui-tree-more" tabIndex={-1}>
                <MoreHorizontal size={15} strokeWidth={1.75} aria-hidden="true" />
              </button>
            }
          />
        </span>
      )}
    </div>
  )
}

const kindOf = (page: PageNode): string =>
  page.type === 'group' ? t.tree.group : page.type === 'link' ? t.tree.link : ''

function RenameField({ title, onDone }: { title: string; onDone: (title: string | undefined) => void }) {
  const field = useRef<HTMLInputElement>(null)
  const isDone = useRef(false)
  useEffect(() => field.current?.select(), [])
  const finish = (value: string | undefined): void => {
    if (isDone.current) return
    isDone.current = true
    onDone(value?.trim())
  }
  return (
    <input
      ref={field}
      className="ui-tree-rename"
      aria-label={t.tree.renaming}
      defaultValue={title}
      maxLength={500}
      onClick={(event) => event.stopPropagation()}
      onBlur={({ target }) => finish(target.value)}
      onKeyDown={(event) => {
        event.stopPropagation()
        if (event.key === 'Enter') finish(event.currentTarget.value)
        if (event.key === 'Escape') finish(undefined)
      }}
    />
  )
}
