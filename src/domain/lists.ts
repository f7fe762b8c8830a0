/** Lists: one helper turns a query for some rows behind a key into the envelope that every list answers with. */
import type { ListOf } from '../contract/shapes.ts'
import { fail } from '../core/errors.ts'
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
  if (payload === undefined) throw fail('invalid_cursor')
  const [key, id] = JSON.parse(payload) as [string, string]
  return { key, id }
}

/** Pages a list that is at hand as a whole, in its own order, by the id of the last item shown. */
export function listOfArray<Row, Item>(request: {
  base: Base
  name: string
  query: { page?: string | undefined; limit: number }
  rows: readonly Row[]
  idOf: (row: Row) => string
  present: (row: Row) => Item
}): ListOf<Item> {
  const { base, rows, query, idOf } = request
  const purpose = `list:${request.name}:array`
  let from = 0
  if (query.page !== undefined) {
    const { key, id } = readToken(base, purpose, query.page)
    const index = rows.findIndex((row) => idOf(row) === id)
    // What the last page ended with may be gone since; then its place in the list stands in for it.
    from = index < 0 ? Number(key) : index + 1
  }
  const shown = rows.slice(from, from + query.limit)
  const last = shown.at(-1)
  const end = from + shown.length
  const next = end < rows.length && last ? writeToken(base, purpose, { key: String(end), id: idOf(last) }) : undefined
  return { ...(next ? { next: { page: next } } : {}), count: rows.length, items: shown.map(request.present) }
}
