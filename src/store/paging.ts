/**
 * Paging by key: the next page starts behind the last item of this one, wherever that now stands, so that a walk stays
 * stable while others insert and delete. Ties of the sort key are broken by the id.
 */
import { sql } from 'kysely'

export type Order = 'asc' | 'desc'

/** The last item of the page before. */
export interface After {
  key: string
  id: string
}

export interface Page {
  after?: After | undefined
  limit: number
  order: Order
}

// Every text sorts behind the empty one and before the last code point.
const lowest: After = { key: '', id: '' }
const highest: After = { key: '\u{10ffff}', id: '\u{10ffff}' }

/** Where a walk in this order begins. */
const startOf = (order: Order): After => (order === 'asc' ? lowest : highest)

/** The rows behind the last item of the page before. */
export const beyond = ({ key, id }: { key: string; id: string }, page: Page) => {
  const after = page.after ?? startOf(page.order)
  const sign = sql.raw(page.order === 'asc' ? '>' : '<')
  return sql<boolean>`(${sql.ref(key)}, ${sql.ref(id)}) ${sign} (${after.key}, ${after.id})`
}

/** The values of a page, for queries that are compiled once for each order. */
export interface PageValues {
  afterKey: string
  afterId: string
  limit: number
}

export const pageValues = ({ after, limit, order }: Page): PageValues => {
  const { key, id } = after ?? startOf(order)
  return { afterKey: key, afterId: id, limit }
}

/** The page that such a query is built with. */
export const pageIn = (p: PageValues, order: Order): Page => ({
  after: { key: p.afterKey, id: p.afterId },
  limit: p.limit,
  order,
})

/** Where a count stands in for a list: how many rows a query has. */
export const countAll = sql<number>`count(*)`.as('count')
