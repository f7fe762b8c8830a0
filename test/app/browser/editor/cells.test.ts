/** Cells that are selected together, by pointer and keys, in a real browser: they are a rectangle, and the table stays one. */
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { fromMarkdown } from '../../../../src/core/document/read/from-markdown.ts'
import { toMarkdown } from '../../../../src/core/document/to-markdown.ts'
import { makeDocument } from '../../../../src/core/document/tree/make.ts'
import type { TableDefinition } from '../../../../src/core/document/tree/nodes.ts'
import { savedBlocks, useHarness } from '../harness.ts'
import { cursorMoved, moveCursor } from '../keyboard.ts'
import { copyData, pasteData } from '../paste/clipboard.ts'
import { cellsOf, makeTable, textColumn } from '../tables.ts'

const harness = useHarness()

const grid = [1, 2, 3].map((row) => ['a', 'b', 'c'].map((column) => `${column}${row}`))
const { nodes } = fromMarkdown(
  `| A | B | C |\n| - | - | - |\n${grid.map((row) => `| ${row.join(' | ')} |\n`).join('')}\nlast`,
).document

const cell = (page: Page, words: string) => page.locator('.ed-doc').getByText(words, { exact: true })
const cells = async (page: Page): Promise<unknown[][]> => cellsOf(await savedBlocks(page))
const selected = (page: Page): Promise<string> =>
  page.evaluate(`[...document.querySelectorAll('.ed-doc .ed-selected')].map((cell) => cell.textContent).join(' ')`)

async function dragOver(page: Page, from: string, to: string): Promise<void> {
  const start = await cell(page, from).boundingBox()
  const end = await cell(page, to).boundingBox()
  if (start === null || end === null) throw new Error('A cell is not shown.')
  await page.mouse.move(start.x + 2, start.y + start.height / 2)
  await page.mouse.down()
  await page.mouse.move(end.x + 8, end.y + end.height / 2, { steps: 4 })
  await page.mouse.up()
  await cursorMoved(page)
}

