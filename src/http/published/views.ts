/**
 * Counts of page views, gathered in memory and written together: a reader costs no write. What was counted in the last
 * seconds before a crash is lost; on a stop it is written.
 */
import { addViews } from '../../domain/sites/insights.ts'
import type { Database } from '../../store/database.ts'

const everyMilliseconds = 5_000
/** A crawl of a huge site must not fill memory between two writes. */
const mostAtOnce = 20_000

export interface Views {
  count(view: { siteId: string; siteSpace: string; page: string }): void
  flush(): Promise<void>
}

export function makeViews(parts: { db: Database; clock: () => Date; onError: (error: unknown) => void }): Views {
  let counts = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined

  const flush = async (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    if (counts.size === 0) return
    const gathered = counts
    counts = new Map()
    const views = [...gathered].map(([key, count]) => {
      const [siteId = '', siteSpaceId = '', pageId = ''] = key.split(' ')
      return { siteId, siteSpaceId, pageId, count }
    })
    await addViews(parts.db, { day: parts.clock().toISOString().slice(0, 10), views })
  }

  return {
    count: ({ siteId, siteSpace, page }) => {
      const key = `${siteId} ${siteSpace} ${page}`
      if (counts.size >= mostAtOnce && !counts.has(key)) return
      counts.set(key, (counts.get(key) ?? 0) + 1)
      timer ??= setTimeout(() => void flush().catch(parts.onError), everyMilliseconds).unref()
    },
    flush: () => flush().catch(parts.onError),
  }
}
