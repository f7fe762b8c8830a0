/**
 * Keeps `process.nextTick` as fast as it is in a process that has just started.
 *
 * Each tick is an object that Node makes. When the collector has run a few times with none alive, V8 forgets their shape, and from
 * then on makes each of them several times slower, for good: an answer has half a dozen. One that is held keeps the shape.
 */
import { executionAsyncResource } from 'node:async_hooks'

const held: object[] = []

/** To be called once, early: what was forgotten does not come back. */
export function keepTickShape(): void {
  // While a tick is carried out it is the resource that is executed. Nothing of it is read.
  process.nextTick(() => held.push(executionAsyncResource()))
}
