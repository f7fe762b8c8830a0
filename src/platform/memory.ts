/** Gives back what starting up has used and nobody needs any more: modules are parsed and tables laid out only once. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

export function releaseStartMemory(): void {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  if (typeof collect === 'function') collect()
}
