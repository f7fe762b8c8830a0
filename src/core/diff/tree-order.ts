/**
 * Changed pages in the order of the tree, as a reader of the space meets them: a page before what stands below it, siblings
 * by rank. A deleted page stands where it was. Costs the pages and what is above them.
 */
import { type Content, mostAbove, pageById } from '../revision/content.ts'
import type { NodeStore } from '../revision/map.ts'
import type { PageRecord } from '../revision/records.ts'
import type { Versions } from './revisions.ts'

export async function sortByTree(
  nodes: NodeStore,
  contents: { before: Content; after: Content },
  pages: readonly Versions<PageRecord>[],
): Promise<Versions<PageRecord>[]> {
  const known = new Map<string, PageRecord | undefined>(pages.map(({ id, before, after }) => [id, after ?? before]))
  const recordOf = async (id: string): Promise<PageRecord | undefined> => {
    if (!known.has(id))
      known.set(id, (await pageById(nodes, contents.after, id)) ?? (await pageById(nodes, contents.before, id)))
    return known.get(id)
  }
  const placed: { page: Versions<PageRecord>; ranks: string[] }[] = []
  for (const page of pages) {
    const ranks: string[] = []
    let record = page.after ?? page.before
    while (record && ranks.length < 2 * mostAbove) {
      ranks.unshift(record.rank, record.id)
      record = record.parent === undefined ? undefined : await recordOf(record.parent)
    }
    placed.push({ page, ranks })
  }
  return placed.sort((a, b) => compareRanks(a.ranks, b.ranks)).map(({ page }) => page)
}

function compareRanks(a: readonly string[], b: readonly string[]): number {
  for (const [index, part] of a.entries()) {
    const other = b[index]
    if (other === undefined) return 1
    if (part !== other) return part < other ? -1 : 1
  }
  return a.length - b.length
}
