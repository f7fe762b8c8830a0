/** `Range`: which bytes a client asks for (RFC 9110, section 14). One range is served; anything else gets the whole. */

export interface Range {
  start: number
  end: number
}

/** Undefined stands for the whole file. */
export function rangeOf(
  headers: { range?: string | undefined; 'if-range'?: string | string[] | undefined },
  { size, etag }: { size: number; etag: string },
): Range | 'unsatisfiable' | undefined {
  const match = /^bytes=\s*(\d{0,15})-(\d{0,15})\s*$/i.exec(headers.range ?? '')
  if (!match || size === 0) return undefined
  // Parts of another version do not fit what the client holds: it gets the whole. We send no dates to compare with.
  if (headers['if-range'] !== undefined && headers['if-range'] !== etag) return undefined
  const [, first = '', last = ''] = match
  if (first === '' && last === '') return undefined
  if (first === '') {
    const length = Math.min(Number(last), size)
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size - 1 }
  }
  const start = Number(first)
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1)
  // A range that ends before it starts is no range, and is not looked at.
  if (last !== '' && Number(last) < start) return undefined
  return start >= size ? 'unsatisfiable' : { start, end }
}
