/** The fields of a page's head: what is typed is shown at once and sent when the hand rests. */
import { useCallback, useEffect, useRef, useState } from 'react'
import { leaveWhenSignedOut } from '../session/client.ts'
import { explain } from '../session/errors.ts'
import { changePage } from '../tree/rows.ts'
import { type ContentChange, type ContentTarget, type Page, showPage, showPages, write } from './content-target.ts'
import type { SaveStatus } from './save-state.ts'

export type PageFields = Omit<Extract<ContentChange, { operation: 'update_page' }>, 'operation' | 'page' | 'document'>

const restMilliseconds = 700

export function useFields(content: ContentTarget, page: Page, onStatus: (status: SaveStatus) => void) {
  const [fields, setFields] = useState<PageFields>({})
  const waiting = useRef<PageFields>({})
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const latestOnStatus = useRef(onStatus)
  latestOnStatus.current = onStatus
  const { space, changeRequest } = content

  const flush = useCallback(async (): Promise<void> => {
    clearTimeout(timer.current)
    const change = waiting.current
    if (Object.keys(change).length === 0) return
    waiting.current = {}
    latestOnStatus.current({ kind: 'saving' })
    try {
      await write({ space, changeRequest }, [{ operation: 'update_page', page: page.id, ...change }])
      if (Object.keys(waiting.current).length === 0) latestOnStatus.current({ kind: 'saved', at: new Date() })
      // From here on the page is what the server has, so that what others write into its head is seen.
      showPage({ space, changeRequest }, page.id, change as Partial<Page>)
      setFields((before) =>
        Object.fromEntries(Object.entries(before).filter(([name, value]) => Reflect.get(change, name) !== value)),
      )
    } catch (error) {
      leaveWhenSignedOut(error)
      // What could not be sent is tried again with the next change.
      waiting.current = { ...change, ...waiting.current }
      const { title } = explain(error)
      latestOnStatus.current(navigator.onLine ? { kind: 'error', message: title } : { kind: 'offline', edits: 1 })
    }
  }, [space, changeRequest, page.id])

  const change = useCallback(
    (next: PageFields, now = false): void => {
      setFields((before) => ({ ...before, ...next }))
      waiting.current = { ...waiting.current, ...next }
      const { title, emoji, icon, hidden } = next
      const seen = Object.fromEntries(
        Object.entries({ title, emoji, icon, hidden }).filter(([, value]) => value !== undefined),
      )
      if (Object.keys(seen).length > 0) showPages({ space, changeRequest }, (pages) => changePage(pages, page.id, seen))
      latestOnStatus.current({ kind: 'saving' })
      clearTimeout(timer.current)
      if (now) void flush()
      else timer.current = setTimeout(flush, restMilliseconds)
    },
    [space, changeRequest, page.id, flush],
  )

  useEffect(() => {
    const leave = (): void => void flush()
    document.addEventListener('visibilitychange', leave)
    return () => {
      document.removeEventListener('visibilitychange', leave)
      void flush()
    }
  }, [flush])

  return { page: { ...page, ...fields } as Page, change, flush }
}