describe('cells from one to another', () => {
  const without = (...gone: string[]) => grid.map((row) => row.map((words) => (gone.includes(words) ? '' : words)))
  const replaced = (words: Readonly<Record<string, string>>) =>
    without('b1', 'c1', 'b2', 'c2').map((row, at) => row.map((one, index) => words[`${at} ${index}`] ?? one))
  const acts: Record<string, { act(page: Page): Promise<unknown>; becomes: string[][] }> = {
    'Delete empties them': { act: (page) => page.keyboard.press('Delete'), becomes: replaced({}) },
    'Backspace empties them': { act: (page) => page.keyboard.press('Backspace'), becomes: replaced({}) },
    'a letter stands in the first': { act: (page) => page.keyboard.type('Z'), becomes: replaced({ '0 1': 'Z' }) },
    'cut empties them': { act: (page) => copyData(page, 'cut'), becomes: replaced({}) },
    'words that are pasted stand in the first': {
      act: (page) => pasteData(page, { 'text/plain': 'one word' }),
      becomes: replaced({ '0 1': 'one word' }),
    },
    'cells that are pasted begin in the first': {
      act: (page) =>
        pasteData(page, {
          'text/html': '<table><tr><td>1</td><td>2</td></tr><tr><td>3</td><td>4</td></tr></table>',
        }),
      becomes: replaced({ '0 1': '1', '0 2': '2', '1 1': '3', '1 2': '4' }),
    },
  }
  for (const [name, { act, becomes }] of Object.entries(acts))
    test(`${name}, whichever way they were selected, and undo brings them back`, async () => {
      for (const [from, to] of [
        ['c2', 'b1'],
        ['c1', 'b2'],
      ] as const) {
        const page = await harness.open(nodes)
        await dragOver(page, from, to)
        expect(await selected(page)).toBe('b1 c1 b2 c2')
        await act(page)
        await expect.poll(() => cells(page)).toEqual(becomes)
        await page.keyboard.press('Control+z')
        await expect.poll(() => cells(page)).toEqual(grid)
        await page.context().close()
      }
    })

  test('marks and links are set on them alone', async () => {
    const page = await harness.open(nodes)
    await dragOver(page, 'a1', 'b2')
    await page.keyboard.press('Control+b')
    await pasteData(page, { 'text/plain': 'https://example.org/' })
    const markdown = toMarkdown(makeDocument(await savedBlocks(page)))
    for (const words of ['a1', 'b1', 'a2', 'b2']) expect(markdown).toContain(`[**${words}**](https://example.org/)`)
    for (const words of ['c1', 'c2', 'a3']) expect(markdown).toContain(`| ${words} `)
    await page.context().close()
  })

  test('copied they are a table of their own, and lines with tabs for others', async () => {
    const page = await harness.open(nodes)
    await dragOver(page, 'b1', 'c2')
    const data = await copyData(page)
    expect(data['text/plain']).toBe('b1\tc1\nb2\tc2')
    await cell(page, 'last').click()
    await moveCursor(page, 'End')
    await pasteData(page, data)
    await expect
      .poll(async () => toMarkdown(makeDocument(await savedBlocks(page))))
      .toMatch(/last\n\n\| B {3}\| C {3}\|\n\| --- \| --- \|\n\| b1 {2}\| c1 {2}\|\n\| b2 {2}\| c2 {2}\|/)
    await page.context().close()
  })

  test('a row is moved by Alt and arrows from any of its cells', async () => {
    const page = await harness.open(nodes)
    await cell(page, 'b2').click()
    await cursorMoved(page)
    await page.keyboard.press('Alt+ArrowUp')
    await expect.poll(async () => (await cells(page)).map(([first]) => first)).toEqual(['a2', 'a1', 'a3'])
    await page.keyboard.press('Control+z')
    await expect.poll(async () => (await cells(page)).map(([first]) => first)).toEqual(['a1', 'a2', 'a3'])
    await page.context().close()
  })

  test('by keys: Shift and arrows, Mod-A, Enter', async () => {
    const page = await harness.open(nodes)
    await cell(page, 'b2').click()
    await moveCursor(page, 'End')
    for (const [key, wanted] of [
      ['Shift+ArrowDown', 'b2 b3'],
      ['Shift+ArrowRight', 'b2 c2 b3 c3'],
      ['Shift+ArrowRight', 'b2 c2 b3 c3'],
      ['Shift+ArrowUp', 'b2 c2'],
      ['Shift+ArrowUp', 'b1 c1 b2 c2'],
      ['Shift+ArrowLeft', 'b1 b2'],
      ['Shift+ArrowLeft', 'a1 b1 a2 b2'],
    ] as const) {
      await moveCursor(page, key)
      expect(await selected(page), key).toBe(wanted)
    }
    await page.keyboard.press('Alt+ArrowDown')
    await expect.poll(async () => (await cells(page)).map(([first]) => first)).toEqual(['a2', 'a1', 'a3'])
    await moveCursor(page, 'Enter')
    expect(await selected(page)).toBe('')
    await page.keyboard.type('!')
    expect((await cells(page))[1]).toEqual(['a1!', 'b1', 'c1'])
    for (const wanted of ['', 'a1! b1 c1', 'a2 b2 c2 a1! b1 c1 a3 b3 c3', '']) {
      await moveCursor(page, 'Control+a')
      expect(await selected(page)).toBe(wanted)
    }
    await page.context().close()
  })

  test('values of typed columns are emptied too', async () => {
    const count: TableDefinition = { id: 'n', title: 'Count', type: 'number' }
    const page = await harness.open([
      makeTable(
        [textColumn('a', 'A'), count, textColumn('c', 'C')],
        [
          ['a1', 7, 'c1'],
          ['a2', 8, 'c2'],
        ],
      ),
    ])
    await dragOver(page, 'a1', 'c1')
    await page.keyboard.press('Delete')
    expect(await cells(page)).toEqual([
      ['', null, ''],
      ['a2', 8, 'c2'],
    ])
    await page.context().close()
  })
})
