/** Where spaces and collections stand: they share one order under each parent. */
import type { z } from 'zod'
import type { SpaceOrCollection } from '../contract/content/spaces.ts'
import { invalid } from '../core/errors.ts'
import { type Position, rankBetween } from '../core/order.ts'
import { siblingsIn } from '../store/content/spaces.ts'
import type { Base } from './handler.ts'
import { named } from './named.ts'

type Ref = z.output<typeof SpaceOrCollection>

const idOf = (ref: Ref | undefined): string | undefined =>
  ref === undefined ? undefined : ref.type === 'space' ? ref.space : ref.collection

/** A rank for something that comes to stand under a parent: before or after a sibling, or last. */
export async function rankFor(
  base: Base,
  target: {
    organizationId: string
    parent: string | null
    self?: string
    position?: Position<Ref> | undefined
  },
): Promise<string> {
  const siblings = (await siblingsIn(base.db, target)).filter((sibling) => sibling.id !== target.self)
  const { before, after } = target.position ?? {}
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
