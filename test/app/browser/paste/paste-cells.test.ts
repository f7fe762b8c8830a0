/** Cells that are pasted into a table, and images that only the clipboard holds, in a real browser. */
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { editorEn } from '../../../../src/app/texts/en/editor.ts'
import { paragraph } from '../../../../src/core/document/tree/make.ts'
import type { Block, Table, TableDefinition } from '../../../../src/core/document/tree/nodes.ts'
import { savedBlocks, useHarness } from '../harness.ts'
import { cursorMoved } from '../keyboard.ts'
import { cellsOf, makeTable, textColumn } from '../tables.ts'
import { copyData as copy, pasteData as paste } from './clipboard.ts'

const harness = useHarness()

const clickCell = async (page: Page, words: string): Promise<void> => {
  await page.locator('.ed-doc td').getByText(words, { exact: true }).click()
  await cursorMoved(page)
}

const cells = async (page: Page): Promise<unknown[][]> => cellsOf(await savedBlocks(page))
const tableData = async (page: Page): Promise<Table['data'] | undefined> =>
  (await savedBlocks(page)).find((block): block is Table => block.type === 'table')?.data
const notices = (page: Page): Promise<string[]> => page.evaluate('window.notices')

const two = [textColumn('a', 'A'), textColumn('b', 'B')]
const grid = (): Block[] => [
  makeTable(two, [
    ['a1', 'b1'],
    ['a2', 'b2'],
  ]),
]
const html = (rows: readonly (readonly string[])[], tag = 'td'): string =>
  `<meta charset="utf-8"><table>${rows.map((row) => `<tr>${row.map((cell) => `<${tag}>${cell}</${tag}>`).join('')}</tr>`).join('')}</table>`

describe('cells pasted into a table', () => {
  const sources: Record<string, Record<string, string>> = {
    'a spreadsheet': {
      'text/plain': '1\t2\n3\t4',
      'text/html': `<google-sheets-html-origin><style></style>${html([
        ['1', '2'],
        ['3', '4'],
      ])}`,
    },
    'a document of Google': {
      'text/plain': '1\n2\n3\n4',
      'text/html': `<b style="font-weight:normal" id="docs-internal-guid-1"><div dir="ltr">${html([
        ['<p dir="ltr"><span>1</span></p>', '<p dir="ltr"><span>2</span></p>'],
        ['<p dir="ltr"><span>3</span></p>', '<p dir="ltr"><span>4</span></p>'],
      ])}</div><br></b>`,
    },
    'a table with a head': {
      'text/html': html([['1', '2']], 'th').replace('</table>', '<tr><td>3</td><td>4</td></tr></table>'),
    },
    'a terminal': { 'text/plain': '1\t2\n3\t4\n' },
    Markdown: { 'text/plain': '| 1 | 2 |\n| --- | --- |\n| 3 | 4 |' },
  }
  for (const [name, data] of Object.entries(sources))
    test(`from ${name}: they fill its cells, and rows and columns grow`, async () => {
      const page = await harness.open(grid())
      await clickCell(page, 'b2')
      await paste(page, data)
      await expect
        .poll(() => cells(page))
        .toEqual([
          ['a1', 'b1', ''],
          ['a2', '1', '2'],
          ['', '3', '4'],
        ])
      expect(await page.locator('.ed-doc table').count()).toBe(1)
      // One step, which can be taken back.
      await page.keyboard.press('Control+z')
      await expect
        .poll(() => cells(page))
        .toEqual([
          ['a1', 'b1'],
          ['a2', 'b2'],
        ])
      await page.context().close()
    })

  test('from another table of the editor: typed columns come along where the table grows', async () => {
    const state: TableDefinition = {
      id: 's',
      title: 'State',
      type: 'select',
      multiple: false,
      options: [{ value: 'o', label: 'open', color: 'default' }],
    }
    const people: TableDefinition = { id: 'p', title: 'Who', type: 'users', multiple: true }
    const from = await harness.open([makeTable([textColumn('t', 'Task'), state, people], [['write', ['o'], ['u1']]])])
    await clickCell(from, 'write')
    // The cell, the row, the table.
    for (let level = 0; level < 3; level += 1) await from.keyboard.press('Escape')
    const copied = await copy(from)
    await from.context().close()
    const page = await harness.open(grid())
    await clickCell(page, 'a1')
    await paste(page, copied)
    await expect
      .poll(() => cells(page))
      .toEqual([
        ['write', 'open', ['u1']],
        ['a2', 'b2', null],
      ])
    const { definition = {}, view } = (await tableData(page)) ?? {}
    expect(view?.columns.map((id) => definition[id]?.title)).toEqual(['A', 'B', 'Who'])
    await page.context().close()
  })

  test('typed columns keep their type, and tell what they cannot hold', async () => {
    const page = await harness.open([
      makeTable(
        [
          textColumn('n', 'Name'),
          { id: 'c', title: 'Count', type: 'number' },
          { id: 'd', title: 'Done', type: 'checkbox' },
          {
            id: 's',
            title: 'State',
            type: 'select',
            multiple: false,
            options: [{ value: 'o', label: 'open', color: 'default' }],
          },
          { id: 'l', title: 'Link', type: 'content-ref' },
          { id: 'r', title: 'Stars', type: 'rating', max: 5 },
        ],
        [['x', 7, null, null, null, null]],
      ),
    ])
    await clickCell(page, 'x')
    await paste(page, {
      'text/html': html([
        ['one', 'many', 'yes', 'open', '<a href="https://example.org/">here</a>', '9'],
        ['two', '1,234.5', 'no', 'waiting', 'https://example.org/2', '3'],
      ]),
    })
    const link = (url: string) => ({ kind: 'url', url })
    await expect
      .poll(() => cells(page))
      .toEqual([
        ['one', 7, true, ['o'], link('https://example.org/'), 5],
        ['two', 1234.5, false, ['waiting'], link('https://example.org/2'), 3],
      ])
    expect(await notices(page)).toEqual([editorEn.table.refused(1)])
    const { definition = {} } = (await tableData(page)) ?? {}
    expect(definition.s).toMatchObject({ options: [{ label: 'open' }, { label: 'waiting' }] })
    await page.context().close()
  })

  test('one cell is words, which go where the cursor is', async () => {
    const page = await harness.open(grid())
    await clickCell(page, 'a1')
    await page.keyboard.press('End')
    await cursorMoved(page)
    await paste(page, { 'text/plain': ' and more', 'text/html': html([['<b>and more</b>']]) })
    await expect.poll(async () => (await cells(page))[0]?.[0]).toMatch(/^a1 ?and more$/)
    expect(await page.locator('.ed-doc table').count()).toBe(1)
    await page.context().close()
  })

  test('merged cells come along, and what they are pasted over is not covered', async () => {
    const page = await harness.open([
      makeTable(
        two,
        [
          ['wide', ''],
          ['a2', 'b2'],
        ],
        { cellMerges: [{ anchor: { record: 'row-1', column: 'a' }, colSpan: 2 }] },
      ),
    ])
    await clickCell(page, 'wide')
    await paste(page, {
      'text/html': '<table><tr><td>1</td><td rowspan="2">tall</td></tr><tr><td>2</td></tr></table>',
    })
    await expect
      .poll(() => cells(page))
      .toEqual([
        ['1', 'tall'],
        ['2', ''],
      ])
    expect((await tableData(page))?.cellMerges).toEqual([{ anchor: { record: 'row-1', column: 'b' }, rowSpan: 2 }])
    await page.context().close()
  })

  test('with other blocks they stay what they are', async () => {
    const page = await harness.open(grid())
    await clickCell(page, 'b2')
    await paste(page, {
      'text/html': `<p>Before</p>${html([
        ['1', '2'],
        ['3', '4'],
      ])}`,
    })
    await expect.poll(async () => (await cells(page))[1]?.[1]).toContain('Before')
    expect((await cells(page)).length).toBe(2)
    await page.context().close()
  })
})

