/**
 * The JSON of large bodies, read in a thread: one text of five megabytes holds the event loop for 50 ms, and such a body can
 * be sent by anybody who may write.
 */
import { fail, isErrorCode } from '../../core/errors.ts'
import { parseInSlices } from '../../store/time-slices.ts'
import { ThreadError } from '../../threads/pool.ts'
import type { Threads } from '../../threads/supervisor.ts'

/** What the thread found. Many values are as much work to hand over as to read, so they are read once more, in slices. */
export type JsonRead =
  | { value: unknown }
  | { is: 'valid' }
  /** Without what may not be in it. */
  | { text: string }
  | { refused: string; message: string }

export async function parseLargeJson(threads: Threads, bytes: Buffer): Promise<unknown> {
  const read = await ask(threads, bytes)
  if ('refused' in read) throw isErrorCode(read.refused) ? fail(read.refused, read.message) : new Error(read.message)
  if ('value' in read) return read.value
  return parseInSlices('text' in read ? read.text : bytes.toString())
}

async function ask(threads: Threads, bytes: Buffer): Promise<JsonRead> {
  try {
    // Both ends of the thread are ours.
    return (await threads.run('json', bytes)) as JsonRead
  } catch (error) {
    throw error instanceof ThreadError && error.code !== 'failed' ? fail('overloaded') : error
  }
}
