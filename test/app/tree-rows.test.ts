/** The page tree, without a browser: rows, steps and drops. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  countBelow,
  dropOf,
  filterPages,
  movePage,
  rowsOf,
  stepOf,
  type TreePage,
  trailOf,
  withoutPage,
} from '../../src/app/tree/rows.ts'

const page = (id: string, pages: TreePage[] = [], type = 'document'): TreePage => ({ id, title: id, type, pages })
const tree = (): TreePage[] => [
  page('a', [page('a1'), page('a2', [page('a21')])]),
  page('b'),
  page('l', [], 'link'),
  page('c'),
]
const idsOf = (pages: readonly TreePage[]): string[] =>
  pages.flatMap(({ id, pages: below = [] }) => [id, ...idsOf(below)])

describe('rows', () => {
  test('are those whose pages above are open', () => {
    const rows = rowsOf(tree(), (id) => id === 'a')
    expect(rows.map(({ page: { id }, depth }) => `${depth}${id}`)).toEqual(['0a', '1a1', '1a2', '0b', '0l', '0c'])
    expect(rows[1]).toMatchObject({ index: 0, siblings: 2, hasPages: false })
  })

  test('of ten thousand pages are made in a moment', () => {
    const many = Array.from({ length: 100 }, (_, i) =>
      page(
        `p${i}`,
        Array.from({ length: 100 }, (_, j) => page(`p${i}-${j}`)),
      ),
    )
    const start = performance.now()
    expect(rowsOf(many, () => true)).toHaveLength(10_100)
    expect(performance.now() - start).toBeLessThan(500)
  })
})

describe('a step', () => {
  test.each([
    ['b', 'up', { into: null, at: 0 }],
    ['a', 'up', undefined],
    ['c', 'down', undefined],
    ['b', 'in', { into: 'a', at: 2 }],
    ['c', 'in', undefined],
    ['a21', 'out', { into: 'a', at: 2 }],
    ['a1', 'out', { into: null, at: 1 }],
    ['b', 'out', undefined],
    ['gone', 'up', undefined],
  ] as const)('of %s %s', (id, direction, target) => {
    expect(stepOf(tree(), id, direction)).toEqual(target)
  })

  test('there and back leaves the tree as it was, whatever the tree', () => {
    const node = (depth: number): fc.Arbitrary<TreePage> =>
      fc.record({
        id: fc.uuid(),
        title: fc.string(),
        type: fc.constantFrom('document', 'group'),
        pages: depth === 0 ? fc.constant([]) : fc.array(node(depth - 1), { maxLength: 3 }),
      })
    fc.assert(
      fc.property(
        fc.array(node(3), { maxLength: 4 }),
        fc.nat(),
        fc.constantFrom('up', 'down', 'in', 'out'),
        (pages, pick, way) => {
          const ids = idsOf(pages)
          const id = ids[pick % Math.max(1, ids.length)]
          const target = id === undefined ? undefined : stepOf(pages, id, way)
          if (id === undefined || !target) return
          const parent = trailOf(pages, id).at(-2)
          const before = {
            into: parent?.id ?? null,
            at: (parent?.pages ?? pages).findIndex((other) => other.id === id),
          }
          const moved = movePage(pages, id, target)
          expect(idsOf(moved).toSorted()).toEqual(ids.toSorted())
          expect(trailOf(moved, id).at(-2)?.id ?? null).toBe(target.into)
          expect(idsOf(movePage(moved, id, before))).toEqual(ids)
        },
      ),
    )
  })
})

describe('a drop', () => {
  test.each([
    ['c', 'a', 'before', { into: null, at: 0 }],
    ['a', 'c', 'before', { into: null, at: 2 }],
    ['b', 'a', 'inside', { into: 'a', at: 2 }],
    ['a1', 'a2', 'after', { into: 'a', at: 1 }],
    ['a', 'a21', 'inside', undefined],
    ['b', 'l', 'inside', undefined],
    ['b', 'b', 'after', undefined],
  ] as const)('of %s on %s, %s', (dragged, onto, side, target) => {
    expect(dropOf(tree(), { dragged, onto, side })).toEqual(target)
  })
})

test('a page that goes takes those below with it, and a filter keeps those above', () => {
  expect(idsOf(withoutPage(tree(), 'a'))).toEqual(['b', 'l', 'c'])
  expect(countBelow(tree()[0] ?? page(''))).toBe(3)
  expect(idsOf(filterPages(tree(), 'A21'))).toEqual(['a', 'a2', 'a21'])
})
