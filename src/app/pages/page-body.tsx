/** The text of a page. */
import { type Ref, useImperativeHandle, useRef } from 'react'
import { Blocks, nodesOf } from '../document/blocks.tsx'
import { t } from '../texts/index.ts'
import type { Page } from './place.ts'
import type { SaveStatus } from './save-state.ts'

export interface BodyHandle {
  focus: () => void
}

interface PageBodyProps {
  page: Page
  readOnly: boolean
  onStatus: (status: SaveStatus) => void
  ref: Ref<BodyHandle>
}

export function PageBody({ page, ref }: PageBodyProps) {
  const text = useRef<HTMLElement>(null)
  useImperativeHandle(ref, () => ({ focus: () => text.current?.focus() }), [])
  return (
    <article className="doc" ref={text} tabIndex={-1} aria-label={t.page.contentLabel}>
      <Blocks nodes={nodesOf(page.document?.nodes)} />
    </article>
  )
}
