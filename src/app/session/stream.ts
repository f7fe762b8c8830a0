/**
 * A stream of the server's events. A browser keeps only six connections to a server over HTTP/1.1, so all its tabs share one
 * stream of an address: one of those in view has it open and tells the others; a hidden tab gives it up.
 *
 * 1. Whatever ended it (a restarted server, a lost network, a hidden tab), it goes on from the last event it was told.
 * 2. A browser's own reconnecting gives up at the first answer that is no stream, so it is done here, with growing pauses.
 */
import { beTheOnlyTab, canShare } from './one-tab.ts'

export interface StreamEvent {
  /** What it is about: `content`, `comment`, `review`, `status`, `presence` … */
  name: string
  id: string
  data: Record<string, unknown>
}

export interface StreamOptions {
  url: string
  names: readonly string[]
  hear(event: StreamEvent): void
  /** The last event that was heard in an earlier visit. */
  after?: string | undefined
  /** It is there for the first time: what happened before is not told. */
  begun?(): void
  /** It was away, and is there again. */
  back?(): void
}

/** So many of the last events are known again. */
const mostHeard = 500
const pauses = { first: 500, last: 20_000 }

/** What tabs say to each other: one that comes asks, and the one with the connection says that it is there, and what it was told. */
type TabMessage =
  | { is: 'asking' }
  | { is: 'ready'; id: string | undefined; wasAway: boolean }
  | { is: 'event'; event: StreamEvent; isNoted: boolean }

export function followStream({ url, names, hear, after, begun, back }: StreamOptions): () => void {
  const name = `lectern-stream ${url}`
  const others = canShare() ? new BroadcastChannel(name) : undefined
  let source: EventSource | undefined
  let giveUp: (() => void) | undefined
  let isMine = false
  let isReady = false
  let last = after
  let pause = pauses.first
  let timer: ReturnType<typeof setTimeout> | undefined
  let wasAway = false
  let hasBegun = false
  const heard = new Set<string>()
  /** Nobody looks at a hidden tab: what it is told meanwhile waits, and where that is much, it looks anew. */
  const unheard: StreamEvent[] = []
  const take = (event: StreamEvent, isNoted: boolean): void => {
    // When the connection passes from tab to tab, the last of it may be told twice.
    if (isNoted && heard.has(event.id)) return
    if (isNoted) {
      last = event.id
      heard.add(event.id)
      for (const first of heard) if (heard.size > mostHeard) heard.delete(first)
    }
    if (document.visibilityState !== 'hidden') hear(event)
    else if (unheard.length <= mostHeard) unheard.push(event)
  }
  const hearAll = (): void => {
    const isMuch = unheard.length > mostHeard
    for (const event of unheard.splice(0)) if (!isMuch) hear(event)
    if (isMuch) back?.()
  }
  const isThere = (id: string | undefined, isBack: boolean): void => {
    if (id) last = id
    if (!hasBegun) begun?.()
    else if (isBack) back?.()
    hasBegun = true
  }
  const tellOthers = (message: TabMessage): void => others?.postMessage(message)
  const open = (): void => {
    if (source !== undefined || !isMine) return
    const opened = new EventSource(last === undefined ? url : `${url}?after=${last}`)
    source = opened
    let lastId = ''
    opened.addEventListener('ready', ({ lastEventId }) => {
      pause = pauses.first
      isReady = true
      lastId = lastEventId
      isThere(lastEventId, wasAway)
      tellOthers({ is: 'ready', id: lastEventId, wasAway })
      wasAway = false
    })
    for (const kind of names)
      opened.addEventListener(kind, ({ data, lastEventId }: MessageEvent) => {
        // What is not noted, such as where people are, comes with the id of what was told before it.
        const isNoted = lastEventId !== lastId
        lastId = lastEventId
        const event = { name: kind, id: lastEventId, data: parsed(data) }
        take(event, isNoted)
        tellOthers({ is: 'event', event, isNoted })
      })
    opened.addEventListener('error', () => {
      shut()
      wasAway = true
      clearTimeout(timer)
      timer = setTimeout(open, pause)
      pause = Math.min(pauses.last, pause * 2)
    })
  }
  const shut = (): void => {
    source?.close()
    source = undefined
    isReady = false
  }
  const become = (): void => {
    isMine = true
    open()
  }
  const seen = (): void => {
    clearTimeout(timer)
    if (document.visibilityState !== 'hidden') {
      hearAll()
      giveUp ??= beTheOnlyTab(name, become)
      open()
      return
    }
    shut()
    isMine = false
    giveUp?.()
    giveUp = undefined
  }
  const online = (): void => {
    pause = pauses.first
    seen()
  }
  others?.addEventListener('message', ({ data }: MessageEvent<TabMessage>) => {
    if (data.is === 'event') take(data.event, data.isNoted)
    else if (data.is === 'ready') isThere(data.id, data.wasAway)
    else if (isReady) tellOthers({ is: 'ready', id: last, wasAway: false })
  })
  document.addEventListener('visibilitychange', seen)
  addEventListener('online', online)
  seen()
  tellOthers({ is: 'asking' })
  return () => {
    document.removeEventListener('visibilitychange', seen)
    removeEventListener('online', online)
    clearTimeout(timer)
    shut()
    giveUp?.()
    others?.close()
  }
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

function parsed(data: unknown): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(String(data))
    return isRecord(value) ? value : {}
  } catch {
    return {}
  }
}
