/** The editor of a page as a component. It owns what is inside its element; React owns the element. */
import { type ReactNode, type Ref, useEffect, useImperativeHandle, useLayoutEffect, useRef, useState } from 'react'
import type { Client } from '../../client/client.ts'
import type { JSONDocument } from '../../core/document/tree/nodes.ts'
import { showProblem } from '../kit/toast.tsx'
import { type Head, headOf, pageRemote } from '../saving/remote.ts'
import type { SaveStatus } from '../saving/status.ts'
import { filesPath, sendFiles } from '../session/upload.ts'
import { editorEn } from '../texts/en/editor.ts'
import { german, language } from '../texts/index.ts'
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
  onStatus(status: SaveStatus): void
  onOutline?(headings: Heading[]): void
  /** Someone wants to say something about a block; without it nobody can. */
  onComment?: ((block: string) => void) | undefined
  /** The page where it was read just now; otherwise it is read when it is opened. */
  opened?: { revision: string; document?: JSONDocument | undefined } | undefined
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
  const { client, space, changeRequest, page, readOnly = false, organization, fallback, ref } = props
  const element = useRef<HTMLDivElement>(null)
  // A page that is there already is mounted before the first paint: what would stand in for it is never seen.
  const [isReady, setReady] = useState(props.opened !== undefined)
  const mounted = useRef<MountedEditor | undefined>(undefined)
  const wantsFocus = useRef(false)
  // What is told goes to whoever listens now; it must not open the page anew.
  const listeners = useRef(props)
  listeners.current = props
  useLayoutEffect(() => {
    const root = element.current
    if (root === null) return
    const inner = document.createElement('div')
    inner.className = 'ed-root'
    root.append(inner)
    let isGone = false
    const server = `${location.origin}${document.documentElement.dataset.mount ?? ''}`
    const url = `${server}${filesPath(space, changeRequest)}`
    const mount = (opened: Head): void => {
      if (isGone) return
      mounted.current = mountEditor(inner, {
        client,
        space,
        changeRequest,
        page,
        opened,
        readOnly,
        organization,
        user: listeners.current.user,
        texts: german?.editor ?? editorEn,
        locale: language,
        server,
        upload: (file, onProgress) => sendFiles({ url, files: [file], onProgress }),
        onStatus: (status) => listeners.current.onStatus(status),
        onNotice: (title) => showProblem({ title }),
        onOutline: (headings) => listeners.current.onOutline?.(headings),
        ...(listeners.current.onComment ? { onComment: (block) => listeners.current.onComment?.(block) } : {}),
      })
      if (wantsFocus.current) mounted.current.focus()
      wantsFocus.current = false
      setReady(true)
    }
    const start = (): void => {
      pageRemote(client, { space, changeRequest, page })
        .read()
        .then(mount)
        .catch((problem: unknown) => {
          if (isGone) return
          const message = problem instanceof Error ? problem.message : String(problem)
          listeners.current.onStatus({ kind: 'error', message, edits: 0, retry: start })
        })
    }
    const { opened } = listeners.current
    if (opened) mount(headOf(opened.revision, opened))
    else start()
    return () => {
      isGone = true
      setReady(false)
      mounted.current?.destroy()
      mounted.current = undefined
      inner.remove()
    }
  }, [client, space, changeRequest, page, readOnly, organization])
  const { block } = props
  useEffect(() => {
    // Only now is the page laid out as it will stay.
    if (isReady && block !== undefined) mounted.current?.goTo(block)
  }, [isReady, block])
  useImperativeHandle(
    ref,
    () => ({
      focus() {
        if (mounted.current) mounted.current.focus()
        else wantsFocus.current = true
      },
      flush: async () => mounted.current?.flush(),
      insertBlock: (kind) => mounted.current?.insertBlock(kind),
      find: () => mounted.current?.find(),
      source: () => mounted.current?.source(),
      history: () => mounted.current?.history(),
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
