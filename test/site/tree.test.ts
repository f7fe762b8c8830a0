import { describe, expect, it } from 'vitest'
import { sliceTree, type TreeItem, type TreeSlice } from '../../src/site/layout/tree.ts'
import { renderTree } from '../../src/site/layout/tree-html.ts'
import { stringsOf } from '../../src/site/locales/strings.ts'
import { print } from '../../src/site/render/html.ts'
import { loadIcons, newIconSheet } from '../../src/site/render/icons.ts'
import { processorTime } from '../kit/processor-time.ts'
import { bigTree } from './fixtures/trees.ts'

await loadIcons()
const bytesOf = (slice: TreeSlice): number =>
  Buffer.byteLength(
    print(renderTree({ icons: newIconSheet('regular'), strings: stringsOf('en'), basePath: '/docs' }, slice)),
  )

function idsOf(slice: TreeSlice): string[] {
  return slice.nodes.flatMap((node) => [
    node.item.id,
    ...(node.below?.nodes === undefined ? [] : idsOf(node.below.nodes)),
  ])
}

function flat(count: number): TreeItem[] {
  return Array.from({ length: count }, (_, at) => ({
    id: `p${at}`,
    kind: 'page' as const,
    title: `Page <${at}> & “more”`,
    href: `/docs/page-${at}`,
    children: [],
  }))
}

describe('the slice of a page tree', () => {
  it('costs each page of a site of 10,000 pages at most 10 KB', () => {
    const { roots, items } = bigTree(10_000)
    const all = [...items.values()]
    for (let at = 0; at < all.length; at += 97) {
      const slice = sliceTree(roots, all[at])
      expect(idsOf(slice)).toContain(all[at]?.id)
      expect(bytesOf(slice)).toBeLessThanOrEqual(10_240)
    }
  })

  it('does not grow when all pages are siblings with long names', () => {
    const roots = flat(10_000)
    for (const at of [0, 5_000, 9_999]) {
      const slice = sliceTree(roots, roots[at])
      expect(idsOf(slice)).toContain(`p${at}`)
      expect(slice.before + slice.nodes.length + slice.after).toBe(10_000)
      expect(bytesOf(slice)).toBeLessThanOrEqual(10_240)
    }
    const wide = flat(3_000).map((item) => ({
      ...item,
      title: '漢字'.repeat(40),
      href: `/docs/${'%E6%BC%A2'.repeat(20)}`,
      icon: 'rocket',
    }))
    expect(bytesOf(sliceTree(wide, wide[1_500]))).toBeLessThanOrEqual(10_240)
  })

  it('holds a small site whole', () => {
    const { roots, items } = bigTree(40)
    const ids = idsOf(sliceTree(roots, items.get('g0b1p2')))
    expect(new Set(ids)).toEqual(new Set(items.keys()))
  })

  it('opens the way to the current page and nothing else', () => {
    const { roots, items } = bigTree(500)
    const slice = sliceTree(roots, items.get('g2b1p3'))
    const open: string[] = []
    const visit = (level: TreeSlice): void => {
      for (const node of level.nodes) {
        if (node.open && node.item.kind === 'page') open.push(node.item.id)
        if (node.below?.nodes) visit(node.below.nodes)
      }
    }
    visit(slice)
    expect(open).toEqual(['g2b1'])
  })

  it('takes less than a millisecond of work whatever the size of the site', () => {
    const { roots, items } = bigTree(10_000)
    const current = items.get('g100b3p4')
    sliceTree(roots, current)
    const before = processorTime()
    for (let round = 0; round < 50; round += 1) sliceTree(roots, current)
    expect((processorTime() - before) / 50).toBeLessThan(5)
  })
})
