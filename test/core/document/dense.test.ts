/**
 * A second for a megabyte: whatever a page is made of, it is read or refused in that time, and what was read is printed in
 * that time. The bounds here are some times the goal, in time of the processor, for machines that are slow or busy.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type FromMarkdown, fromMarkdown } from '../../../src/core/document/read/from-markdown.ts'
import { toMarkdown } from '../../../src/core/document/to-markdown.ts'
import { maxSize, sizeOf, TooLarge } from '../../../src/core/document/tree/size.ts'
import { validateDocument } from '../../../src/core/document/tree/validate.ts'
import { leastTimeOf } from '../../kit/processor-time.ts'
import { document } from './arbitrary-blocks.ts'
import { dense } from './dense.ts'

/** An eighth of a megabyte each; `DENSE=1000000` for a thorough look. */
const size = Number(process.env.DENSE ?? 125_000)
const most = 4000

describe.each(Object.entries(dense))('a page of %s', (_, source) => {
  let whole: FromMarkdown | undefined
  test('is read or refused in time', { timeout: 60_000 }, () => {
    const { ms, result } = leastTimeOf(() => readWithin(source(size)), most)
    expect(ms).toBeLessThan(most)
    if (result !== undefined) expect(sizeOf(result.document)).toBeLessThanOrEqual(maxSize)
    whole = result
  })

  test('or as much of it as a page may hold is read and printed in time', { timeout: 60_000 }, () => {
    // What was read whole was timed above; of what was refused, the largest part that is not.
    const read = whole ?? readPart(source)
    const printed = leastTimeOf(() => toMarkdown(read.document, read), most)
    expect(printed.ms, 'printing').toBeLessThan(most)
  })
})

function readPart(source: (size: number) => string): FromMarkdown {
  const sample = 20_000
  const share = maxSize / sizeOf(fromMarkdown(source(sample)).document)
  const markdown = source(Math.min(size, sample * share * 0.95))
  const { ms, result } = leastTimeOf(() => fromMarkdown(markdown, { maxSize }), most)
  expect(ms, 'reading').toBeLessThan(most)
  return result
}

describe('the limit', () => {
  test('lets prose of a megabyte through', () => {
    expect(readWithin(dense.prose?.(1_000_000) ?? '')).toBeDefined()
  })

  test('is the same for a tree and for its Markdown', () => {
    const words = { object: 'block', type: 'paragraph', nodes: [{ object: 'text', leaves: [leafOf('a')] }] }
    const tree = (count: number) => ({ object: 'document', data: {}, nodes: Array(count).fill(words) })
    expect(validateDocument(tree(maxSize / 2))).toMatchObject({ ok: true })
    expect(validateDocument(tree(maxSize / 2 + 1))).toMatchObject({ ok: false })
    expect(readWithin('a\n\n'.repeat(maxSize / 2))).toBeDefined()
    expect(readWithin('a\n\n'.repeat(maxSize / 2 + 1))).toBeUndefined()
  })

  test('counts every cell that a table of few words would have', () => {
    const ids = Array.from({ length: 1000 }, (_, at) => `x${at}`)
    const definition = Object.fromEntries(ids.map((id) => [id, { id, title: '', type: 'text' }]))
    const records = Object.fromEntries(ids.map((id) => [id, { orderIndex: id, values: {} }]))
    const data = { view: { type: 'grid', columns: [], hideHeader: false }, definition, records }
    const nodes = [{ object: 'block', type: 'table', data, fragments: [] }]
    const checked = leastTimeOf(() => validateDocument({ object: 'document', data: {}, nodes }), most)
    expect(checked.result).toMatchObject({ ok: false, problem: { path: 'nodes[0]' } })
    expect(checked.ms).toBeLessThan(most)
  })

  test('does not stop the reading of what is within it', { timeout: 120_000 }, () => {
    fc.assert(
      fc.property(document(2), (tree) => {
        const printed = toMarkdown(tree)
        const whole = fromMarkdown(printed)
        // Labels that only printers repeat are counted on the way and are no part of the document.
        const room = 2 * sizeOf(whole.document) + 10
        expect(fromMarkdown(printed, { maxSize: room }).document).toEqual(whole.document)
      }),
      { numRuns: 400 },
    )
  })
})

const leafOf = (text: string) => ({ object: 'leaf', text, marks: [] })

function readWithin(markdown: string): FromMarkdown | undefined {
  try {
    return fromMarkdown(markdown, { maxSize })
  } catch (error) {
    if (error instanceof TooLarge) return undefined
    throw error
  }
}
