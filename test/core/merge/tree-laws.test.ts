/** Laws of the merge of page trees, on random triples. */
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { same } from '../../../src/core/diff/equal.ts'
import { isEdited } from '../../../src/core/merge/page-fields.ts'
import { mergePages } from '../../../src/core/merge/pages.ts'
import { foundTrees, longestLaw, triesOf } from './found.ts'
import { makeRevisions, treeRecipes, writtenIn } from './generate-pages.ts'
import {
  copyRevision,
  emptyRevision,
  faultsOf,
  mergeInput,
  mergeRevisions,
  type Revision,
  type Revisions,
} from './revision.ts'
import { printRevision } from './revision-outline.ts'

vi.setConfig({ testTimeout: longestLaw })

async function check(numRuns: number, law: (revisions: Revisions) => Promise<void>): Promise<void> {
  await fc.assert(
    fc.asyncProperty(treeRecipes, (recipe) => law(makeRevisions(recipe))),
    { numRuns: triesOf(numRuns), examples: foundTrees.map((recipe) => [recipe]) },
  )
}

describe('merging page trees', () => {
  it('takes nothing from a side that equals the base, and nothing twice', async () => {
    await check(500, async ({ base, ours, theirs }) => {
      const nothing = { puts: [], deletes: [], conflicts: [], renamed: [] }
      expect(await mergePages(mergeInput({ base, ours, theirs: base }))).toMatchObject(nothing)
      expect(await mergePages(mergeInput({ base, ours, theirs: copyRevision(ours) }))).toMatchObject(nothing)
      const { revision, conflicts } = await mergeRevisions({ base, ours: base, theirs })
      expect(printRevision(revision)).toBe(printRevision(theirs))
      expect(conflicts).toEqual([])
    })
  })

  it('gives a tree and loses neither a page nor a word', async () => {
    await check(1000, async ({ base, ours, theirs }) => {
      const { revision } = await mergeRevisions({ base, ours, theirs })
      expect(faultsOf(revision)).toEqual([])
      expect(lostPages({ base, ours, theirs }, revision)).toEqual([])
      const words = new Set([...writtenIn(revision, 'o'), ...writtenIn(revision, 't')])
      expect([...writtenIn(ours, 'o'), ...writtenIn(theirs, 't')].filter((word) => !words.has(word))).toEqual([])
    })
  })

  it('commutes where nothing conflicts, and conflicts both ways', async () => {
    await check(500, async ({ base, ours, theirs }) => {
      const one = await mergeRevisions({ base, ours, theirs })
      const other = await mergeRevisions({ base, ours: theirs, theirs: ours })
      expect(other.conflicts.length > 0).toBe(one.conflicts.length > 0)
      if (one.conflicts.length === 0) expect(unordered(other.revision)).toEqual(unordered(one.revision))
    })
  })

  it('adds nothing the second time', async () => {
    await check(500, async ({ base, ours, theirs }) => {
      const { revision, conflicts } = await mergeRevisions({ base, ours, theirs })
      if (conflicts.length > 0) return
      const again = await mergeRevisions({ base, ours: revision, theirs: withDocuments(theirs, revision) })
      expect(again.conflicts).toEqual([])
      expect(unordered(again.revision)).toEqual(unordered(revision))
    })
  })

  it('reads no more in a large space than in a small one', async () => {
    const reads = async (size: number): Promise<number> => {
      const base = emptyRevision()
      for (let at = 0; at < size; at += 1)
        base.pages.set(`k${at}`, { id: `k${at}`, type: 'document', title: 'Page', slug: `k${at}`, rank: `a${at}V` })
      const ours = copyRevision(base)
      const theirs = copyRevision(base)
      ours.pages.set('k1', { id: 'k1', type: 'document', title: 'Ours', slug: 'k1', rank: 'a1V' })
      theirs.pages.set('k1', { id: 'k1', type: 'document', title: 'Page', slug: 'other', rank: 'a1V', parent: 'k2' })
      theirs.pages.set('t', { id: 't', type: 'document', title: 'New', slug: 'new', rank: 'a3W' })
      const count = { reads: 0 }
      await mergePages(mergeInput({ base, ours, theirs }, count))
      return count.reads
    }
    expect(await reads(3000)).toBe(await reads(10))
  })
})

/** Pages that a side has, and that the other either has too, never knew, or deleted while it was edited. */
function lostPages({ base, ours, theirs }: Revisions, merged: Revision): string[] {
  const kept = ([side, other]: readonly [Revision, Revision]): string[] =>
    [...side.pages.values()].flatMap((page) => {
      const old = base.pages.get(page.id)
      const mustStay = other.pages.has(page.id) || old === undefined || isEdited(old, page)
      return mustStay && !merged.pages.has(page.id) ? [page.id] : []
    })
  return [...kept([ours, theirs]), ...kept([theirs, ours])]
}

/** Pages without the order of siblings, without ranks, and without the numbers behind slugs. */
function unordered({ pages, documents }: Revision): string[] {
  return [...pages.values()]
    .map(({ rank: _, slug, document, ...rest }) => {
      const words = JSON.stringify(documents.get(document ?? '')?.nodes ?? [])
      return JSON.stringify([rest.id, slug?.replace(/(-\d+)+$/, ''), Object.entries(rest).sort(), words])
    })
    .sort()
}

/** The same documents under the same hashes: equal texts are equal hashes in both. */
function withDocuments(revision: Revision, other: Revision): Revision {
  const copy = copyRevision(revision)
  for (const [hash, document] of other.documents)
    if (!same(copy.documents.get(hash), document)) copy.documents.set(hash, document)
  return copy
}
