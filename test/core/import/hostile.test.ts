/** Sources of docs that are made to take long: each is read in time that grows with its length alone. */
import { describe, expect, test } from 'vitest'
import { readPageList } from '../../../src/core/import/confluence-index.ts'
import { readNavigationFile } from '../../../src/core/import/generators/navigation.ts'
import { readWiki } from '../../../src/core/import/github-wiki.ts'
import { readNotionTree } from '../../../src/core/import/notion.ts'
import { linesOfTargets } from '../../../src/core/import/text-problems.ts'
import { processorTime } from '../../kit/processor-time.ts'

type Reader = (text: string) => unknown

const breathe = async (): Promise<void> => {}
const wiki = (text: string) => {
  const file = { path: 'Home.md', size: text.length, async *open() {} }
  return readWiki([file], { textOf: async () => text, makeFile: () => file })
}
const notion = (name: string) => (text: string) =>
  readNotionTree(new Map([[name, { text, oid: '' }]]), { origin: '', files: [], breathe })
const sidebars = (text: string) => readNavigationFile('sidebars.js', text, () => {})

const readers: [string, Reader, string[]][] = [
  ['a wiki', wiki, ['[', '[[a|', '](', '](https://github.com/', '`', '```\n']],
  ['a list of pages', readPageList, ['<ul></ul>', '<ul><li>', '<li><a href="a">a</a></li>']],
  ['sidebars', sidebars, ['/* ', "'\\", '"\\', '`\\', 'module.exports=[)', 'sidebar = [', '[{(', "'a\n"]],
  ['a page of Notion', notion('a.md'), ['](', '](a.', '<aside>\n', '[a](b.md)']],
  ['a database of Notion', notion('a.csv'), ['"', '""', 'a\n', '"\n']],
  ['a table of contents', linesOfTargets, ['](', '](a(', '](<', '* [a](b.md)\n']],
]

describe.each(readers)('%s', (_, read, pieces) => {
  test.each(pieces)('of %j', { timeout: 60_000 }, async (piece) => {
    const timeOf = async (length: number): Promise<number> => {
      const text = piece.repeat(Math.ceil(length / piece.length))
      const from = processorTime()
      await read(text)
      return processorTime() - from
    }
    await timeOf(5000)
    const most = Math.max(300, 10 * (await timeOf(20_000)))
    let least = Number.POSITIVE_INFINITY
    for (let tries = 0; tries < 3 && least >= most; tries++) least = Math.min(least, await timeOf(80_000))
    expect(least).toBeLessThan(most)
  })
})

test('a table of contents names each target on the line where it stands first', () => {
  const lines = linesOfTargets('* [a](a.md)\n* [b](<b c.md> "B")\n* [a](a.md) [d](d(1).md)\n')
  expect([...lines]).toEqual([
    ['a.md', 1],
    ['b c.md', 2],
    ['d(1).md', 3],
  ])
})
