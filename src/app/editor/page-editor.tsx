/** The editor of a page as a component. It owns what is inside its element; React owns the element. */
import { type ReactNode, type Ref, useEffect, useImperativeHandle, useRef, useState } from 'react'
import type { Client } from '../../client/client.ts'
import type { SaveStatus } from '../saving/status.ts'
import { filesPath, sendFiles } from '../session/upload.ts'
import { editorDe } from '../texts/editor-de.ts'
import { editorEn } from '../texts/editor-en.ts'
import type { InsertKind } from './insert.ts'
import { type MountedEditor, mountEditor } from './mount.ts'
import type { Heading } from './outline.ts'

export interface PageEditorProps {
  client: Client
  space: string
  changeRequest?: string
  page: string
  /** The key of the block or link to begin at. */
  block?: string | undefined
  readOnly?: boolean
  /** For mentions of its members. */
  organization?: string
  user?: { id: string; displayName?: string }
  /** The language of the interface. */
  language?: string
  onStatus(status: SaveStatus): void
  onOutline?(headings: Heading[]): void
  /** Someone wants to say something about a block; without it nobody can. */
  onComment?: ((block: string) => void) | undefined
  /** What is shown until the page can be written in. */
  fallback?: ReactNode
  ref?: Ref<PageEditorHandle>
}

export interface PageEditorHandle {
  focus(): void
  /** Over when everything is on the device, and on the server if that can be reached. */
  flush(): Promise<void>
  insertBlock(kind: InsertKind): void
  find(): void
  source(): void
  history(): void
}

export function PageEditor(props: PageEditorProps) {
  const { client, space, changeRequest, page, readOnly = false, organization, language = 'en', fallback, ref } = props
  const element = useRef<HTMLDivElement>(null)
  const [isReady, setReady] = useState(false)
  const mounted = useRef<Promise<MountedEditor> | undefined>(undefined)
  // What is told goes to whoever listens now; it must not open the page anew.
  const listeners = useRef(props)
  listeners.current = props
  useEffect(() => {
    const root = element.current
    if (root === null) return
    const inner = document.createElement('div')
    inner.className = 'ed-root'
    root.append(inner)
    let isGone = false
    const server = `${location.origin}${document.documentElement.dataset.mount ?? ''}`
    const url = `${server}${filesPath(space, changeRequest)}`
    const open = (): Promise<MountedEditor> =>
      mountEditor(inner, {
        client,
        space,
        changeRequest,
        page,
        readOnly,
        organization,
        user: listeners.current.user,
        texts: language.startsWith('de') ? editorDe : editorEn,
        locale: language,
        server,
        upload: (file, onProgress) => sendFiles({ url, headers: { 'x-lectern-app': '1' }, files: [file], onProgress }),
        onStatus: (status) => listeners.current.onStatus(status),
        onOutline: (headings) => listeners.current.onOutline?.(headings),
        ...(listeners.current.onComment ? { onComment: (block) => listeners.current.onComment?.(block) } : {}),
      })
    const start = (): void => {
      const opening = open()
      mounted.current = opening
      opening.then(
        (editor) => (isGone ? editor.destroy() : setReady(true)),
        (problem: unknown) => {
          if (isGone) return
          const message = problem instanceof Error ? problem.message : String(problem)
          listeners.current.onStatus({ kind: 'error', message, edits: 0, retry: start })
        },
      )
    }
    start()
    return () => {
      isGone = true
      setReady(false)
      void mounted.current?.then(
        (editor) => editor.destroy(),
        () => undefined,
      )
      mounted.current = undefined
      inner.remove()
    }
  }, [client, space, changeRequest, page, readOnly, organization, language])
  const { block } = props
  useEffect(() => {
    // Only now is the page laid out as it will stay.
    if (isReady && block !== undefined) void mounted.current?.then((editor) => editor.goTo(block))
  }, [isReady, block])
  useImperativeHandle(
    ref,
    () => ({
      focus: () => void mounted.current?.then((editor) => editor.focus()),
      flush: async () => (await mounted.current)?.flush(),
      insertBlock: (kind) => void mounted.current?.then((editor) => editor.insertBlock(kind)),
      find: () => void mounted.current?.then((editor) => editor.find()),
      source: () => void mounted.current?.then((editor) => editor.source()),
      history: () => void mounted.current?.then((editor) => editor.history()),
    }),
    [],
  )
  return (
    <>
      {!isReady && fallback}
      <div ref={element} className="ed-host" />
    </>
  )
}
