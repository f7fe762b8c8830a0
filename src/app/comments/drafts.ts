/**
 * Words that are written and not sent yet: comments, replies, reviews. They stay on this device, by who writes and what it is
 * about, until they are sent.
 */
import { useCallback, useState } from 'react'
import type { ContentTarget } from '../pages/content-target.ts'
import { useSession } from '../session/session.tsx'
import type { ChosenName } from './mentions.ts'

export interface Draft {
  text: string
  chosen: readonly ChosenName[]
}

/** What a draft is about. */
export interface DraftSubject {
  content: ContentTarget
  page?: string | undefined
  /** A block of the page. */
  node?: string | undefined
  /** The comment that is answered. */
  comment?: string | undefined
  /** The change request as a whole is judged. */
  isReview?: boolean
}

const prefix = 'lectern-draft/'
/** The oldest go first. */
const most = 50
const nothing: Draft = { text: '', chosen: [] }

/** The draft, which is kept with every change; nothing written is nothing kept. */
export function useDraft(subject: DraftSubject): [draft: Draft, keep: (draft: Draft) => void] {
  const { user } = useSession()
  const key = keyOf(user.id, subject)
  const [draft, setDraft] = useState(() => read(key) ?? nothing)
  const keep = useCallback(
    (next: Draft) => {
      setDraft(next)
      write(key, next)
    },
    [key],
  )
  return [draft, keep]
}

export function useHasDraft(subject: DraftSubject | undefined): boolean {
  const { user } = useSession()
  return subject !== undefined && read(keyOf(user.id, subject)) !== undefined
}

/** A block of a page about which something is written and not sent. */
export function blockWithDraft(user: string, content: ContentTarget, page: string): string | undefined {
  const begin = keyOf(user, { content, page })
  const found = keys().find((key) => key.startsWith(begin) && key !== begin)
  return found === undefined ? undefined : decodeURIComponent(found.slice(begin.length + 1))
}

export const countDrafts = (user: string): number => draftsOf(user).length

export function discardDrafts(user: string): void {
  for (const key of draftsOf(user)) localStorage.removeItem(key)
}

const draftsOf = (user: string): string[] => keys().filter((key) => key.startsWith(`${prefix}${user}/`))

/** What a draft of this person is kept under; one that says less begins those that say more. */
function keyOf(user: string, { content, page = '', node, comment, isReview }: DraftSubject): string {
  const about = comment !== undefined ? ['answer', comment] : isReview ? ['review'] : ['page', page]
  const parts = [user, content.space, content.changeRequest ?? '', ...about, ...(node === undefined ? [] : [node])]
  return `${prefix}${parts.map(encodeURIComponent).join('/')}`
}

function keys(): string[] {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(prefix))
  } catch {
    return []
  }
}

interface Stored extends Draft {
  at: number
}

function read(key: string): Stored | undefined {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(key) ?? 'null')
    return isStored(value) ? value : undefined
  } catch {
    return undefined
  }
}

const isStored = (value: unknown): value is Stored =>
  typeof value === 'object' &&
  value !== null &&
  'text' in value &&
  typeof value.text === 'string' &&
  'chosen' in value &&
  Array.isArray(value.chosen)

function write(key: string, draft: Draft): void {
  try {
    if (draft.text.trim() === '') {
      localStorage.removeItem(key)
      return
    }
    const isNew = localStorage.getItem(key) === null
    localStorage.setItem(key, JSON.stringify({ ...draft, at: Date.now() } satisfies Stored))
    if (isNew) dropOldest()
  } catch {
    // A browser that stores nothing has it as long as the screen is open.
  }
}

function dropOldest(): void {
  const all = keys().map((key) => ({ key, at: read(key)?.at ?? 0 }))
  for (const { key } of all.sort((a, b) => b.at - a.at).slice(most)) localStorage.removeItem(key)
}
