/** The text of a page: to read at once, to write as soon as the editor is there. */
import { type Ref, useImperativeHandle, useRef } from 'react'
import { useSearch } from 'wouter'
import { Blocks, nodesOf } from '../document/blocks.tsx'
import type { Heading, PageEditorHandle } from '../editor/index.ts'
import { client } from '../session/client.ts'
import { useSession } from '../session/session.tsx'
import { useSpace } from '../spaces/space-context.tsx'
import { t } from '../texts/index.ts'
import type { Page } from './content-target.ts'
import { PageEditor } from './editor-part.ts'
import type { SaveStatus } from './save-state.ts'

export interface BodyHandle {
  focus: () => void
  /** Only where the page is written: find and replace, its Markdown, its versions. */
  find: () => void
  source: () => void
  versions: () => void
}

interface PageBodyProps {
  page: Page
  /** Whether the page was read just now, so that writing can begin from it. */
  isFresh: boolean
  readOnly: boolean
  onStatus: (status: SaveStatus) => void
  onOutline: (headings: Heading[]) => void
  onComment?: ((block: string) => void) | undefined
  ref: Ref<BodyHandle>
}

export function PageBody({ page, isFresh, readOnly, onStatus, onOutline, onComment, ref }: PageBodyProps) {
  const { content } = useSpace()
  const { user, organization } = useSession()
  const block = new URLSearchParams(useSearch()).get('block') ?? undefined
  const text = useRef<HTMLElement>(null)
  const editor = useRef<PageEditorHandle>(null)
  useImperativeHandle(
    ref,
    () => ({
      focus: () => (editor.current ?? text.current)?.focus(),
      find: () => editor.current?.find(),
      source: () => editor.current?.source(),
      versions: () => editor.current?.history(),
    }),
    [],
  )
  const { revision, document } = page
  const opened = isFresh && revision !== undefined ? { revision, document } : undefined
  const read = (
    <article className="doc" dir="auto" ref={text} tabIndex={-1} aria-label={t.page.contentLabel}>
      <Blocks nodes={nodesOf(page.document?.nodes)} />
    </article>
  )
  if (readOnly) return read
  return (
    <PageEditor
      waiting={read}
      ref={editor}
      client={client}
      space={content.space}
      {...(content.changeRequest === undefined ? {} : { changeRequest: content.changeRequest })}
      page={page.id}
      block={block}
      {...(organization === undefined ? {} : { organization: organization.id })}
      user={user}
      onStatus={onStatus}
      onOutline={onOutline}
      onComment={onComment}
      opened={opened}
      fallback={read}
    />
  )
}
