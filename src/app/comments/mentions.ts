/** People who are named in a comment: found while one types, and written as the links that tell them of it. */

export interface Person {
  id: string
  name: string
  /** Tells people of one name apart. */
  detail?: string
}

/** A name that was chosen, and where it stands in the text. */
export interface ChosenName {
  at: number
  person: Person
}

/** A name that is being typed: from its sign to the cursor. */
export interface TypedName {
  at: number
  end: number
}

/** Nothing where no name is typed. */
export function typedName(text: string, cursor: number): TypedName | undefined {
  const match = /(?:^|[\s(])@([^\s@][^@\n]{0,40}|)$/u.exec(text.slice(0, cursor))
  return match === null ? undefined : { at: cursor - (match[1] ?? '').length - 1, end: cursor }
}

/** Those whose name, or a word of it, begins so. */
export function findPeople(people: readonly Person[], query: string): Person[] {
  const wanted = query.toLocaleLowerCase()
  const begins = ({ name }: Person): boolean =>
    name.toLocaleLowerCase().startsWith(wanted) ||
    name
      .toLocaleLowerCase()
      .split(/\s+/)
      .some((word) => word.startsWith(wanted))
  return people.filter(begins).slice(0, 6)
}

/** Where the names stand after the text was changed. What was changed itself is no chosen name any more. */
export function followEdit(
  chosen: readonly ChosenName[],
  { before, after, cursor }: { before: string; after: string; cursor: number },
): ChosenName[] {
  const tail = commonTail(before, after, cursor)
  const most = Math.min(before.length, after.length) - tail
  let head = 0
  while (head < most && before[head] === after[head]) head += 1
  const end = before.length - tail
  return chosen.flatMap(({ at, person }) => {
    if (at + 1 + person.name.length <= head) return [{ at, person }]
    return at >= end ? [{ at: at + after.length - before.length, person }] : []
  })
}

/** Whoever types changes nothing behind the cursor; otherwise it is as much as is the same. */
function commonTail(before: string, after: string, cursor: number): number {
  const behind = after.length - cursor
  if (behind <= before.length && before.endsWith(after.slice(cursor))) return behind
  let tail = 0
  const most = Math.min(before.length, after.length)
  while (tail < most && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail += 1
  return tail
}

/** The names of those who were chosen, where they were, as mentions of Markdown. */
export function writeMentions(text: string, chosen: readonly ChosenName[]): string {
  let written = ''
  let done = 0
  for (const { at, person } of [...chosen].sort((a, b) => a.at - b.at)) {
    const end = at + 1 + person.name.length
    const isWhole = at >= done && text.slice(at, end) === `@${person.name}` && !/^[\p{L}\p{N}]/u.test(text.slice(end))
    if (!isWhole) continue
    const label = person.name.replace(/[[\]\\*_`<>]/g, '\\$&')
    written += `${text.slice(done, at)}[${label}](/users/${person.id} "mention")`
    done = end
  }
  return written + text.slice(done)
}
