/** Walks a list to its end, page by page. */
import type { ListOf } from '../contract/shapes.ts'

/** `for await (const member of walk(client.listMembersInOrganizationById, { organizationId }))`. */
export async function* walk<Input extends { query?: object }, Item>(
  list: (input: Input) => Promise<ListOf<Item>>,
  input: Input,
): AsyncGenerator<Item, void> {
  let page: string | undefined
  do {
    const answer = await list({ ...input, query: { ...input.query, ...(page === undefined ? {} : { page }) } })
    yield* answer.items
    page = answer.next?.page
  } while (page !== undefined)
}