describe('images that only the clipboard holds', () => {
  const dot =
    'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  const kinds = async (page: Page) => (await savedBlocks(page)).map(({ type }) => type)

  test('are stored as files where they stood, with their progress', async () => {
    const page = await harness.open([paragraph('start')])
    await page.getByRole('textbox', { name: 'Page content' }).click()
    await page.evaluate('window.letUploadsGo = new Promise((go) => { window.go = go }); undefined')
    await paste(page, {
      'text/html': `<p>first</p><img alt="A dot" src="${dot}"><p>second</p><img src="${dot}"><p>third</p>`,
    })
    await page.getByRole('progressbar', { name: editorEn.upload.working('A dot.png') }).waitFor()
    await page.getByRole('progressbar', { name: editorEn.upload.working('image.png') }).waitFor()
    expect(JSON.stringify(await savedBlocks(page))).not.toContain('data:')
    await page.evaluate('window.go()')
    await expect.poll(() => kinds(page)).toEqual(['paragraph', 'images', 'paragraph', 'images', 'paragraph'])
    const blocks = await savedBlocks(page)
    expect(blocks[1]).toMatchObject({ nodes: [{ data: { ref: { kind: 'file', file: 'f1' }, alt: 'A dot' } }] })
    expect(blocks[3]).toMatchObject({ nodes: [{ data: { ref: { kind: 'file', file: 'f2' } } }] })
    expect(await page.evaluate('window.store.uploads')).toEqual(['A dot.png', 'image.png'])
    expect(await notices(page)).toEqual([])
    expect(await page.evaluate('window.violations')).toEqual([])
    await page.context().close()
  })

  test('in a cell stay in it', async () => {
    const page = await harness.open(grid())
    await clickCell(page, 'a1')
    await paste(page, { 'text/html': html([['1', `<img src="${dot}">`]]) })
    await expect
      .poll(async () =>
        JSON.stringify((await savedBlocks(page)).map((block) => ('fragments' in block ? block.fragments : block))),
      )
      .toContain('"file":"f1"')
    expect(await kinds(page)).toEqual(['table'])
    await page.context().close()
  })

  test('are told where they cannot be had', async () => {
    const page = await harness.open([paragraph('start')])
    await page.getByRole('textbox', { name: 'Page content' }).click()
    await paste(page, {
      'text/html': '<p>words</p><img src="file:///C:/image001.png"><img src="blob:https://example.org/1">',
    })
    await expect.poll(() => notices(page)).toEqual([editorEn.upload.notTaken(2)])
    expect(await kinds(page)).not.toContain('images')
    await page.context().close()
  })

  test('are the files that came with them', async () => {
    const page = await harness.open([paragraph('start')])
    await page.getByRole('textbox', { name: 'Page content' }).click()
    await page.evaluate(`{
      const data = new DataTransfer()
      data.setData('text/html', '<p>words</p><img src="file:///C:/image001.png" alt="From Word">')
      data.items.add(new File(['x'], 'image.png', { type: 'image/png' }))
      document.querySelector('.ed-doc').dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
    }`)
    await expect.poll(() => kinds(page)).toContain('images')
    expect(await notices(page)).toEqual([])
    await page.context().close()
  })
})
