/**
 * The page tree. Only the rows in view are drawn; the tree itself keeps the focus and says which row is the active one,
 * so that scrolling never loses it.
 */
import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import { isMac } from '../kit/button.tsx'
import type { PageNode } from '../pages/content-target.ts'
import { stored } from '../session/stored.ts'
import { t } from '../texts/index.ts'
import { type Row, rowsOf, stepOf, type Target, trailOf } from './rows.ts'
import { TreeRow } from './tree-row.tsx'
import { observeSize, scrollUnlessAtTop } from './without-layout.ts'

const rowHeight = matchMedia('(pointer: coarse)').matches ? 44 : 30

const rowsSurelySeen = 4

export interface TreeProps {
  /** Which pages are open is remembered for each. */
  space: string
  pages: readonly PageNode[]
  current: string | undefined
  canEdit: boolean
  /** What differs from the space, by page. */
  badges?: ReadonlyMap<string, 'added' | 'changed'> | undefined
  /** Whether all are open, because the pages are those a filter found. */
  allOpen?: boolean
  onOpen: (page: PageNode) => void
  onMove: (page: PageNode, target: Target) => void
  onRename: (page: PageNode, title: string) => void
  onDelete: (page: PageNode) => void
  menuFor: (row: Row<PageNode>, startRename: () => void) => readonly import('../kit/menu.tsx').MenuEntry[]
}

