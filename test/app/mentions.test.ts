/** Names in comments: found while they are typed, and written as mentions. */
import { expect, test } from 'vitest'
import { findPeople, typedName, writeMentions } from '../../src/app/comments/mentions.ts'

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

test('only those who were chosen become mentions, the longest name first', () => {
  expect(writeMentions('@Ada Byron and @Ada and @Lin', [adam, ada])).toBe(
    '[Ada Byron](/users/u1 "mention") and [Ada](/users/u2 "mention") and @Lin',
  )
  expect(writeMentions('@A_b', [{ id: 'u3', name: 'A_b' }])).toBe('[A\\_b](/users/u3 "mention")')
  expect(writeMentions('@Adam, @Ada, @Ada.', [adam])).toBe(
    '@Adam, [Ada](/users/u2 "mention"), [Ada](/users/u2 "mention").',
  )
  expect(writeMentions('@Ada', [])).toBe('@Ada')
})
