/**
 * Highlighted code as bytes: for each run one byte with its kind and its length, for a long run the length behind it, and one
 * byte for the end of a line. A quarter of the code, and read in no time.
 */
import type { Highlighted } from '../../theme/token-kinds.ts'

const endOfLine = 0xff
/** Longer ones have 0 here, and their length behind it: seven bits a byte, the highest bit says that more follow. */
const longestShort = 15

export function highlightedBytes(lines: Highlighted): Uint8Array {
  const bytes: number[] = []
  for (const runs of lines) {
    for (let at = 0; at < runs.length; at += 2) {
      const [kind = 0, length = 0] = [runs[at], runs[at + 1]]
      if (length > 0 && length <= longestShort) {
        bytes.push((kind << 4) | length)
        continue
      }
      bytes.push(kind << 4)
      let rest = length
      for (; rest > 0x7f; rest = rest >>> 7) bytes.push((rest & 0x7f) | 0x80)
      bytes.push(rest)
    }
    bytes.push(endOfLine)
  }
  return Uint8Array.from(bytes)
}

export function highlightedFrom(bytes: Uint8Array): Highlighted {
  const lines: number[][] = []
  let runs: number[] = []
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? endOfLine
    if (byte === endOfLine) {
      lines.push(runs)
      runs = []
      continue
    }
    let length = byte & 0x0f
    if (length === 0) {
      let shift = 0
      for (;;) {
        at += 1
        const next = bytes[at] ?? 0
        length |= (next & 0x7f) << shift
        if (next < 0x80) break
        shift += 7
      }
    }
    runs.push(byte >>> 4, length)
  }
  return lines
}
