/** Blocks, items and rows that are dragged by their handle to other places, in a real browser, and undo of it. */
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { editorEn } from '../../../../src/app/texts/en/editor.ts'
import { fromMarkdown } from '../../../../src/core/document/read/from-markdown.ts'
import { toMarkdown } from '../../../../src/core/document/to-markdown.ts'
import { makeDocument } from '../../../../src/core/document/tree/make.ts'
import { sqlite } from '../../../kit/backends.ts'
import { useKit } from '../../../kit/server.ts'
import { savedBlocks, useHarness } from '../harness.ts'
import { saved } from '../keyboard.ts'
import { makePage, readMarkdown } from '../pages.ts'
import { content, openToWrite, signIn, writeAt } from '../people.ts'

const kit = useKit(sqlite)
const harness = useHarness()

/** Takes the block with these words by its handle and holds it over others. */
async function holdOver(page: Page, words: string, target: string): Promise<void> {
  const at = (text: string) => content(page).getByText(text, { exact: true })
  await at(words).hover()
  const grip = page.getByRole('button', { name: editorEn.handle })
  await grip.hover()
  // From a cell it goes on to the row.
  await grip.hover({ position: { x: 8, y: 8 } })
  await page.mouse.down()
  const box = await at(target).boundingBox()
  if (box === null) throw new Error('Nothing to drop it on.')
  // Over the end of the words: the block goes behind them.
  await page.mouse.move(box.x + 20, box.y + box.height / 2, { steps: 5 })
  await page.mouse.move(box.x + Math.min(box.width, 60) - 2, box.y + box.height - 3, { steps: 3 })
}

const markdown = async (page: Page): Promise<string> => toMarkdown(makeDocument(await savedBlocks(page))).trim()

const list = '* one\n* two\n* three'
const tasks = '- [x] done\n- [ ] open'
const table = '| A   | B   |\n| --- | --- |\n| a1  | b1  |\n| a2  | b2  |'
const column = (words: string) => `{% column %}\n${words}\n{% endcolumn %}`
const tab = (title: string, words: string) => `{% tab title="${title}" %}\n${words}\n{% endtab %}`
const moves: Record<string, { page: string; drag: string; to: string; becomes: string }> = {
  'a paragraph below another': { page: 'one\n\ntwo\n\nthree', drag: 'one', to: 'two', becomes: 'two\n\none\n\nthree' },
  'a paragraph into a tab': {
    page: `one\n\n{% tabs %}\n${tab('T', 'within')}\n{% endtabs %}`,
    drag: 'one',
    to: 'within',
    becomes: `{% tabs %}\n${tab('T', 'within\n\none')}\n{% endtabs %}`,
  },
  'a paragraph into a column, whose own column stays': {
    page: `{% columns %}\n${column('left')}\n\n${column('right')}\n{% endcolumns %}`,
    drag: 'left',
    to: 'right',
    becomes: `{% columns %}\n${column('')}\n\n${column('right\n\nleft')}\n{% endcolumns %}`,
  },
  'an item within its list': { page: list, drag: 'one', to: 'two', becomes: '* two\n* one\n* three' },
  'an item out of its list, which stays bulleted': {
    page: `${list}\n\nlast`,
    drag: 'two',
    to: 'last',
    becomes: '* one\n* three\n\nlast\n\n* two',
  },
  'the only item of a list': { page: '* one\n\nlast', drag: 'one', to: 'last', becomes: 'last\n\n* one' },
  'a task out of its list, which stays done': {
    page: `${tasks}\n\nlast`,
    drag: 'done',
    to: 'last',
    becomes: '* [ ] open\n\nlast\n\n* [x] done',
  },
  'a row within its table': {
    page: table,
    drag: 'a1',
    to: 'b2',
    becomes: '| A   | B   |\n| --- | --- |\n| a2  | b2  |\n| a1  | b1  |',
  },
  'a row out of its table, which keeps its columns': {
    page: `${table}\n\nlast`,
    drag: 'a1',
    to: 'last',
    becomes: '| A   | B   |\n| --- | --- |\n| a2  | b2  |\n\nlast\n\n| A   | B   |\n| --- | --- |\n| a1  | b1  |',
  },
}

describe('dragged by its handle', () => {
  for (const [name, { page: written, drag, to, becomes }] of Object.entries(moves))
    test(name, async () => {
      const page = await harness.open(fromMarkdown(written).document.nodes)
      // Handles stand in the margin.
      await page.evaluate(`document.querySelector('main').style.margin = '0 90px'`)
      const before = await markdown(page)
      await holdOver(page, drag, to)
      await page.mouse.up()
      await expect.poll(() => markdown(page)).toBe(becomes)
      await page.keyboard.press('Control+z')
      await expect.poll(() => markdown(page)).toBe(before)
      await page.keyboard.press('Control+Shift+z')
      await expect.poll(() => markdown(page)).toBe(becomes)
      await page.context().close()
    })
})

test('what another writes in a block while it is dragged goes along', { timeout: 60_000 }, async () => {
  await kit.server.app.listen({ port: 0, host: '127.0.0.1' })
  const origin = `http://127.0.0.1:${(kit.server.app.server.address() as AddressInfo).port}`
  const { id: spaceId } = await kit.as.admin.createSpace({ organizationId: kit.organization, body: { title: 'Drag' } })
  const pageId = await makePage(kit.as.admin, { spaceId, markdown: 'Moves.\n\nStays.\n\nLast.' })
  const ann = await signIn(harness.browser(), origin, kit.people.admin.token)
  const ben = await signIn(harness.browser(), origin, kit.people.review.token)
  await openToWrite(ann.page, `${origin}/app/s/${spaceId}/p/${pageId}`)
  await openToWrite(ben.page, `${origin}/app/s/${spaceId}/p/${pageId}`)
  await holdOver(ann.page, 'Moves.', 'Last.')
  await writeAt(ben.page, 'Moves.', 'End', ' Words of Ben.')
  await content(ann.page).getByText('Words of Ben.').waitFor()
  await ann.page.mouse.up()
  await expect
    .poll(() => content(ann.page).locator('p').allInnerTexts())
    .toEqual(['Stays.', 'Last.', 'Moves. Words of Ben.'])
  await saved(ann.page)
  expect((await readMarkdown(kit.as.admin, { spaceId, pageId })).trim()).toMatch(
    /Stays\.\n\nLast\.\n\nMoves\. Words of Ben\.$/,
  )
})
