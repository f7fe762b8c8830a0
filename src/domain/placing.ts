/** Where spaces and collections stand: they share one order under each parent. */
import { invalid } from '../core/errors.ts'
import { type Position, rankBetween } from '../core/order.ts'
import { siblingsIn } from '../store/content/spaces.ts'
import type { Base } from './handler.ts'
import { named } from './named.ts'

type PlaceRef = { type: 'space'; space: string } | { type: 'collection'; collection: string }

const idOf = (ref: PlaceRef | undefined): string | undefined =>
  ref === undefined ? undefined : ref.type === 'space' ? ref.space : ref.collection

/** A rank for something that comes to stand under a parent: before or after a sibling, or last. */
export async function rankFor(
  base: Base,
  place: {
    organizationId: string
    parent: string | null
    self?: string
    position?: Position<PlaceRef> | undefined
  },
): Promise<string> {
  const siblings = (await siblingsIn(base.db, place)).filter((sibling) => sibling.id !== place.self)
  const { before, after } = place.position ?? {}
  const anchor = before ?? after
  if (anchor === undefined) return rankBetween(siblings.at(-1)?.rank ?? '', '')
  // A sibling the caller may not see must not be told apart from one that is not there.
  const anchorId = idOf(anchor) as string
  await named(base, anchor.type, anchorId)
  const index = siblings.findIndex((sibling) => sibling.id === anchorId)
  if (index < 0) throw invalid(`position.${before ? 'before' : 'after'}`, 'does not stand under that parent')
  const [low, high] = before ? [siblings[index - 1], siblings[index]] : [siblings[index], siblings[index + 1]]
  return rankBetween(low?.rank ?? '', high?.rank ?? '')
}
