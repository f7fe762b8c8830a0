/** Where spaces and collections stand: they share one order under each parent. */
import type { z } from 'zod'
import type { SpaceOrCollection } from '../contract/content/spaces.ts'
import { invalid } from '../core/errors.ts'
import { type Position, rankBetween, ranksAt } from '../core/order.ts'
import {
  type CollectionRow,
  childrenOf,
  type Ranked,
  raiseCollections,
  raiseSpaces,
  setRanks,
  siblingsIn,
} from '../store/content/spaces.ts'
import { copyGrantsToCollections, copyGrantsToSpaces } from '../store/people/grants.ts'
import type { Base } from './handler.ts'
import { mayPlaceUnder } from './moving.ts'
import { named } from './named.ts'

type Ref = z.output<typeof SpaceOrCollection>

const idOf = (ref: Ref | undefined): string | undefined =>
  ref === undefined ? undefined : ref.type === 'space' ? ref.space : ref.collection

/** A rank for something that comes to stand under a parent: before or after a sibling, or last. Room is made for it where there is none. */
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
  const [rank = ''] = await makeRoom(base, siblings, { index: before ? index : index + 1, count: 1 })
  return rank
}

/** Ranks for some things at an index among siblings, which are in their order. */
async function makeRoom(
  { db }: Base,
  siblings: readonly Ranked[],
  room: { index: number; count: number },
): Promise<string[]> {
  const ranks = siblings.map(({ rank }) => rank)
  const { coming, pushed } = ranksAt(ranks, room)
  if (pushed.length > 0) await setRanks(db, ranked(siblings.slice(room.index), pushed))
  return coming
}

/** Things with the ranks that stand for them in a list. */
const ranked = (things: readonly { id: string }[], ranks: readonly string[]): Ranked[] =>
  ranks.flatMap((rank, index) => {
    const thing = things[index]
    return thing ? { id: thing.id, rank } : []
  })

/**
 * What a collection held, when it is deleted, comes to stand where the collection stood, in the same order. What inherited the
 * collection's level has it as its own from then on, and whoever was given something on the collection has it on everything in it, so
 * that nothing is opened and nobody is shut out.
 */
export async function raiseContents(base: Base, collection: CollectionRow): Promise<void> {
  const { db } = base
  const { id: from, organizationId, parentId: to, defaultLevel: level } = collection
  const children = await childrenOf(db, { organizationId, parent: from })
  if (children.length === 0) return
  await mayPlaceUnder(base, collection, to)
  const siblings = await siblingsIn(db, { organizationId, parent: to })
  const index = siblings.findIndex(({ id }) => id === from)
  const others = siblings.filter(({ id }) => id !== from)
  const ranks = await makeRoom(base, others, { index, count: children.length })
  await copyGrantsToSpaces(db, { from })
  await copyGrantsToCollections(db, { from })
  await raiseSpaces(db, { from, to, level })
  await raiseCollections(db, { from, to, level })
  await setRanks(db, ranked(children, ranks))
}
