/** How much memory there is to use. */
import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** What caches may take: a third of the heap that Node allows, but no more than what a busy installation has a use for. */
export const cacheBytes = (): number => Math.min(384 * 1024 * 1024, getHeapStatistics().heap_size_limit / 3)

/** Gives back what starting up has used and nobody needs any more: modules are parsed and tables laid out only once. */
export function releaseStartMemory(): void {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  if (typeof collect === 'function') collect()
}
