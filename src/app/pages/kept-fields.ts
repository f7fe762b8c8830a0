/** What is typed into the head of a page and not saved yet, on this device, by who typed it. */
import type { ContentTarget } from './content-target.ts'
import type { PageFields } from './use-fields.ts'

const prefix = 'lectern-fields/'

interface Subject {
  user: string
  content: ContentTarget
  page: string
}

const keyOf = ({ user, content, page }: Subject): string =>
  `${prefix}${[user, content.space, content.changeRequest ?? '', page].join('/')}`

export function readKeptFields(subject: Subject): PageFields {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(keyOf(subject)) ?? '{}')
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}

/** Nothing waiting is nothing kept. */
export function keepFields(subject: Subject, fields: PageFields): void {
  try {
    if (Object.keys(fields).length === 0) localStorage.removeItem(keyOf(subject))
    else localStorage.setItem(keyOf(subject), JSON.stringify(fields))
  } catch {
    // A browser that stores nothing has them as long as the screen is open.
  }
}

/** The pages of which this person has unsaved fields on the device, named as in the journal. */
export const pagesWithFields = (user: string): string[] => keysOf(user).map((key) => key.slice(prefix.length))

export function discardFields(user: string): void {
  for (const key of keysOf(user)) localStorage.removeItem(key)
}

function keysOf(user: string): string[] {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(`${prefix}${user}/`))
  } catch {
    return []
  }
}
