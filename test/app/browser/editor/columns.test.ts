/** Columns and typed cells of tables, and the settings of images and lines of code, in a real browser. */
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { editorEn } from '../../../../src/app/texts/en/editor.ts'
import { fromMarkdown } from '../../../../src/core/document/read/from-markdown.ts'
import { code, paragraph } from '../../../../src/core/document/tree/make.ts'
import type { Block, Table, TableDefinition } from '../../../../src/core/document/tree/nodes.ts'
import { savedBlocks, useHarness } from '../harness.ts'
import { cursorMoved, moveCursor } from '../keyboard.ts'
import { cellsOf, makeTable, textColumn } from '../tables.ts'

const harness = useHarness()

const { table: words, panel, menu } = editorEn
const dataOf = async (page: Page): Promise<Table['data'] | undefined> =>
  (await savedBlocks(page)).find((block): block is Table => block.type === 'table')?.data
const titles = async (page: Page): Promise<(string | undefined)[] | undefined> => {
  const data = await dataOf(page)
  return data?.view.columns.map((id) => data.definition[id]?.title)
}
const columnMenu = async (page: Page, title: string): Promise<Locator> => {
  await page.locator('.ed-column', { hasText: title }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  return dialog
}
const press = async (page: Page, title: string, row: string): Promise<void> => {
  await (await columnMenu(page, title)).getByRole('button', { name: row, exact: true }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}
const table = (columns: readonly TableDefinition[], cells: Parameters<typeof makeTable>[1]): Block =>
  makeTable(columns, cells)

test('a column is put before and after another, moved and deleted', { timeout: 60_000 }, async () => {
  const page = await harness.open([table([textColumn('a', 'A'), textColumn('b', 'B')], [['a1', 'b1']])])
  await press(page, 'B', words.insertBefore)
  await expect.poll(() => titles(page)).toEqual(['A', '', 'B'])
  await press(page, 'B', words.insertAfter)
  await expect.poll(() => titles(page)).toEqual(['A', '', 'B', ''])
  await press(page, 'B', words.moveLeft)
  await expect.poll(() => titles(page)).toEqual(['A', 'B', '', ''])
  await press(page, 'A', words.moveRight)
  await expect.poll(() => titles(page)).toEqual(['B', 'A', '', ''])
  await press(page, 'A', words.deleteColumn)
  await expect.poll(() => titles(page)).toEqual(['B', '', ''])
  expect(cellsOf(await savedBlocks(page))).toEqual([['b1', '', '']])
  await page.context().close()
})

test('a menu that is open while the table moves changes this table', { timeout: 60_000 }, async () => {
  const page = await harness.open([paragraph('above'), table([textColumn('a', 'A')], [['a1']])])
  await page.locator('.ed-doc').getByText('above').click()
  await cursorMoved(page)
  const dialog = await columnMenu(page, 'A')
  await page.evaluate(`window.editor.insertBlock('divider')`)
  await page.locator('.ed-doc hr').waitFor()
  await dialog.getByRole('textbox', { name: words.columnTitle }).fill('Renamed')
  await dialog.getByRole('button', { name: words.insertAfter, exact: true }).click()
  await expect.poll(() => titles(page)).toEqual(['Renamed', ''])
  await page.context().close()
})

test('words of a column stand left, in the middle or right', { timeout: 60_000 }, async () => {
  const page = await harness.open([table([textColumn('a', 'A')], [['a1']])])
  const align = (await columnMenu(page, 'A')).getByRole('combobox', { name: panel.fields.align })
  await align.selectOption('center')
  await expect.poll(() => page.locator('.ed-doc td').first().getAttribute('class')).toContain('align-center')
  await page.keyboard.press('Escape')
  expect((await dataOf(page))?.definition.a).toMatchObject({ textAlignment: 'center' })
  await page.context().close()
})

test('a rating has as many as its column says', { timeout: 60_000 }, async () => {
  const page = await harness.open([table([{ id: 'r', title: 'Stars', type: 'rating', max: 5 }], [[2]])])
  const dialog = await columnMenu(page, 'Stars')
  await dialog.getByRole('spinbutton', { name: words.most }).fill('3')
  await page.keyboard.press('Escape')
  const cell = page.getByRole('spinbutton', { name: 'Stars' })
  await expect.poll(() => cell.getAttribute('max')).toBe('3')
  await cell.fill('3')
  await cell.press('Tab')
  await expect.poll(async () => cellsOf(await savedBlocks(page))).toEqual([[3]])
  expect((await dataOf(page))?.definition.r).toMatchObject({ max: 3 })
  await page.context().close()
})

test('people are chosen by name, several where the column says so', { timeout: 60_000 }, async () => {
  const page = await harness.open([
    table(
      [
        { id: 'p', title: 'Who', type: 'users', multiple: true },
        { id: 'o', title: 'Owner', type: 'users', multiple: false },
      ],
      [[null, null]],
    ),
  ])
  const choose = async (column: string, name: string): Promise<void> => {
    await page.getByLabel(new RegExp(`^${column}(:|$)`)).click()
    await page.getByRole('dialog').getByRole('combobox', { name: column }).fill(name)
    await page.getByRole('option', { name }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
  await choose('Who', 'Ada')
  await choose('Who', 'Lin')
  await choose('Owner', 'Ada')
  await choose('Owner', 'Lin')
  await page.getByRole('button', { name: 'Who: Ada, Lin', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Owner: Lin', exact: true }).waitFor()
  expect(cellsOf(await savedBlocks(page))).toEqual([[['u1', 'u2'], ['u2']]])
  await page.getByRole('button', { name: 'Owner: Lin', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: words.empty }).click()
  await expect.poll(async () => cellsOf(await savedBlocks(page))).toEqual([[['u1', 'u2'], null]])
  await page.context().close()
})

test('an image and files are chosen from the device', { timeout: 60_000 }, async () => {
  const page = await harness.open([
    table(
      [
        { id: 'i', title: 'Picture', type: 'image' },
        { id: 'f', title: 'Papers', type: 'files' },
      ],
      [[null, null]],
    ),
  ])
  const choose = async (column: string, name: string, mimeType: string): Promise<void> => {
    await page.getByLabel(new RegExp(`^${column}(:|$)`)).click()
    const file = { name, mimeType, buffer: Buffer.from('x') }
    await page.getByRole('dialog').locator('input[type=file]').setInputFiles(file)
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
  await choose('Picture', 'a.png', 'image/png')
  await choose('Papers', 'b.pdf', 'application/pdf')
  await choose('Papers', 'c.pdf', 'application/pdf')
  await page.getByRole('button', { name: 'Picture: f1.png', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Papers: f2.png, f3.png', exact: true }).waitFor()
  expect(cellsOf(await savedBlocks(page))).toEqual([[{ kind: 'file', file: 'f1' }, ['f2', 'f3']]])
  await page.context().close()
})

/** Opens the settings that have this field, from where the cursor is outwards. */
async function openSettings(page: Page, field: string): Promise<Locator> {
  for (let level = 0; level < 6; level += 1) {
    await page.keyboard.press('Alt+Enter')
    await page.getByRole('menu').waitFor()
    const row = page.getByRole('menuitem', { name: menu.settings, exact: true })
    if (await row.isVisible()) {
      await row.click()
      const dialog = page.getByRole('dialog')
      await dialog.waitFor()
      if (await dialog.getByLabel(field).isVisible()) return dialog
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
    } else await page.keyboard.press('Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
  }
  throw new Error(`No settings with ${field}.`)
}

test('the head and the first column of a table stay in view', { timeout: 60_000 }, async () => {
  const page = await harness.open([table([textColumn('a', 'A')], [['a1']])])
  await page.locator('.ed-doc td').first().click()
  await cursorMoved(page)
  const dialog = await openSettings(page, panel.fields.stickyHeader)
  await dialog.getByRole('checkbox', { name: panel.fields.stickyHeader }).check()
  await dialog.getByRole('checkbox', { name: panel.fields.stickyFirstColumn }).check()
  await page.keyboard.press('Escape')
  await expect
    .poll(async () => (await dataOf(page))?.view)
    .toMatchObject({ stickyHeader: true, stickyFirstColumn: true })
  await page.context().close()
})

test('an image and the images it stands among have their settings', { timeout: 60_000 }, async () => {
  const page = await harness.open(fromMarkdown('<figure><img src="/files/f1" alt=""></figure>').document.nodes)
  // The image of the test has no size of its own.
  const picture = page.locator('.ed-doc figure .zoom')
  await picture.dispatchEvent('click')
  await picture.dispatchEvent('dblclick')
  const image = page.getByRole('dialog', { name: editorEn.parts.image, exact: true })
  await image.getByRole('textbox', { name: panel.fields.alt }).fill('A view')
  await image.getByRole('textbox', { name: panel.fields.width }).fill('50%')
  await page.keyboard.press('Escape')
  await image.waitFor({ state: 'detached' })
  const dialog = await openSettings(page, panel.fields.withFrame)
  await dialog.getByRole('combobox', { name: panel.fields.align }).selectOption('right')
  await dialog.getByRole('checkbox', { name: panel.fields.withFrame }).check()
  await dialog.getByRole('checkbox', { name: panel.fields.fullWidth }).check()
  await dialog
    .locator('input[type=file]')
    .setInputFiles({ name: 'b.png', mimeType: 'image/png', buffer: Buffer.from('x') })
  await expect.poll(() => page.locator('.ed-doc figure').count()).toBe(2)
  await page.keyboard.press('Escape')
  const [images] = await savedBlocks(page)
  expect(images).toMatchObject({
    data: { align: 'right', withFrame: true, fullWidth: true },
    nodes: [
      { data: { alt: 'A view', width: { value: 50, unit: '%' } } },
      { data: { ref: { kind: 'file', file: 'f1' } } },
    ],
  })
  expect(await page.locator('.ed-doc .images').getAttribute('class')).toBe('images right full framed')
  await page.context().close()
})

test('an image that cannot be loaded is told in words', { timeout: 60_000 }, async () => {
  const page = await harness.open(fromMarkdown('<figure><img src="/nowhere.png" alt=""></figure>').document.nodes)
  const told = page.locator('.ed-doc figure .missing')
  await told.waitFor()
  expect(await told.textContent()).toBe(`${editorEn.image.notShown}: /nowhere.png`)
  await page.context().close()
})

test('lines of code are highlighted, and not any more', { timeout: 60_000 }, async () => {
  const page = await harness.open([code('one\ntwo\nthree')])
  const marked = async () => {
    const [block] = await savedBlocks(page)
    return block?.type === 'code' ? block.nodes.map(({ data }) => data.highlighted === true) : []
  }
  const highlight = async (): Promise<void> => {
    await page.keyboard.press('Alt+Enter')
    await page.getByRole('menuitem', { name: menu.highlightLine }).click()
    await page.getByRole('menu').waitFor({ state: 'detached' })
  }
  await page.locator('.ed-doc').getByText('two').click()
  await moveCursor(page, 'Home')
  await moveCursor(page, 'Shift+ArrowDown')
  await highlight()
  await expect.poll(marked).toEqual([false, true, true])
  await highlight()
  await expect.poll(marked).toEqual([false, false, false])
  await page.context().close()
})
