/** Lists of numbers that are in order, each number once. */

/** Numbers that are in both. */
export function both(a: readonly number[], b: readonly number[]): number[] {
  const result: number[] = []
  let j = 0
  for (const number of a) {
    while ((b[j] ?? Number.POSITIVE_INFINITY) < number) j++
    if (b[j] === number) result.push(number)
  }
  return result
}

/** Numbers that are in one of them or in both. */
export function either(a: readonly number[], b: readonly number[]): number[] {
  const result: number[] = []
  let j = 0
  for (const number of a) {
    for (let other = b[j]; other !== undefined && other <= number; other = b[++j])
      if (other < number) result.push(other)
    result.push(number)
  }
  for (let other = b[j]; other !== undefined; other = b[++j]) result.push(other)
  return result
}
