/** A table as a file that spreadsheets open. */

export const csvOf = (rows: readonly (readonly (string | number)[])[]): string =>
  // With the mark by which they know that it is UTF-8.
  `\ufeff${rows.map((row) => row.map(cellOf).join(',')).join('\r\n')}\r\n`

/** A text that a spreadsheet would take for a formula begins with an apostrophe: titles are written by others. */
function cellOf(value: string | number): string {
  if (typeof value === 'number') return String(value)
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
