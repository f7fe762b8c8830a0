/** The settings of every kind of block, in a real browser: each field is there, does what it says, and leaves a valid document. */
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { insertRows, newBlock } from '../../../src/app/editor/insert.ts'
import { hiddenFields } from '../../../src/app/editor/menus/panel-fields.ts'
import { editorEn } from '../../../src/app/texts/en/editor.ts'
import { fromMarkdown } from '../../../src/core/document/read/from-markdown.ts'
import type { Block } from '../../../src/core/document/tree/nodes.ts'
import { blockRows } from '../../../src/core/document/tree/schema.ts'
import { savedBlocks, useHarness } from './harness.ts'

const harness = useHarness()

/** Fills in every field of the open panel, as one who leaves each before the next. */
const fillAll = `(() => {
  const tell = (field) => {
    field.dispatchEvent(new Event('input', { bubbles: true }))
    field.dispatchEvent(new Event('change', { bubbles: true }))
  }
  for (const field of document.querySelectorAll('.ed-panel input, .ed-panel select, .ed-panel textarea')) {
    if (field.type === 'file') continue
    if (field.type === 'checkbox') field.checked = true
    else if (field.tagName === 'SELECT') field.selectedIndex = field.options.length - 1
    else if (field.getAttribute('role') === 'combobox' || field.type === 'url') field.value = 'https://example.org/x'
    else if (field.type === 'date') field.value = '2026-01-02'
    else if (field.type === 'number') field.value = '99999999'
    else if (/Width|Height/.test(field.parentElement.textContent)) field.value = '50%'
    else field.value = 'Some Words'
    tell(field)
  }
})()`

const flat = (blocks: readonly Block[]): Block[] => {
  const inside = (block: Block): Block[] => {
    const nodes: Block[] = 'nodes' in block ? (block.nodes as Block[]) : []
    const fragments: { nodes: Block[] }[] =
      'fragments' in block ? ((block.fragments ?? []) as { nodes: Block[] }[]) : []
    return [block, ...[...nodes, ...fragments.flatMap((one) => one.nodes)].flatMap(inside)]
  }
  return blocks.filter(({ object }) => object === 'block').flatMap(inside)
}

const settings = async (page: Page): Promise<Locator | undefined> => {
  await page.keyboard.press('Alt+Enter')
  const menu = page.getByRole('menu')
  await menu.waitFor()
  const row = menu.getByRole('menuitem', { name: editorEn.menu.settings, exact: true })
  if (await row.isVisible()) {
    await row.click()
    return page.getByRole('dialog')
  }
  await page.keyboard.press('Escape')
  return undefined
}

test('every field of every block has its effect', { timeout: 180_000 }, async () => {
  const kinds = insertRows.flatMap(({ kind }) => (kind in blockRows ? [kind as keyof typeof blockRows] : []))
  const images = fromMarkdown('<figure><img src="/files/f1" alt=""></figure>').document.nodes
  const blocks = kinds.filter((kind) => kind !== 'images').map((kind) => newBlock(kind as 'hint', '2026-01-01'))
  const page = await harness.open([...blocks, ...images])
  const done = new Set<string>()
  const before = await savedBlocks(page)
  for (const { key } of before) {
    await page.evaluate(`window.editor.goTo(${JSON.stringify(key)})`)
    // From the innermost block to the one that stands on the page.
    for (let level = 0; level < 4; level += 1) {
      const dialog = await settings(page)
      if (dialog !== undefined) {
        await dialog.waitFor()
        const name = (await dialog.getAttribute('aria-label')) ?? ''
        if (!done.has(name)) await page.evaluate(fillAll)
        done.add(name)
        await page.keyboard.press('Escape')
        await dialog.waitFor({ state: 'detached' })
      }
      await page.keyboard.press('Escape')
    }
  }
  const after = flat(await savedBlocks(page))
  // Images are chosen by pressing them, and lines of code have a row in the menu instead of a panel.
  const others = new Set(['image', 'images', 'code-line'])
  const missing = Object.entries(blockRows).flatMap(([type, { data }]) => {
    const found = after.filter((block) => block.type === type)
    const wanted = Object.keys(data).filter((name) => !hiddenFields.has(name))
    if (found.length === 0 || wanted.length === 0 || others.has(type)) return []
    const has = (name: string) =>
      found.some((block) => JSON.stringify(Reflect.get(block.data, name) ?? null) !== 'null')
    return wanted.filter((name) => !has(name)).map((name) => `${type}.${name}`)
  })
  expect(missing).toEqual([])
  expect(await page.evaluate('window.violations')).toEqual([])
  await page.context().close()
})

test('columns of a table: options, people, pages, a cover, and hidden ones come back', {
  timeout: 90_000,
}, async () => {
  const page = await harness.open(
    fromMarkdown('| Name | State | Link |\n| --- | --- | --- |\n| a | open | |\n| b | done | |').document.nodes,
  )
  const table = async () => (await savedBlocks(page)).find((block) => block.type === 'table')?.data
  const column = (name: string) => page.locator('.ed-column', { hasText: name })
  const menu = page.getByRole('dialog')
  await column('State').click()
  await menu.getByRole('combobox', { name: 'Column type' }).selectOption('select')
  const choice = page.getByRole('combobox', { name: 'State' }).first()
  await choice.waitFor()
  // An option that gets another name is still chosen where it was, and the cells show it at once.
  await column('State').click()
  const options = menu.getByRole('textbox', { name: editorEn.table.options })
  await options.fill('waiting, done')
  await page.keyboard.press('Escape')
  await expect.poll(() => choice.locator('option:checked').textContent()).toBe('waiting')
  await column('Link').click()
  await menu.getByRole('combobox', { name: 'Column type' }).selectOption('content-ref')
  await page.locator('.ed-ref').first().click()
  await menu.getByRole('combobox', { name: 'Link' }).fill('Upgr')
  await page.getByRole('option', { name: /Upgrade/ }).click()
  await page.getByRole('button', { name: 'Link: Upgrade' }).waitFor()
  const values = Object.values((await table())?.records ?? {}).map(({ values }) => values['column-3'] ?? null)
  expect(values).toEqual([{ kind: 'page', page: 'p2' }, null])

  await column('Link').click()
  await menu.getByRole('button', { name: editorEn.table.hide }).click()
  await expect.poll(() => page.getByRole('button', { name: 'Link: Upgrade' }).isVisible()).toBe(false)
  await page.locator('.ed-doc td').first().click()
  // From the cell to the table.
  for (let level = 0; level < 6; level += 1) {
    const panel = await settings(page)
    if ((await panel?.getAttribute('aria-label')) === editorEn.blocks.table) break
    if (panel !== undefined) await page.keyboard.press('Escape')
    await menu.waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
  }
  await menu.getByRole('checkbox', { name: 'Hide header' }).check()
  await menu.getByRole('checkbox', { name: 'Show column Link' }).check()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Link: Upgrade' }).waitFor()
  const { view } = (await table()) ?? {}
  expect(view).toMatchObject({ hideHeader: true, columns: ['column-1', 'column-2', 'column-3'] })
  await page.context().close()
})
