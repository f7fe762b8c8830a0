/** Settings as one object of objects: what differs between two of them, and two people's changes brought together. */
import { identical } from '../../../core/diff/equal.ts'

type Fields = Readonly<Record<string, unknown>>

/** The settings that differ, by their dotted paths. A list is one setting. */
export function changedSettings(before: object, after: object, above = ''): string[] {
  const [from, to]: Fields[] = [{ ...before }, { ...after }]
  const names = new Set([...Object.keys(from ?? {}), ...Object.keys(to ?? {})])
  return [...names].flatMap((name) => {
    const [was, is] = [from?.[name], to?.[name]]
    if (identical(was, is)) return []
    const path = above === '' ? name : `${above}.${name}`
    return isFields(was) && isFields(is) ? changedSettings(was, is, path) : [path]
  })
}

interface Merged<Settings> {
  settings: Settings
  /** What both changed, each otherwise: there it is as in `mine`. */
  clashes: string[]
}

/** What one changed is taken from them; both begin at `base`. */
export function mergeSettings<Settings extends object>({
  base,
  mine,
  theirs,
}: Record<'base' | 'mine' | 'theirs', Settings>): Merged<Settings> {
  const clashes: string[] = []
  let settings = theirs
  for (const path of changedSettings(base, mine)) {
    const wanted = settingAt(mine, path)
    // A part that only one of them has is taken whole; below it there may be changes of the other.
    const isTheirsToo = !identical(settingAt(base, path), settingAt(theirs, path))
    if (isTheirsToo && !identical(wanted, settingAt(theirs, path))) clashes.push(path)
    settings = withSetting(settings, path, wanted)
  }
  return { settings, clashes }
}

export function settingAt(settings: object, path: string): unknown {
  let at: unknown = settings
  for (const name of path.split('.')) at = isFields(at) ? at[name] : undefined
  return at
}

/** With one setting as it is given; without it, where nothing is. */
export function withSetting<Settings extends object>(settings: Settings, path: string, value: unknown): Settings {
  const [name = '', ...below] = path.split('.')
  const next = { ...settings }
  if (below.length > 0) {
    const part: unknown = Reflect.get(settings, name)
    Reflect.set(next, name, withSetting(isFields(part) ? part : {}, below.join('.'), value))
  } else if (value === undefined) Reflect.deleteProperty(next, name)
  else Reflect.set(next, name, value)
  return next
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
