/** Several files, or a folder of them, as one archive, because one file is what an import takes. Nothing is compressed. */

export interface PathedFile {
  path: string
  file: File
}

/** The format has 32 bits for a length and 16 for a number of files. */
const most = { bytes: 2 ** 32 - 2 ** 20, files: 65_000 }

export const fitsArchive = (files: readonly PathedFile[]): boolean =>
  files.length <= most.files && files.reduce((sum, { file }) => sum + file.size, 0) < most.bytes

export async function zipFiles(files: readonly PathedFile[], name: string): Promise<File> {
  const bodies: BlobPart[] = []
  const directory: BlobPart[] = []
  let offset = 0
  let directoryLength = 0
  for (const { path, file } of files) {
    const bytes = new Uint8Array(await file.arrayBuffer())
    const encoded = new TextEncoder().encode(path)
    const about = describe(encoded, bytes)
    const head = join(numbers([0x04034b50, 4]), about, encoded)
    const entry = join(
      numbers([0x02014b50, 4], [20, 2]),
      about,
      numbers([0, 2], [0, 2], [0, 2], [0, 4], [offset, 4]),
      encoded,
    )
    // The file itself, of which the browser needs to hold nothing in memory.
    bodies.push(head, file)
    directory.push(entry)
    offset += head.length + bytes.length
    directoryLength += entry.length
  }
  const count = files.length
  const end = numbers(
    [0x06054b50, 4],
    [0, 2],
    [0, 2],
    [count, 2],
    [count, 2],
    [directoryLength, 4],
    [offset, 4],
    [0, 2],
  )
  return new File([...bodies, ...directory, end], name, { type: 'application/zip' })
}

/** What stands about a file both before it and in the directory: stored as it is, its name in UTF-8. */
const describe = (path: Uint8Array, bytes: Uint8Array): Uint8Array<ArrayBuffer> =>
  numbers(
    [20, 2],
    [0x0800, 2],
    [0, 2],
    [0, 2],
    [0x21, 2],
    [crc32(bytes), 4],
    [bytes.length, 4],
    [bytes.length, 4],
    [path.length, 2],
    [0, 2],
  )

function numbers(...given: readonly (readonly [value: number, bytes: 2 | 4])[]): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(given.reduce((sum, [, bytes]) => sum + bytes, 0)))
  let at = 0
  for (const [value, bytes] of given) {
    if (bytes === 2) view.setUint16(at, value, true)
    else view.setUint32(at, value, true)
    at += bytes
  }
  return new Uint8Array(view.buffer)
}

function join(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

const table = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1
  return value
})

function crc32(bytes: Uint8Array): number {
  let sum = 0xffffffff
  for (const byte of bytes) sum = (table[(sum ^ byte) & 255] ?? 0) ^ (sum >>> 8)
  return (sum ^ 0xffffffff) >>> 0
}
