/** The pages this person opened last on this device. */
import { ownKey } from './person.ts'
import { stored, useStored } from './stored.ts'

export interface RecentPage {
  space: string
  page: string
  title: string
  spaceTitle: string
  emoji?: string | undefined
  at: string
}

const most = 12

export function rememberPage(page: RecentPage): void {
  const others = read(stored.get(recentKey()) ?? '[]').filter((other) => other.page !== page.page)
  stored.set(recentKey(), JSON.stringify([page, ...others].slice(0, most)))
}

export const useRecentPages = (): RecentPage[] => read(useStored(recentKey(), '[]')[0])

const recentKey = (): string => ownKey('recent')

function read(text: string): RecentPage[] {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? value : []
  } catch {
    return []
  }
}
