/**
 * Documents made to be slow, and the sizes people have. The limits are of processor time and wide: they catch what
 * grows with the square, not what a busy machine adds.
 */
import { describe, expect, it } from 'vitest'
import { diffDocuments } from '../../../src/core/diff/documents.ts'
import { makeDocument, paragraph } from '../../../src/core/document/tree/make.ts'
import type { Block, JSONDocument } from '../../../src/core/document/tree/nodes.ts'
import { mergeDocuments } from '../../../src/core/merge/documents.ts'
import { mergePages } from '../../../src/core/merge/pages.ts'
import { processorTime } from '../../kit/processor-time.ts'
import { makeDice } from './dice.ts'
import { copyRevision, emptyRevision, mergeInput, type Revision, storeDocument } from './revision.ts'

const words = (count: number, seed: number): string => {
  const dice = makeDice(seed)
  return Array.from({ length: count }, () => `w${dice.below(2000)}`).join(' ')
}
const documentOf = (count: number, text: (at: number) => string): JSONDocument =>
  makeDocument(Array.from({ length: count }, (_, at): Block => ({ ...paragraph(text(at)), key: `k${at}` })))
const oneOf = (text: string): JSONDocument => documentOf(1, () => text)
const every = (text: string, step: number, word: string): string =>
  text
    .split(' ')
    .map((old, at) => (at % step === 0 ? `${word}${at}` : old))
    .join(' ')

async function cost(work: () => unknown): Promise<number> {
  const start = processorTime()
  await work()
  return processorTime() - start
}

const second = 1000
// For machines that are slow.
const slack = 4

describe('speed', () => {
  it('merges 1,000 blocks at once', async () => {
    const base = documentOf(1000, (at) => words(40, at))
    const ours = documentOf(1000, (at) => (at % 50 === 0 ? `${words(40, at)} ours` : words(40, at)))
    const theirs = documentOf(1000, (at) => (at % 50 === 25 ? `theirs ${words(40, at)}` : words(40, at)))
    const runs: number[] = []
    for (let run = 0; run < 20; run += 1) runs.push(await cost(() => mergeDocuments({ base, ours, theirs })))
    expect(Math.min(...runs)).toBeLessThan(20 * slack)
  })

  const long = words(50_000, 1)
  const plain = documentOf(10_000, () => 'the same words')
  const cases: [string, () => unknown][] = [
    [
      '10,000 equal paragraphs',
      () =>
        mergeDocuments({
          base: plain,
          ours: documentOf(9_990, (at) => (at === 5 ? 'ours' : 'the same words')),
          theirs: documentOf(10_010, () => 'the same words'),
        }),
    ],
    [
      '10,000 equal paragraphs turned round',
      () =>
        mergeDocuments({
          base: plain,
          ours: { ...plain, nodes: plain.nodes.toReversed() },
          theirs: documentOf(10_000, (at) => (at === 9 ? 'theirs' : 'the same words')),
        }),
    ],
    [
      '50,000 words with 500 edits a side',
      () =>
        mergeDocuments({ base: oneOf(long), ours: oneOf(every(long, 100, 'o')), theirs: oneOf(every(long, 101, 't')) }),
    ],
    [
      '50,000 words rewritten by both',
      () => mergeDocuments({ base: oneOf(long), ours: oneOf(words(50_000, 2)), theirs: oneOf(words(50_000, 3)) }),
    ],
    [
      '1,000 blocks rewritten by both',
      () =>
        mergeDocuments({
          base: documentOf(1000, (at) => words(40, at)),
          ours: documentOf(1000, (at) => words(40, at + 5000)),
          theirs: documentOf(1000, (at) => words(40, at + 9000)),
        }),
    ],
    ['a diff of 50,000 words rewritten', () => diffDocuments(oneOf(long), oneOf(words(50_000, 4)))],
  ]
  for (const [name, work] of cases)
    it(`bounds ${name}`, async () => {
      expect(await cost(work)).toBeLessThan(second * slack)
    }, 120_000)

  it('merges 1,000 pages changed on both sides', async () => {
    const base = emptyRevision()
    for (let at = 0; at < 1000; at += 1)
      base.pages.set(`p${at}`, {
        id: `p${at}`,
        type: 'document',
        title: `Page ${at}`,
        slug: `p${at}`,
        rank: `a0${String(at).padStart(4, '0')}V`,
        ...(at < 10 ? {} : { parent: `p${at % 10}` }),
        document: storeDocument(
          base,
          documentOf(30, (block) => `${at} ${words(40, block)}`),
        ),
      })
    const changed = (place: number): Revision => {
      const side = copyRevision(base)
      for (const page of base.pages.values()) {
        const text = (block: number): string =>
          `${page.id.slice(1)} ${words(40, block)}${block === place ? ' more' : ''}`
        side.pages.set(page.id, { ...page, document: storeDocument(side, documentOf(30, text)) })
      }
      return side
    }
    const input = mergeInput({ base, ours: changed(3), theirs: changed(20) })
    const runs: number[] = []
    for (let run = 0; run < 3; run += 1) runs.push(await cost(() => mergePages(input)))
    expect(Math.min(...runs)).toBeLessThan(500 * slack)
  }, 120_000)
})
