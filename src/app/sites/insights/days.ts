/** Days as the API counts them: `2026-11-15`, in UTC. */
const dayMilliseconds = 86_400_000

export interface Range {
  from: string
  to: string
}

/** The longest that can be asked for at a time. */
export const mostDays = 366
/** More bars than this cannot be told apart: then each is a week. */
const mostBars = 92

export const today = (): string => nameOf(Date.now())
const nameOf = (time: number): string => new Date(time).toISOString().slice(0, 10)
const timeOf = (day: string): number => Date.parse(`${day}T00:00:00Z`)

const addDays = (day: string, days: number): string => nameOf(timeOf(day) + days * dayMilliseconds)

/** How many days there are, the first and the last among them. */
export const lengthOf = ({ from, to }: Range): number => Math.round((timeOf(to) - timeOf(from)) / dayMilliseconds) + 1

/** The days up to this one, as many as are asked for. */
export const lastDays = (days: number, to: string): Range => ({ from: addDays(to, 1 - days), to })

/** As many days as the range has, just before it. */
export const rangeBefore = (range: Range): Range => lastDays(lengthOf(range), addDays(range.from, -1))

/** Two halves, the first no shorter; nothing for a single day. */
export function halvesOf({ from, to }: Range): [Range, Range] | undefined {
  const days = lengthOf({ from, to })
  if (days < 2) return undefined
  const middle = addDays(from, Math.ceil(days / 2) - 1)
  return [
    { from, to: middle },
    { from: addDays(middle, 1), to },
  ]
}

export interface Step {
  /** Its first day. */
  day: string
  count: number
}

/** Every day of the range, or every week where there would be too many. */
export function stepsOf(range: Range, counts: ReadonlyMap<string, number>): { steps: Step[]; are: 'days' | 'weeks' } {
  const days = lengthOf(range)
  const width = days > mostBars ? 7 : 1
  const steps: Step[] = []
  for (let at = 0; at < days; at++) {
    const day = addDays(range.from, at)
    if (at % width === 0) steps.push({ day, count: 0 })
    const step = steps.at(-1)
    if (step) step.count += counts.get(day) ?? 0
  }
  return { steps, are: width === 1 ? 'days' : 'weeks' }
}
