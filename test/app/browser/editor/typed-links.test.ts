/** Addresses that are typed become links, and signs that a phone composes mean what typed ones mean. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { toMarkdown } from '../../../../src/core/document/to-markdown.ts'
import { makeDocument, paragraph, text } from '../../../../src/core/document/tree/make.ts'
import { savedBlocks, useHarness } from '../harness.ts'
import { moveCursor } from '../keyboard.ts'

const harness = useHarness()

const content = (page: Page) => page.getByRole('textbox', { name: 'Page content' })
const markdown = async (page: Page): Promise<string> => toMarkdown(makeDocument(await savedBlocks(page))).trim()

test('before a space and before Enter, without the signs that end a sentence', async () => {
  const page = await harness.open()
  await content(page).click()
  await page.keyboard.type('See https://example.org/a?c=d, (http://example.net/x) or https://example.com/y(z).')
  await page.keyboard.press('Enter')
  await page.keyboard.type('https://')
  await page.keyboard.press('Enter')
  await page.keyboard.type('Words and `https://example.org/code` more')
  expect(await markdown(page)).toBe(
    [
      'See [https://example.org/a?c=d](https://example.org/a?c=d), ([http://example.net/x](http://example.net/x)) or [https://example.com/y(z)](<https://example.com/y(z)>).',
      'https\\://',
      'Words and `https://example.org/code` more',
    ].join('\n\n'),
  )
  await page.context().close()
})

test('Backspace takes a link back', async () => {
  const page = await harness.open()
  await content(page).click()
  await page.keyboard.type('https://example.org ')
  await page.keyboard.press('Backspace')
  await page.keyboard.type('and more')
  expect(await markdown(page)).toBe('https\\://example.org and more')
  await page.context().close()
})

test.each([
  ['*word*', '_word_'],
  ['**two words**', '**two words**'],
  ['https://example.org ', '[https://example.org](https://example.org)&#x20;'],
])('%j in one composition is %s', async (composed, printed) => {
  const page = await harness.open([paragraph([text('before ')])])
  await content(page).click()
  await moveCursor(page, 'Control+End')
  const session = await page.context().newCDPSession(page)
  const selection = { selectionStart: composed.length, selectionEnd: composed.length }
  await session.send('Input.imeSetComposition', { text: composed, ...selection })
  await session.send('Input.insertText', { text: composed })
  await expect.poll(() => markdown(page)).toBe(`before ${printed}`)
  await page.context().close()
})
