/** Names in comments: found while they are typed, and written as mentions. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findPeople, followEdit, typedName, writeMentions } from '../../src/app/comments/mentions.ts'

const ada = { id: 'u1', name: 'Ada Byron' }
const adam = { id: 'u2', name: 'Ada' }

test('a name begins with its sign, and ends where no name goes on', () => {
  expect(typedName('Ask @Ad', 7)).toEqual({ at: 4, end: 7 })
  expect(typedName('@', 1)).toEqual({ at: 0, end: 1 })
  expect(typedName('@Ada By', 7)).toEqual({ at: 0, end: 7 })
  expect(typedName('me@example.org', 14)).toBeUndefined()
  expect(typedName('@Ada\nand', 8)).toBeUndefined()
  expect(findPeople([ada, adam], 'by')).toEqual([ada])
})

test('only names that were chosen, where they were, become mentions', () => {
  expect(
    writeMentions('@Ada Byron and @Ada and @Ada', [
      { at: 15, person: adam },
      { at: 0, person: ada },
    ]),
  ).toBe('[Ada Byron](/users/u1 "mention") and [Ada](/users/u2 "mention") and @Ada')
  expect(writeMentions('@A_b', [{ at: 0, person: { id: 'u3', name: 'A_b' } }])).toBe('[A\\_b](/users/u3 "mention")')
  expect(writeMentions('@Adam', [{ at: 0, person: adam }])).toBe('@Adam')
  expect(writeMentions('@Ada', [])).toBe('@Ada')
})

test('two people of one name are both who was chosen', () => {
  const other = { id: 'u4', name: 'Ada' }
  expect(
    writeMentions('@Ada, @Ada', [
      { at: 6, person: other },
      { at: 0, person: adam },
    ]),
  ).toBe('[Ada](/users/u2 "mention"), [Ada](/users/u4 "mention")')
})

test('whatever is typed or deleted around a name, it stays who was chosen; what was changed itself is nobody', () => {
  const words = fc.string({ unit: fc.constantFrom('@', 'A', 'd', 'a', ' ') })
  fc.assert(
    fc.property(words, words, words, fc.nat(), fc.nat(), (start, rest, typed, first, second) => {
      const before = `${start}@Ada ${rest}`
      const chosen = [{ at: start.length, person: adam }]
      const [from, to] = [first % (before.length + 1), second % (before.length + 1)].sort((a, b) => a - b) as [
        number,
        number,
      ]
      const after = before.slice(0, from) + typed + before.slice(to)
      const followed = followEdit(chosen, { before, after, cursor: from + typed.length })
      const end = start.length + 4
      if (to <= start.length)
        expect(followed).toEqual([{ at: start.length + typed.length - (to - from), person: adam }])
      else if (from >= end) expect(followed).toEqual(chosen)
      // Whatever it is taken for, it stands there.
      for (const { at } of followed) expect(after.slice(at, at + 4)).toBe('@Ada')
    }),
  )
})
