/** What goes to the typesetting process: a line of JSON, and the bytes of the images behind it. */

export interface TypesetImage {
  /** `/1.png`: how the book names it. */
  name: string
  bytes: Buffer
}

/** JSON as it comes out of `JSON.parse`. */
export type Plain = null | boolean | number | string | Plain[] | { [name: string]: Plain }

export interface TypesetJob {
  template: string
  /** An empty folder: all that the typesetter could read of the machine. */
  workspace: string
  fonts: string[]
  /** Folders with fonts of the machine, for scripts that ours do not have. */
  systemFonts: string[]
  book: Plain
  images: TypesetImage[]
}

export function encodeBook({ images, ...job }: Omit<TypesetJob, 'book'> & { book: unknown }): Buffer[] {
  const head = { ...job, images: images.map(({ name, bytes }) => ({ name, size: bytes.length })) }
  return [Buffer.from(`${JSON.stringify(head)}\n`), ...images.map(({ bytes }) => bytes)]
}

export function decodeBook(data: Buffer): TypesetJob {
  const end = data.indexOf(10)
  const { images, ...job }: Omit<TypesetJob, 'images'> & { images: { name: string; size: number }[] } = JSON.parse(
    data.subarray(0, end).toString(),
  )
  let at = end + 1
  return {
    ...job,
    images: images.map(({ name, size }) => {
      const bytes = data.subarray(at, at + size)
      at += size
      return { name, bytes }
    }),
  }
}
