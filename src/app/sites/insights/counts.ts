/** What was counted on a site, asked for and added up. */
import { useQuery } from '@tanstack/react-query'
import { CallFailed } from '../../../client/client.ts'
import { call, type Output } from '../../session/client.ts'
import { halvesOf, type Range } from './days.ts'

export type Count = Output<'aggregateSiteEvents'>['events'][number]
export type CountType = Count['type']

interface Asked extends Range {
  organizationId: string
  siteId: string
  type?: CountType
}

/** The API answers with a limited number of counts, and says so: then each half of the days is asked for by itself. */
async function readCounts({ organizationId, siteId, from, to, type }: Asked, signal?: AbortSignal): Promise<Count[]> {
  try {
    const body = { from, to, ...(type === undefined ? {} : { type }) }
    const { events } = await call('aggregateSiteEvents', {
      organizationId,
      siteId,
      body,
      ...(signal ? { signal } : {}),
    })
    return events
  } catch (error) {
    const halves = halvesOf({ from, to })
    if (!halves || !(error instanceof CallFailed) || error.type !== 'invalid_input') throw error
    const rest = { organizationId, siteId, ...(type === undefined ? {} : { type }) }
    const [first, second] = halves
    return [...(await readCounts({ ...rest, ...first }, signal)), ...(await readCounts({ ...rest, ...second }, signal))]
  }
}

export const useCounts = (asked: Asked, enabled = true) =>
  useQuery<Count[]>({
    queryKey: ['aggregateSiteEvents', asked],
    queryFn: ({ signal }) => readCounts(asked, signal),
    enabled,
    // What was there stays until what is asked for has come.
    placeholderData: (before) => before,
  })

export const totalOf = (counts: readonly Count[]): number => counts.reduce((sum, { count }) => sum + count, 0)

export function totalsBy<Key extends string>(counts: readonly Count[], keyOf: (count: Count) => Key): Map<Key, number> {
  const totals = new Map<Key, number>()
  for (const count of counts) {
    const key = keyOf(count)
    totals.set(key, (totals.get(key) ?? 0) + count.count)
  }
  return totals
}

interface PageTotal {
  siteSpace: string | undefined
  page: string | undefined
  count: number
}

/** The most read first. */
export function pageTotals(counts: readonly Count[]): PageTotal[] {
  const totals = totalsBy(counts, ({ siteSpace = '', page = '' }) => `${siteSpace} ${page}`)
  return [...totals]
    .map(([key, count]) => {
      const [siteSpace, page] = key.split(' ')
      return { siteSpace: siteSpace || undefined, page: page || undefined, count }
    })
    .sort((a, b) => b.count - a.count)
}
