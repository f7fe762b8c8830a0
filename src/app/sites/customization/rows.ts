/** Lists that a person puts in order. */

/** With one row a step earlier or later. */
export function moved<Row>(rows: readonly Row[], at: number, by: -1 | 1): Row[] {
  const next = [...rows]
  const [row] = next.splice(at, 1)
  if (row !== undefined) next.splice(at + by, 0, row)
  return next
}

export const replaced = <Row>(rows: readonly Row[], at: number, row: Row): Row[] =>
  rows.map((one, index) => (index === at ? row : one))

export const without = <Row>(rows: readonly Row[], at: number): Row[] => rows.filter((_, index) => index !== at)

export const inserted = <Row>(rows: readonly Row[], at: number, row: Row): Row[] => [
  ...rows.slice(0, at),
  row,
  ...rows.slice(at),
]
