/** YAML from strangers: what is wrong is told with its line, and however it is made it is read in time that grows with its length. */
import { describe, expect, test } from 'vitest'
import { readYaml } from '../../src/core/yaml.ts'
import { leastTimeOf, timeOf } from '../kit/processor-time.ts'

test('has a value', () => {
  expect(readYaml('a: 1\nb: [x, {c: null}]')).toEqual({ value: { a: 1, b: ['x', { c: null }] } })
})

test.each([
  ['a: 1\nb:\n  c: 1\n  d: 2\n  c: 3', { problem: 'Map keys must be unique', line: 5 }],
  ['{a: 1, a: 2}', { problem: 'Map keys must be unique', line: 1 }],
  ['a: 1\nb: [', { problem: expect.stringMatching(/^Flow sequence/), line: 2 }],
  ['a: *b', { problem: expect.stringMatching(/alias/) }],
  ['['.repeat(30_000), { problem: expect.any(String) }],
  [`a: ${'x'.repeat(1024 * 1024)}`, { problem: 'It is longer than 1 MiB' }],
])('is wrong: %.40s', (source, problem) => {
  expect(readYaml(source)).toMatchObject(problem)
})

test('of a key that is there twice, the last value is taken where mistakes are borne', () => {
  expect(readYaml('a: 1\na: 2\nb: !!python/name:x y', { isLenient: true })).toEqual({ value: { a: 2, b: 'y' } })
})

const numbered = (length: number, piece: (at: number) => string): string => {
  const pieces: string[] = []
  for (let at = 0, left = length; left > 0; at++) left -= pieces[pieces.push(piece(at)) - 1]?.length ?? 1
  return pieces.join('')
}

describe('hostile', () => {
  const shapes: Record<string, (length: number) => string> = {
    'keys in one line': (length) => `{${numbered(length, (at) => `${at.toString(36)},`)}}`,
    'keys, each in its line': (length) => numbered(length, (at) => `k${at}:\n`),
    'keys with comments': (length) => numbered(length, (at) => `k${at}: #\n`),
    'mistakes in one line': (length) => `{${'@,'.repeat(length / 2)}`,
    'tags in one line': (length) => '!a '.repeat(length / 3),
    'ends of lists': (length) => '] '.repeat(length / 2),
  }
  test.each(Object.entries(shapes))('%s', { timeout: 60_000 }, (_, shape) => {
    readYaml(shape(4000))
    const most = Math.max(300, 10 * timeOf(() => readYaml(shape(15_000))).ms)
    expect(leastTimeOf(() => readYaml(shape(60_000)), most).ms).toBeLessThan(most)
  })
})
