/**
 * The JSON of large bodies, read in a thread: one text of five megabytes holds the event loop for 50 ms, and such a body can
 * be sent by anybody who may write.
 */
import { ApiError, type Detail, fail, isErrorCode } from '../../core/errors.ts'
import { parseInSlices, TimeSlices } from '../../store/time-slices.ts'
import type { ByteParts } from '../../threads/byte-parts.ts'
import { ThreadError } from '../../threads/pool.ts'
import type { Threads } from '../../threads/supervisor.ts'

/** What the thread found. Many values are as much work to hand over as to read, so they are read once more, in slices. */
export type JsonRead =
  | { value: unknown }
  /** Known to be JSON, and without what may not be in it. */
  | { bytes: Uint8Array }
  | { refused: string; message: string; details: readonly Detail[] }

export async function parseLargeJson(threads: Threads, body: ByteParts): Promise<unknown> {
  const read = await ask(threads, body)
  if ('refused' in read) throw isErrorCode(read.refused) ? new ApiError(read.refused, read) : new Error(read.message)
  return 'value' in read ? read.value : parseInSlices(await decodeInSlices(read.bytes))
}

async function ask(threads: Threads, body: ByteParts): Promise<JsonRead> {
  const { parts, transfer } = body.take()
  try {
    // Both ends of the thread are ours.
    return (await threads.run('json', parts, { transfer })) as JsonRead
  } catch (error) {
    throw error instanceof ThreadError && error.code !== 'failed' ? fail('overloaded') : error
  }
}

const pieceBytes = 128 * 1024

async function decodeInSlices(bytes: Uint8Array): Promise<string> {
  const slices = new TimeSlices()
  const decoder = new TextDecoder()
  let text = ''
  for (let from = 0; from < bytes.length; from += pieceBytes) {
    text += decoder.decode(bytes.subarray(from, from + pieceBytes), { stream: true })
    if (slices.isOver) await slices.next()
  }
  return text + decoder.decode()
}
