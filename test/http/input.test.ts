/** What callers are told about values that are not what they should be. */
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { ApiError } from '../../src/core/errors.ts'
import { bodyReader, queryReader } from '../../src/http/api/input.ts'

const Body = z.object({
  title: z.string().min(2).max(5).optional(),
  name: z.string().min(1).optional(),
  size: z.number().int().min(1).max(10).optional(),
  ratio: z.number().gt(0).optional(),
  isOpen: z.boolean().optional(),
  role: z.enum(['read', 'edit']).optional(),
  kind: z.literal('page').optional(),
  tags: z.array(z.string()).max(1).optional(),
  words: z.record(z.string(), z.string()).optional(),
  email: z.email('must be an e-mail address').optional(),
  when: z.iso.datetime().optional(),
  strict: z.strictObject({ a: z.string() }).optional(),
  text: z
    .union([z.object({ markdown: z.string() }), z.object({ document: z.object({}), more: z.string() })])
    .optional(),
  change: z.discriminatedUnion('operation', [
    z.object({ operation: z.literal('insert') }),
    z.object({ operation: z.literal('delete') }),
  ]),
})

const change = { operation: 'insert' }

describe('a wrong body', () => {
  for (const [body, message] of [
    [[], 'The body must be an object.'],
    [undefined, 'The body is missing.'],
    [{}, '`change` is missing.'],
    [{ change: { operation: 'mend' } }, '`change.operation` must be one of insert, delete.'],
    [{ change, title: 5 }, '`title` must be a string.'],
    [{ change, title: 'a' }, '`title` must have at least 2 characters.'],
    [{ change, title: 'abcdef' }, '`title` must have at most 5 characters.'],
    [{ change, name: '' }, '`name` must not be empty.'],
    [{ change, size: '5' }, '`size` must be a number.'],
    [{ change, size: 1.5 }, '`size` must be a whole number.'],
    [{ change, size: 0 }, '`size` must be at least 1.'],
    [{ change, size: 11 }, '`size` must be at most 10.'],
    [{ change, ratio: 0 }, '`ratio` must be more than 0.'],
    [{ change, isOpen: 'yes' }, '`isOpen` must be true or false.'],
    [{ change, role: 'own' }, '`role` must be one of read, edit.'],
    [{ change, kind: 'file' }, '`kind` must be page.'],
    [{ change, tags: 'a' }, '`tags` must be a list.'],
    [{ change, tags: [1] }, '`tags.0` must be a string.'],
    [{ change, tags: ['a', 'b'] }, '`tags` must have at most 1 item.'],
    [{ change, words: [] }, '`words` must be an object.'],
    [{ change, email: 'x' }, '`email` must be an e-mail address.'],
    [{ change, when: 'noon' }, '`when` must be a time such as 2026-11-15T08:30:00Z.'],
    [{ change, strict: { a: '', b: 1 } }, '`strict` has an unknown field: b.'],
    [{ change, text: {} }, '`text.markdown` is missing.'],
    [{ change, text: 'words' }, '`text` must be an object.'],
  ] as const)
    test(`${JSON.stringify(body)}: ${message}`, () => {
      expect(refusalOf(() => bodyReader(Body)(body)).message).toBe(message)
    })

  test('is told of all that is wrong with it, each by its field', () => {
    const { details } = refusalOf(() => bodyReader(Body)({ change, size: 0, isOpen: 1 }))
    expect(details).toEqual([
      { field: 'size', message: 'must be at least 1' },
      { field: 'isOpen', message: 'must be true or false' },
    ])
  })
})

test('a wrong parameter is named as well', () => {
  const read = queryReader({ limit: z.number().int().max(1000).optional() })
  expect(refusalOf(() => read({ limit: 'many' })).message).toBe('`limit` must be a number.')
  expect(read({ limit: '7' })).toEqual({ limit: 7 })
})

function refusalOf(work: () => unknown): ApiError {
  try {
    work()
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
  throw new Error('It was taken.')
}
