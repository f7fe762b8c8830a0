/**
 * How many connections the process takes. Each is an open file, and a process that may open no more cannot load the parts of it
 * that are loaded when they are first needed: Node remembers such a failure for as long as it runs.
 */
import type { Server } from 'node:net'
import type { Log } from '../../platform/log.ts'

/** Files that stay free for everything else, where the limit has room for so many. */
const reserve = 512
const tellMilliseconds = 60_000

/** Closes at once what comes above the limit, and says so, but not each time. */
export function limitConnections(server: Server, log: Pick<Log, 'warn'>, mayOpen = openFileLimit()): void {
  if (!Number.isFinite(mayOpen)) return
  const most = mayOpen - Math.min(reserve, Math.floor(mayOpen / 2))
  let lastWarning = Number.NEGATIVE_INFINITY
  server.maxConnections = most
  server.on('drop', () => {
    if (performance.now() - lastWarning < tellMilliseconds) return
    lastWarning = performance.now()
    log.warn({ connections: most }, `connections are turned away: raise the limit of open files (${mayOpen} now)`)
  })
}

/** Infinity where there is no limit. */
function openFileLimit(): number {
  const report = process.report as (typeof process.report & { excludeNetwork?: boolean }) | undefined
  // Else the names of all who are connected are asked for, one after the other, while everything waits.
  if (report) report.excludeNetwork = true
  const limits = report?.getReport() as { userLimits?: { open_files?: { soft?: number | string } } } | undefined
  const soft = Number(limits?.userLimits?.open_files?.soft)
  return Number.isNaN(soft) ? Number.POSITIVE_INFINITY : soft
}
