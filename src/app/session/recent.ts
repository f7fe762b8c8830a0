/** The pages this person opened last on this device. */
import { stored, useStored } from './stored.ts'

export interface RecentPage {
  space: string
  page: string
  title: string
  spaceTitle: string
  emoji?: string | undefined
  at: string
}

const key = 'lectern-recent'
const most = 12

export function rememberPage(page: RecentPage): void {
  const others = read(stored.get(key) ?? '[]').filter((other) => other.page !== page.page)
  stored.set(key, JSON.stringify([page, ...others].slice(0, most)))
}

export const useRecentPages = (): RecentPage[] => read(useStored(key, '[]')[0])

function read(text: string): RecentPage[] {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? value : []
  } catch {
    return []
  }
}
