/** Laws of the merge of documents, on random triples. */
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { same } from '../../../src/core/diff/equal.ts'
import { walkBlocks } from '../../../src/core/diff/parts.ts'
import { toText } from '../../../src/core/document/text/to-text.ts'
import { paragraph } from '../../../src/core/document/tree/make.ts'
import type { Block, JSONDocument } from '../../../src/core/document/tree/nodes.ts'
import { signatureOf } from '../../../src/core/document/tree/signature.ts'
import { validateDocument } from '../../../src/core/document/tree/validate.ts'
import { alignVersions, hasCarries } from '../../../src/core/merge/alignment.ts'
import { conflictsIn, withoutConflicts } from '../../../src/core/merge/conflicts.ts'
import { mergeDocuments } from '../../../src/core/merge/documents.ts'
import { foundTriples, longestLaw, triesOf } from './found.ts'
import { makeTriple, type Recipe, recipes, type Triple } from './generate.ts'
import { printOutline } from './outline.ts'

vi.setConfig({ testTimeout: longestLaw })

function check(numRuns: number, law: (triple: Triple) => void, fixed: Partial<Recipe> = {}): void {
  fc.assert(
    fc.property(recipes, (recipe) => law(makeTriple({ ...recipe, ...fixed }))),
    { numRuns: triesOf(numRuns), examples: foundTriples.map((recipe) => [recipe]) },
  )
}

/** Without keys, or with equal words, which one is which is a guess, and a guess may differ the second time. */
const certain: Partial<Recipe> = { hasKeys: true, hasEchoes: false }

describe('merging documents', () => {
  it('takes nothing from a side that equals the base, wherever it does', () => {
    check(
      1500,
      ({ base, ours, theirs }) => {
        expectSame(mergeDocuments({ base, ours, theirs: base }).document, ours)
        expectSame(mergeDocuments({ base, ours: base, theirs }).document, theirs)
        // With one more block at the end the documents differ, and everything else goes the long way.
        expectSame(mergeDocuments({ base, ours, theirs: withTail(base) }).document, withTail(ours))
        const { document } = mergeDocuments({ base, ours: withTail(base), theirs })
        expectSame({ ...document, nodes: document.nodes.filter(({ key }) => key !== tail.key) }, theirs)
      },
      certain,
    )
  })

  it('is itself for two equal sides', () => {
    check(
      1000,
      ({ base, ours }) => {
        expectSame(mergeDocuments({ base, ours, theirs: structuredClone(ours) }).document, ours)
        expectSame(mergeDocuments({ base, ours, theirs: structuredClone(withTail(ours)) }).document, withTail(ours))
        expectSame(
          mergeDocuments({ base, ours: withTail(ours), theirs: structuredClone(ours) }).document,
          withTail(ours),
        )
      },
      certain,
    )
  })

  it('keeps every word either side wrote, each in its own version', () => {
    check(2500, ({ base, ours, theirs, written }) => {
      const { document } = mergeDocuments({ base, ours, theirs })
      expectWords(document, [...written.ours, ...written.theirs])
      // A block that one side carried into what the other deleted has but one version.
      if (hasCarries(alignVersions({ base, ours, theirs }))) return
      expectWords(withoutConflicts(document, 'ours'), written.ours)
      expectWords(withoutConflicts(document, 'theirs'), written.theirs)
    })
  })

  it('commutes where nothing conflicts, and conflicts both ways', () => {
    check(1500, ({ base, ours, theirs }) => {
      const one = mergeDocuments({ base, ours, theirs })
      const other = mergeDocuments({ base, ours: theirs, theirs: ours })
      expect(other.conflicts.length > 0).toBe(one.conflicts.length > 0)
      if (one.conflicts.length === 0) expect(linesOf(other.document)).toEqual(linesOf(one.document))
    })
  })

  it('adds nothing the second time', () => {
    check(
      1000,
      ({ base, ours, theirs }) => {
        const { document, conflicts } = mergeDocuments({ base, ours, theirs })
        // A list that the two emptied between them is gone, though neither deleted it: from then on that is a deletion,
        // and it meets what the other side did to the list, such as moving it. And a new block that says what a deleted
        // one said (a rule, which says nothing) is the old one to whoever compares what is said.
        if (conflicts.length > 0 || hasEmptied(document, { ours, theirs }) || hasReplaced(document, base)) return
        expect(linesOf(mergeDocuments({ base, ours: document, theirs }).document)).toEqual(linesOf(document))
        expect(linesOf(mergeDocuments({ base, ours: theirs, theirs: document }).document)).toEqual(linesOf(document))
      },
      certain,
    )
  })

  it('gives a valid document with different keys', () => {
    check(1000, ({ base, ours, theirs }) => {
      const { document, conflicts } = mergeDocuments({ base, ours, theirs })
      const read = validateDocument(document)
      // The marks survive the reading of documents: they are what a merge is refused for.
      expect(read.ok && conflictsIn(read.document).map(({ id }) => id)).toEqual(conflicts.map(({ id }) => id))
      const seen = new Set<string>()
      walkBlocks(document, ({ key }) => {
        if (key === undefined) return
        expect(seen.has(key)).toBe(false)
        seen.add(key)
      })
    })
  })
})

function hasEmptied(merged: JSONDocument, { ours, theirs }: Pick<Triple, 'ours' | 'theirs'>): boolean {
  const inTheirs = keysOf(theirs)
  const inMerged = keysOf(merged)
  return [...keysOf(ours)].some((key) => inTheirs.has(key) && !inMerged.has(key))
}

function hasReplaced(merged: JSONDocument, base: JSONDocument): boolean {
  const [olds, news] = [keysOf(base), keysOf(merged)]
  const gone = new Set<number>()
  walkBlocks(base, (block) => {
    if (!news.has(block.key ?? '')) gone.add(signatureOf(block, new Map()))
  })
  let isReplaced = false
  walkBlocks(merged, (block) => {
    isReplaced ||= !olds.has(block.key ?? '') && gone.has(signatureOf(block, new Map()))
  })
  return isReplaced
}

function keysOf(document: JSONDocument): Set<string> {
  const keys = new Set<string>()
  walkBlocks(document, ({ key }) => {
    if (key !== undefined) keys.add(key)
  })
  return keys
}

const tail: Block = { ...paragraph('zebra yak xylophone'), key: 'tail' }

function withTail(document: JSONDocument): JSONDocument {
  return { ...document, nodes: [...document.nodes, tail] }
}

function expectSame(document: JSONDocument, wanted: JSONDocument): void {
  if (!same(document, wanted)) expect(printOutline(document)).toBe(printOutline(wanted))
  expect(same(document, wanted)).toBe(true)
}

function expectWords(document: JSONDocument, words: readonly string[]): void {
  const there = new Set(`${toText(document)} ${JSON.stringify(document)}`.match(/\w+/g))
  expect(words.filter((word) => !there.has(word))).toEqual([])
}

/** The blocks without their order: two insertions at one place stand the other way round. */
function linesOf(document: JSONDocument): string[] {
  return printOutline(document)
    .split('\n')
    .map((line) =>
      line
        .trim()
        .replace(/^(\S+) [oktu]\d+/, '$1')
        .replace(/^(row|column) \S+/, '$1')
        .replaceAll(/[*|]/g, '')
        .split(/ +/)
        .filter((word) => word !== '')
        .sort()
        .join(' '),
    )
    .sort()
}
