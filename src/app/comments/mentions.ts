/** People who are named in a comment: found while one types, and written as the links that tell them of it. */

export interface Person {
  id: string
  name: string
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

/** The names of those who were chosen, as mentions of Markdown. The longest first: one name may begin another, or a word. */
export function writeMentions(text: string, chosen: readonly Person[]): string {
  const byLength = [...chosen].sort((a, b) => b.name.length - a.name.length)
  const pattern = byLength.map(({ name }) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')
  if (pattern === '') return text
  return text.replace(new RegExp(`@(${pattern})(?![\\p{L}\\p{N}])`, 'gu'), (written, name: string) => {
    const person = byLength.find((one) => one.name === name)
    const label = name.replace(/[[\]\\*_`<>]/g, '\\$&')
    return person === undefined ? written : `[${label}](/users/${person.id} "mention")`
  })
}
