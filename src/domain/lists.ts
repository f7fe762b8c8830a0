/** Lists: one helper turns a query for some rows behind a key into the envelope that every list answers with. */
import type { ListOf } from '../contract/shapes.ts'
import { invalidCursor } from '../core/errors.ts'
import type { After, Order, Page } from '../store/paging.ts'
import type { Base } from './handler.ts'

export interface ListRequest<Row, Item> {
  base: Base
  /** Names the list with everything that shapes it: a token of one list, or of other filters, is refused by another. */
  name: string
  query: { page?: string | undefined; limit: number }
  order?: Order
  rows: (page: Page) => Promise<Row[]>
  count: () => Promise<number>
  /** What the rows are sorted by, and the id that breaks ties. */
  keyOf: (row: Row) => After
  present: (row: Row) => Item
}

export async function listOf<Row, Item>(request: ListRequest<Row, Item>): Promise<ListOf<Item>> {
  const { base, name, query, order = 'desc' } = request
  const purpose = `list:${name}:${order}`
  const after = query.page === undefined ? undefined : readToken(base, purpose, query.page)
  // One more than asked for tells whether there is a next page.
  const rows = await request.rows({ after, limit: query.limit + 1, order })
  const shown = rows.slice(0, query.limit)
  const last = shown.at(-1)
  // A first page that holds everything has counted it.
  const count = after === undefined && rows.length <= query.limit ? rows.length : await request.count()
  const next = rows.length > query.limit && last ? writeToken(base, purpose, request.keyOf(last)) : undefined
  return { ...(next ? { next: { page: next } } : {}), count, items: shown.map(request.present) }
}

const writeToken = (base: Base, purpose: string, { key, id }: After): string =>
  base.env.signer.seal(purpose, JSON.stringify([key, id]))

function readToken(base: Base, purpose: string, token: string): After {
  const payload = base.env.signer.open(purpose, token)
  if (payload === undefined) throw invalidCursor()
  const [key, id] = JSON.parse(payload) as [string, string]
  return { key, id }
}

/** What the rows of a list are sorted by, part by part; the last part tells each from all others. */
type SortKey = readonly string[]

/**
 * Pages a list that is at hand as a whole. The token has the key of the last item shown, not its place or its id alone: so the
 * walk goes on behind where that item stood, whether it is still there, was moved or is gone.
 */
export function listOfArray<Row, Item>(request: {
  base: Base
  name: string
  query: { page?: string | undefined; limit: number }
  order?: Order
  rows: readonly Row[]
  keyOf: (row: Row) => SortKey
  present: (row: Row) => Item
}): ListOf<Item> {
  const { base, query, order = 'asc' } = request
  const purpose = `list:${request.name}:sorted:${order}`
  const sign = order === 'asc' ? 1 : -1
  const rows = request.rows
    .map((row) => ({ row, key: request.keyOf(row) }))
    .sort((a, b) => sign * compareKeys(a.key, b.key))
  const after = query.page === undefined ? undefined : readSortKey(base, purpose, query.page)
  const behind = after === undefined ? rows : rows.filter(({ key }) => sign * compareKeys(key, after) > 0)
  const shown = behind.slice(0, query.limit)
  const last = shown.at(-1)
  const next =
    behind.length > shown.length && last ? base.env.signer.seal(purpose, JSON.stringify(last.key)) : undefined
  const items = shown.map(({ row }) => request.present(row))
  return { ...(next ? { next: { page: next } } : {}), count: rows.length, items }
}

function readSortKey(base: Base, purpose: string, token: string): SortKey {
  const payload = base.env.signer.open(purpose, token)
  if (payload === undefined) throw invalidCursor()
  return JSON.parse(payload)
}

function compareKeys(a: SortKey, b: SortKey): number {
  for (const [index, part] of a.entries()) {
    const other = b[index]
    if (other === undefined) return 1
    if (part !== other) return part < other ? -1 : 1
  }
  return a.length - b.length
}
