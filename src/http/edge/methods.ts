/** The methods an address of the contract takes, for 405. Asked only when a request found no route. */
import { operations } from '../../contract/index.ts'

let known: { matches: RegExp; allow: string }[] | undefined

/** The value of `Allow`; undefined when no row has this address. */
export function methodsAt(path: string): string | undefined {
  known ??= makeTable()
  return known.find(({ matches }) => matches.test(path))?.allow
}

function makeTable() {
  const methods = new Map<string, string[]>()
  for (const [, { path, method }] of operations) methods.set(path, [...(methods.get(path) ?? []), method])
  // A name in a path would also stand for a fixed word at its place, so addresses with fewer names are tried first.
  const paths = [...methods.keys()].sort((a, b) => namesIn(a) - namesIn(b))
  return paths.map((path) => {
    const taken = methods.get(path) ?? []
    return {
      matches: patternOf(path),
      allow: [...taken, ...(taken.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', '),
    }
  })
}

const namesIn = (path: string): number => path.split('{').length

const patternOf = (path: string): RegExp =>
  new RegExp(
    `^${path
      .replace(/[.*+?^$()|[\]\\]/g, '\\$&')
      .replace(/\{pagePath\}$/, '.*')
      .replace(/\{\w+\}/g, '[^/]+')}/?$`,
  )
