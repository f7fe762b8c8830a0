/** JSON in pieces is the JSON that it is in one. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parsePieces, printPieces } from '../../src/core/json-pieces.ts'

const withGaps = fc.object({
  withBigInt: false,
  withNullPrototype: false,
  values: [fc.constant(undefined), fc.jsonValue()],
})
const most = fc.integer({ min: 0, max: 8 })

test('what is printed is together what JSON.stringify prints, however small the pieces are', () => {
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), withGaps), most, (value, most) => {
      // What a client would read: a property that is undefined is none, and in a list it is null.
      expect([...printPieces(value, most)].join('')).toBe(JSON.stringify(value))
    }),
  )
})

const read = (text: string, most: number): { value: unknown; steps: number } => {
  const pieces = parsePieces(text, most)
  for (let steps = 0; ; steps++) {
    const step = pieces.next()
    if (step.done) return { value: step.value, steps }
  }
}

/** With space on both sides of everything that is not inside of a text. */
const spaced = (text: string): string =>
  text.replace(/"(?:[^"\\]|\\.)*"|[[\]{},:]/g, (part) => (part.startsWith('"') ? part : ` \t${part}\n `))

test('what is read is what JSON.parse reads, however small the pieces are', () => {
  const hostile = fc.constantFrom('"', '\\', '\\"', '[', ']', '{', '}', ',', ':', '[1,{"a":2}]', '__proto__', '\u2028')
  const texts = fc.oneof(
    hostile,
    fc.string(),
    fc.array(hostile).map((parts) => parts.join('')),
  )
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 5 },
      fc.jsonValue(),
      texts,
      fc.array(tie('tree'), { maxLength: 6 }),
      fc.dictionary(texts, tie('tree'), { maxKeys: 6 }),
    ),
  }))
  fc.assert(
    fc.property(tree, most, (given, most) => {
      const text = JSON.stringify(given)
      expect(read(text, most).value).toStrictEqual(JSON.parse(text))
      expect(JSON.stringify(read(text, most).value)).toBe(text)
      // As people write it: with space around every comma and bracket.
      for (const written of [JSON.stringify(given, null, 2), spaced(text)])
        expect(read(written, most).value, written).toStrictEqual(JSON.parse(text))
    }),
    { numRuns: 500 },
  )
})

test('a large text is read in many steps, wherever in it the mass lies', () => {
  const words = Array.from({ length: 20_000 }, (_, i) => ({ word: `${i}`, marks: [{ type: 'bold' }] }))
  for (const value of [words, { a: { b: [0, { words }, 1] }, c: 2 }, Object.fromEntries(words.entries())]) {
    const { value: found, steps } = read(JSON.stringify(value), 10_000)
    expect(found).toEqual(value)
    expect(steps).toBeGreaterThan(50)
  }
})
