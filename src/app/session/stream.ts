/**
 * A stream of the server's events, kept open for as long as the tab is in view: a browser keeps only six connections to a
 * server over HTTP/1.1, so a hidden tab gives its own back.
 *
 * 1. Whatever ended it (a restarted server, a lost network, a hidden tab), it goes on from the last event it was told.
 * 2. A browser's own reconnecting gives up at the first answer that is no stream, so it is done here, with growing pauses.
 */
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

const pauses = { first: 500, last: 20_000 }

export function followStream({ url, names, hear, after, begun, back }: StreamOptions): () => void {
  let source: EventSource | undefined
  let last = after
  let pause = pauses.first
  let timer: ReturnType<typeof setTimeout> | undefined
  let wasAway = false
  let hasBegun = false
  const take =
    (name: string) =>
    ({ data, lastEventId }: MessageEvent): void => {
      if (lastEventId !== '') last = lastEventId
      hear({ name, id: lastEventId, data: parsed(data) })
    }
  const open = (): void => {
    if (source !== undefined || document.visibilityState === 'hidden') return
    const opened = new EventSource(last === undefined ? url : `${url}?after=${last}`)
    source = opened
    opened.addEventListener('ready', ({ lastEventId }) => {
      if (lastEventId !== '') last = lastEventId
      pause = pauses.first
      if (!hasBegun) begun?.()
      else if (wasAway) back?.()
      hasBegun = true
      wasAway = false
    })
    opened.addEventListener('beat', ({ lastEventId }) => {
      if (lastEventId !== '') last = lastEventId
    })
    for (const name of names) opened.addEventListener(name, take(name))
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
  }
  const seen = (): void => {
    clearTimeout(timer)
    if (document.visibilityState === 'hidden') shut()
    else open()
  }
  const online = (): void => {
    pause = pauses.first
    seen()
  }
  document.addEventListener('visibilitychange', seen)
  addEventListener('online', online)
  open()
  return () => {
    document.removeEventListener('visibilitychange', seen)
    removeEventListener('online', online)
    clearTimeout(timer)
    shut()
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
