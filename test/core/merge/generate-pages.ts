/** Small page trees made at random, and random edits of them; see generate.ts for the way of it. */
import fc from 'fast-check'
import { makeDocument, paragraph } from '../../../src/core/document/tree/make.ts'
import type { Block } from '../../../src/core/document/tree/nodes.ts'
import { rankBetween } from '../../../src/core/order.ts'
import type { PageRecord } from '../../../src/core/revision/records.ts'
import { uniqueName } from '../../../src/core/text.ts'
import { type Dice, makeDice } from './dice.ts'
import { childrenOf, copyRevision, emptyRevision, type Revision, type Revisions, storeDocument } from './revision.ts'

export interface TreeRecipe {
  seed: number
  size: number
  ours: number[]
  theirs: number[]
}

export const treeRecipes: fc.Arbitrary<TreeRecipe> = fc.record({
  seed: fc.nat(9999),
  size: fc.integer({ min: 1, max: 9 }),
  ours: fc.array(fc.nat(99_999), { maxLength: 5 }),
  theirs: fc.array(fc.nat(99_999), { maxLength: 5 }),
})

export function makeRevisions({ seed, size, ours, theirs }: TreeRecipe): Revisions {
  const dice = makeDice(seed)
  const base = emptyRevision()
  for (let at = 0; at < size; at += 1) insertPage(base, dice, `k${at}`)
  return { base, ours: edited(base, ours, 'o'), theirs: edited(base, theirs, 't') }
}

export function writtenIn({ pages, documents }: Revision, side: string): string[] {
  return [...pages.values()].flatMap(({ document }) =>
    [...JSON.stringify(documents.get(document ?? '') ?? '').matchAll(new RegExp(`${side}w\\d+`, 'g'))].map(
      ([word]) => word,
    ),
  )
}

function edited(base: Revision, edits: readonly number[], side: string): Revision {
  const revision = copyRevision(base)
  edits.forEach((seed, at) => {
    editOnce(revision, makeDice(seed), `${side}${at}`, `${side}w${at}`)
  })
  return revision
}

function editOnce(revision: Revision, dice: Dice, id: string, word: string): void {
  const pages = [...revision.pages.values()]
  const roll = dice.below(8)
  if (roll <= 1 || pages.length === 0) {
    insertPage(revision, dice, id, word)
    return
  }
  const page = dice.pick(pages)
  if (roll === 2) deletePage(revision, page.id)
  else if (roll === 3 || roll === 4) movePage(revision, page, dice)
  else if (roll === 5)
    setPage(revision, { ...page, title: word, slug: freeSlug(revision, page.parent, dice.pick(slugs), page.id) })
  else if (roll === 6 && dice.below(2) === 0) setPage(revision, { ...page, hidden: true, icon: word })
  else editDocument(revision, page, dice, word)
}

const slugs = ['intro', 'setup', 'usage', 'faq']

function insertPage(revision: Revision, dice: Dice, id: string, word = 'first'): void {
  const parents = [undefined, ...[...revision.pages.values()].map((page) => page.id)]
  const parent = dice.pick(parents.length > 1 && dice.below(2) === 0 ? parents.slice(1) : parents)
  const blocks = [word, 'second words', 'third words'].map(
    (text, at): Block => ({ ...paragraph(text), key: `${id}-${at}` }),
  )
  setPage(revision, {
    id,
    type: 'document',
    title: id,
    slug: freeSlug(revision, parent, dice.pick(slugs), id),
    rank: freeRank(revision, parent, dice),
    ...(parent === undefined ? {} : { parent }),
    document: storeDocument(revision, makeDocument(blocks)),
  })
}

function setPage({ pages }: Revision, page: PageRecord): void {
  pages.set(page.id, page)
}

function deletePage(revision: Revision, id: string): void {
  for (const child of childrenOf(revision.pages, id)) deletePage(revision, child.id)
  revision.pages.delete(id)
}

function movePage(revision: Revision, page: PageRecord, dice: Dice): void {
  const parent = dice.pick([undefined, ...revision.pages.keys()])
  for (let at = parent; at !== undefined; at = revision.pages.get(at)?.parent) if (at === page.id) return
  const { parent: _, ...rest } = page
  const slug = freeSlug(revision, parent, page.slug ?? 'page', page.id)
  setPage(revision, {
    ...rest,
    slug,
    rank: freeRank(revision, parent, dice),
    ...(parent === undefined ? {} : { parent }),
  })
}

function editDocument(revision: Revision, page: PageRecord, dice: Dice, word: string): void {
  const document = revision.documents.get(page.document ?? '')
  const at = dice.below(3)
  const blocks = (document?.nodes ?? []).map((block, place) =>
    place === at ? { ...block, ...paragraph(`${word} words`) } : block,
  )
  setPage(revision, { ...page, document: storeDocument(revision, makeDocument(blocks)) })
}

function freeSlug({ pages }: Revision, parent: string | undefined, slug: string, id: string): string {
  const taken = new Set(childrenOf(pages, parent).flatMap((page) => (page.id === id ? [] : (page.slug ?? []))))
  return uniqueName(slug, (candidate) => taken.has(candidate))
}

function freeRank({ pages }: Revision, parent: string | undefined, dice: Dice): string {
  const siblings = childrenOf(pages, parent)
  const at = dice.below(siblings.length + 1)
  return rankBetween(siblings[at - 1]?.rank ?? '', siblings[at]?.rank ?? '')
}
