/** Keys that write: marks, kinds of blocks, lists. Each is pressed in a real browser. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { editorEn } from '../../../../src/app/texts/en/editor.ts'
import { toMarkdown } from '../../../../src/core/document/to-markdown.ts'
import { makeDocument, paragraph, text } from '../../../../src/core/document/tree/make.ts'
import { savedBlocks, useHarness } from '../harness.ts'
import { cursorMoved, moveCursor } from '../keyboard.ts'

const harness = useHarness()

const content = (page: Page) => page.getByRole('textbox', { name: 'Page content' })
const markdown = async (page: Page): Promise<string> => toMarkdown(makeDocument(await savedBlocks(page))).trim()

test.each([
  ['Control+b', '**word**'],
  ['Control+i', '_word_'],
  ['Control+e', '`word`'],
  ['Control+Shift+x', '~~word~~'],
  ['Control+.', '<sup>word</sup>'],
  ['Control+,', '<sub>word</sub>'],
  ['Control+Alt+1', '## word'],
  ['Control+Alt+2', '### word'],
  ['Control+Alt+3', '#### word'],
  ['Control+Alt+c', '```\nword\n```'],
  ['Control+Shift+7', '1. word'],
  ['Control+Shift+8', '* word'],
  ['Control+Shift+9', '* [ ] word'],
  ['Control+Shift+b', '> word'],
])('%s makes %j, and undo takes it back', async (key, wanted) => {
  const page = await harness.open([paragraph([text('word')])])
  await content(page).click()
  await moveCursor(page, 'Control+a')
  await page.keyboard.press(key)
  expect(await markdown(page)).toBe(wanted)
  await page.keyboard.press('Control+z')
  expect(await markdown(page)).toBe('word')
  await page.context().close()
})

test('Mod-Alt-0 makes a paragraph again', async () => {
  const page = await harness.open([paragraph([text('word')])])
  await content(page).click()
  await cursorMoved(page)
  for (const key of ['Control+Alt+1', 'Control+Alt+0']) await page.keyboard.press(key)
  expect(await markdown(page)).toBe('word')
  await page.context().close()
})

test('Tab and Shift-Tab, Alt and arrows move an item in and out', async () => {
  const page = await harness.open()
  await content(page).click()
  await cursorMoved(page)
  await page.keyboard.type('- one')
  await page.keyboard.press('Enter')
  await page.keyboard.type('two')
  for (const [key, wanted] of [
    ['Tab', '* one\n  * two'],
    ['Shift+Tab', '* one\n* two'],
    ['Alt+ArrowRight', '* one\n  * two'],
    ['Alt+ArrowLeft', '* one\n* two'],
    ['Alt+ArrowUp', '* two\n* one'],
  ] as const) {
    await page.keyboard.press(key)
    expect(await markdown(page), key).toBe(wanted)
  }
  await page.context().close()
})

test('a chosen block is doubled, deleted and written in by keys', async () => {
  const page = await harness.open([paragraph([text('one')]), paragraph([text('two')])])
  await content(page).click()
  await moveCursor(page, 'Control+Home')
  for (const [keys, wanted] of [
    [['Escape', 'Control+d'], 'one\n\none\n\ntwo'],
    [['Escape', 'Delete'], 'one\n\ntwo'],
  ] as const) {
    for (const key of keys) await page.keyboard.press(key)
    expect(await markdown(page), keys.join(' ')).toBe(wanted)
  }
  await moveCursor(page, 'Control+Home')
  for (const key of ['Escape', 'Enter']) await page.keyboard.press(key)
  await page.keyboard.type('A ')
  expect(await markdown(page)).toBe('A one\n\ntwo')
  await page.context().close()
})

test('Mod-/ opens what can be inserted from the middle of writing, and Escape leaves the slash', async () => {
  const page = await harness.open([paragraph([text('words')])])
  await content(page).click()
  await cursorMoved(page)
  await page.keyboard.press('Control+/')
  await page.getByRole('listbox', { name: editorEn.insert }).waitFor()
  await page.keyboard.press('Escape')
  expect(await markdown(page)).toBe('words /')
  await page.context().close()
})
