/**
 * The fields of a page's head: what is typed is shown at once, kept on the device, and sent when the hand rests. What could not
 * be sent is tried again, also by the next visit.
 */
import { useCallback, useEffect, useRef, useState } from 'react'
import { CallFailed } from '../../client/client.ts'
import { failureOf } from '../saving/remote.ts'
import { explain } from '../session/errors.ts'
import { useSession } from '../session/session.tsx'
import { changePage } from '../tree/rows.ts'
import { type ContentChange, type ContentTarget, type Page, showPage, showPages, write } from './content-target.ts'
import { keepFields, readKeptFields } from './kept-fields.ts'
import type { SaveStatus } from './save-state.ts'

export type PageFields = Omit<Extract<ContentChange, { operation: 'update_page' }>, 'operation' | 'page' | 'document'>

const restMilliseconds = 700
const retryMilliseconds = 5_000

export function useFields(content: ContentTarget, page: Page, onStatus: (status: SaveStatus) => void) {
  const [fields, setFields] = useState<PageFields>({})
  const waiting = useRef<PageFields>({})
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const latestOnStatus = useRef(onStatus)
  latestOnStatus.current = onStatus
  const { space, changeRequest } = content
  const { user } = useSession()
  const keep = useCallback(
    (unsaved: PageFields) => keepFields({ user: user.id, content: { space, changeRequest }, page: page.id }, unsaved),
    [user.id, space, changeRequest, page.id],
  )

  const flush = useCallback(async (): Promise<void> => {
    clearTimeout(timer.current)
    const change = waiting.current
    if (Object.keys(change).length === 0) return
    waiting.current = {}
    latestOnStatus.current({ kind: 'saving' })
    try {
      await write({ space, changeRequest }, [{ operation: 'update_page', page: page.id, ...change }])
      keep(waiting.current)
      if (Object.keys(waiting.current).length === 0) latestOnStatus.current({ kind: 'saved', at: new Date() })
      // From here on the page is what the server has, so that what others write into its head is seen.
      showPage({ space, changeRequest }, page.id, change as Partial<Page>)
      setFields((before) =>
        Object.fromEntries(Object.entries(before).filter(([name, value]) => Reflect.get(change, name) !== value)),
      )
    } catch (error) {
      waiting.current = { ...change, ...waiting.current }
      if (error instanceof CallFailed && failureOf(error) === 'refused') {
        // It would be refused again; with the next change it may not be.
        keep({})
        latestOnStatus.current({ kind: 'error', message: explain(error).title })
        return
      }
      latestOnStatus.current({ kind: 'offline' })
      timer.current = setTimeout(flush, retryMilliseconds)
    }
  }, [space, changeRequest, page.id, keep])

  const change = useCallback(
    (next: PageFields, now = false): void => {
      setFields((before) => ({ ...before, ...next }))
      waiting.current = { ...waiting.current, ...next }
      keep(waiting.current)
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
    [space, changeRequest, page.id, flush, keep],
  )

  // What an earlier visit could not send.
  useEffect(() => {
    const kept = readKeptFields({ user: user.id, content: { space, changeRequest }, page: page.id })
    if (Object.keys(kept).length > 0) change(kept)
  }, [user.id, space, changeRequest, page.id, change])

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