export function Tree(props: TreeProps) {
  const { space, pages, current, canEdit, allOpen = false } = props
  const [open, setOpen] = useOpenPages(space)
  const [active, setActive] = useState<string | undefined>(current)
  const [renaming, setRenaming] = useState<string | undefined>()
  const [announcement, setAnnouncement] = useState('')
  const scroller = useRef<HTMLDivElement>(null)
  const typed = useRef({ text: '', at: 0 })

  useEffect(() => {
    if (current !== undefined) setActive(current)
  }, [current])
  const above = useMemo(() => {
    const trail = current === undefined ? [] : trailOf(pages, current)
    return trail
      .slice(0, -1)
      .map(({ id }) => id)
      .join(' ')
  }, [pages, current])
  // biome-ignore lint/correctness/useExhaustiveDependencies: what stands above the shown page is opened when that is elsewhere, not when someone closes it again or another page changes.
  useEffect(() => {
    const ids = above.split(' ').filter(Boolean)
    if (ids.some((id) => !open.has(id))) setOpen(new Set([...open, ...ids]))
  }, [current, above])

  const rows = useMemo(() => rowsOf(pages, (id) => allOpen || open.has(id)), [pages, open, allOpen])
  const activeIndex = Math.max(
    0,
    rows.findIndex(({ page }) => page.id === active),
  )
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    initialRect: { width: 264, height: 800 },
    observeElementRect: observeSize,
    scrollToFn: scrollUnlessAtTop,
  })

  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new active row scrolls.
  useEffect(() => {
    // At the top nothing needs to be measured to know that it is in view.
    const isAtTop = virtual.scrollOffset === 0 && activeIndex < rowsSurelySeen
    if (rows[activeIndex] && !isAtTop) virtual.scrollToIndex(activeIndex, { align: 'auto' })
  }, [activeIndex, rows.length])

  const setPageOpen = (id: string, isOpen: boolean): void => {
    const next = new Set(open)
    if (isOpen) next.add(id)
    else next.delete(id)
    setOpen(next)
  }

  const step = (row: Row<PageNode>, direction: 'up' | 'down' | 'in' | 'out'): void => {
    const target = stepOf(pages, row.page.id, direction)
    if (!target) return
    if (target.into) setPageOpen(target.into, true)
    props.onMove(row.page, target)
    setAnnouncement(t.tree.movedLive(row.page.title, target.at + 1, Math.max(row.siblings, target.at + 1)))
  }

  const onKeyDown = (event: KeyboardEvent): void => {
    const row = rows[activeIndex]
    // The menu of a row is no part of the tree, but React brings its keys here, too.
    const isInTree = event.target instanceof Node && event.currentTarget.contains(event.target)
    if (!row || renaming || !isInTree) return
    const { page } = row
    const go = (index: number): void => {
      const next = rows[Math.min(rows.length - 1, Math.max(0, index))]
      if (next) setActive(next.page.id)
    }
    const moves = { ArrowUp: 'up', ArrowDown: 'down', ArrowLeft: 'out', ArrowRight: 'in' } as const
    const direction = Object.hasOwn(moves, event.key) ? moves[event.key as keyof typeof moves] : undefined
    if (event.altKey && direction) {
      if (canEdit) step(row, direction)
    } else if (event.key === 'ArrowDown') go(activeIndex + 1)
    else if (event.key === 'ArrowUp') go(activeIndex - 1)
    else if (event.key === 'Home') go(0)
    else if (event.key === 'End') go(rows.length - 1)
    else if (event.key === 'ArrowRight') {
      if (row.hasPages && !row.isOpen) setPageOpen(page.id, true)
      else if (row.isOpen) go(activeIndex + 1)
    } else if (event.key === 'ArrowLeft') {
      if (row.isOpen && !allOpen) setPageOpen(page.id, false)
      else if (row.parent) setActive(row.parent.id)
    } else if (event.key === 'Enter' || event.key === ' ') props.onOpen(page)
    else if (event.key === 'F2' && canEdit) setRenaming(page.id)
    else if ((event.key === 'Delete' || (isMac && event.key === 'Backspace' && event.metaKey)) && canEdit)
      props.onDelete(page)
    else if (event.key === 'ContextMenu' || (event.shiftKey && event.key === 'F10')) {
      scroller.current?.querySelector<HTMLElement>(`[data-page="${page.id}"] .ui-tree-more`)?.click()
    } else {
      const isLetter = /^[\p{L}\p{N}]$/u.test(event.key) && !event.ctrlKey && !event.metaKey && !event.altKey
      if (!isLetter || !typeAhead(event.key)) return
    }
    event.preventDefault()
  }

  /** False when no page begins with this letter: then it is free to be a key of the app. */
  const typeAhead = (letter: string): boolean => {
    const now = Date.now()
    typed.current = { text: now - typed.current.at > 700 ? letter : typed.current.text + letter, at: now }
    const wanted = typed.current.text.toLocaleLowerCase()
    const from = typed.current.text.length === 1 ? activeIndex + 1 : activeIndex
    const found = [...rows.slice(from), ...rows.slice(0, from)].find(({ page }) =>
      page.title.toLocaleLowerCase().startsWith(wanted),
    )
    if (found) setActive(found.page.id)
    const isFree = !found && wanted.length === 1
    if (isFree) typed.current.at = 0
    return !isFree
  }

  const activeRow = rows[activeIndex]
  return (
    <>
      <div
        ref={scroller}
        className="ui-tree"
        role="tree"
        aria-label={t.tree.label}
        aria-activedescendant={activeRow ? `page-${activeRow.page.id}` : undefined}
        tabIndex={0}
        onKeyDown={onKeyDown}
      >
        <div className="ui-tree-rows" role="presentation" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start }) => {
            const row = rows[index]
            if (!row) return null
            return (
              <TreeRow
                key={row.page.id}
                row={row}
                top={start}
                height={rowHeight}
                isActive={index === activeIndex}
                isCurrent={row.page.id === current}
                isRenaming={row.page.id === renaming}
                badge={props.badges?.get(row.page.id)}
                canEdit={canEdit}
                pages={pages}
                menu={() => props.menuFor(row, () => setRenaming(row.page.id))}
                onToggle={() => setPageOpen(row.page.id, !row.isOpen)}
                onOpen={() => props.onOpen(row.page)}
                onRenamed={(title) => {
                  setRenaming(undefined)
                  if (title !== undefined) props.onRename(row.page, title)
                  scroller.current?.focus()
                }}
                onDrop={props.onMove}
              />
            )
          })}
        </div>
      </div>
      <div className="sr" aria-live="polite">
        {announcement}
      </div>
    </>
  )
}

/** Which pages are open, remembered on this device. */
function useOpenPages(space: string): [ReadonlySet<string>, (open: ReadonlySet<string>) => void] {
  const key = `lectern-open-${space}`
  const [open, setOpen] = useState<ReadonlySet<string>>(
    () => new Set((stored.get(key) ?? '').split(' ').filter(Boolean)),
  )
  const set = (next: ReadonlySet<string>): void => {
    setOpen(next)
    stored.set(key, [...next].slice(-500).join(' '))
  }
  return [open, set]
}
