/**
 * What another web page says of itself: fetched through the guard, a few at a time, and kept for a day. A page that does
 * not answer is shown by its host, and asked again soon.
 */
import { defineCache } from '../../core/caches.ts'
import { invalid } from '../../core/errors.ts'
import type { Base } from '../handler.ts'
import { type PageCard, readPageCard } from './page-card.ts'

interface Known {
  card: PageCard
  until: number
}

const cardsIn = defineCache<Known>('embeds', { share: 0.005 })
const goodHours = 24
const failedMinutes = 5
const fetchLimit = { bytes: 512 * 1024, milliseconds: 5_000 }
/** Whoever comes while so many are asked for gets the host: nobody waits in a line for strangers' servers. */
const mostAtOnce = 4
let underWay = 0
/** Visitors need no account, and choose the address: each site has so many fetches a minute for all of them. */
const mostForVisitors = 30
const spent = { minute: 0, bySite: new Map<string, number>() }

export async function embedAt(base: Pick<Base, 'db' | 'env' | 'now' | 'actor'>, url: string): Promise<PageCard> {
  if (!URL.canParse(url)) throw invalid('url', 'must be an address that can be read')
  const cards = cardsIn(base.db.caches)
  const now = Date.parse(base.now)
  const known = cards.get(url)
  if (known && known.until > now) return known.card
  const plain = readPageCard('', url)
  if (underWay >= mostAtOnce || !isAllowed(base.actor, now)) return plain
  underWay += 1
  let card: PageCard | undefined
  try {
    const { bytes, contentType, url: last } = await base.env.fetch(url, fetchLimit)
    if (contentType?.includes('html'))
      card = readPageCard(new TextDecoder().decode(bytes.subarray(0, 128 * 1024)), last)
  } catch {
    // What cannot be fetched is told by its address.
  } finally {
    underWay -= 1
  }
  const until = now + (card ? goodHours * 3_600_000 : failedMinutes * 60_000)
  cards.set(url, { card: card ?? plain, until }, 1000 + 2 * url.length)
  return card ?? plain
}

function isAllowed({ visitor }: Base['actor'], now: number): boolean {
  if (!visitor) return true
  const minute = Math.floor(now / 60_000)
  if (minute !== spent.minute) {
    spent.minute = minute
    spent.bySite.clear()
  }
  const fetches = (spent.bySite.get(visitor.siteId) ?? 0) + 1
  spent.bySite.set(visitor.siteId, fetches)
  return fetches <= mostForVisitors
}
