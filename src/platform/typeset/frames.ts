/** What goes to a typesetting process and comes back: frames of one line of JSON with bytes behind it. */

export interface Frame<Head> {
  head: Head
  bytes: readonly Buffer[]
}

export function encodeFrame<Head>({ head, bytes }: Frame<Head>): Buffer[] {
  const line = { head, sizes: bytes.map((part) => part.length) }
  return [Buffer.from(`${JSON.stringify(line)}\n`), ...bytes]
}

/** Each frame of a stream when it is whole. Both ends of the pipe are ours, so its head has the shape it was sent with. */
export async function* decodeFrames<Head>(
  stream: AsyncIterable<Buffer>,
  largest: number,
): AsyncGenerator<Frame<Head>, undefined> {
  let held: Buffer[] = []
  let size = 0
  let wanted = 1
  for await (const chunk of stream) {
    held.push(chunk)
    size += chunk.length
    if (size > largest) throw new RangeError('A frame is larger than is allowed.')
    // Joined only when enough has come: a frame of megabytes arrives in hundreds of chunks.
    while (size >= wanted) {
      const data = Buffer.concat(held)
      held = [data]
      const read = readFrame<Head>(data)
      if (typeof read === 'number') wanted = read
      else {
        held = [data.subarray(read.end)]
        size = data.length - read.end
        wanted = 1
        yield read.frame
      }
    }
  }
  return undefined
}

/** The frame that the data begins with, or how many bytes are needed before looking again. */
function readFrame<Head>(data: Buffer): { frame: Frame<Head>; end: number } | number {
  const newline = data.indexOf(10)
  if (newline < 0) return data.length + 1
  const { head, sizes }: { head: Head; sizes: number[] } = JSON.parse(data.subarray(0, newline).toString())
  let at = newline + 1
  const end = sizes.reduce((sum, size) => sum + size, at)
  if (data.length < end) return end
  const bytes = sizes.map((size) => {
    at += size
    return data.subarray(at - size, at)
  })
  return { frame: { head, bytes }, end }
}
