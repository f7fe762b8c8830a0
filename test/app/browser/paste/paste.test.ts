/** Paste from other programs, in a real browser. */
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { fromMarkdown } from '../../../../src/core/document/read/from-markdown.ts'
import { toMarkdown } from '../../../../src/core/document/to-markdown.ts'
import { makeDocument, paragraph, text } from '../../../../src/core/document/tree/make.ts'
import { savedBlocks, useHarness } from '../harness.ts'
import { pasteData } from './clipboard.ts'
import { pasteCases } from './paste-cases.ts'

const harness = useHarness()
let page: Page
beforeAll(async () => {
  page = await harness.open()
})

const paste = (data: Readonly<Record<string, string>>) => pasteData(page, data)

async function clear(): Promise<void> {
  await page.getByRole('textbox', { name: 'Page content' }).click()
  for (let times = 0; times < 6; times += 1) await page.keyboard.press('Control+a')
  await page.keyboard.press('Delete')
  await page.keyboard.press('Backspace')
}

const markdown = async (): Promise<string> => toMarkdown(makeDocument(await savedBlocks(page))).trim()

describe('paste from', () => {
  for (const { name, data, markdown: wanted } of pasteCases)
    test(name, async () => {
      await clear()
      await paste(data)
      await expect.poll(markdown, { timeout: 10_000 }).toBe(wanted)
      expect(await page.evaluate('window.evil')).toBeUndefined()
    })

  test('merged cells: they reach over others while one writes, and typing into one keeps it so', async () => {
    await clear()
    await paste({
      'text/plain': '',
      'text/html':
        '<table><tr><th>A</th><th>B</th></tr><tr><td colspan="2">wide</td></tr><tr><td rowspan="2">tall</td><td>one</td></tr><tr><td>two</td></tr></table>',
    })
    const cells = () =>
      page.evaluate(
        `[...document.querySelectorAll('.ed-doc td')].filter((cell) => cell.offsetWidth > 0).map((cell) => [cell.textContent, cell.colSpan, cell.rowSpan].join(' '))`,
      )
    await expect.poll(cells).toEqual(['wide 2 1', 'tall 1 2', 'one 1 1', 'two 1 1'])
    await page.locator('.ed-doc td').getByText('wide').click()
    await page.keyboard.type('r ')
    expect(await cells()).toHaveLength(4)
    expect(await markdown()).toMatch(/<td data-colspan="2">.*r.*<\/td><td><\/td>.*<td data-rowspan="2">tall<\/td>/)
  })

  test('an image that was copied in a browser: the image, not the address of another', async () => {
    await clear()
    await page.evaluate(`{
      const data = new DataTransfer()
      data.setData('text/html', '<meta charset="utf-8"><img src="https://example.org/a.png" alt="">')
      data.items.add(new File(['x'], 'image.png', { type: 'image/png' }))
      document.querySelector('.ed-doc').dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
    }`)
    await expect.poll(markdown, { timeout: 10_000 }).toContain('/files/')
    expect(await markdown()).not.toContain('example.org')
  })

  test('this editor: blocks as they were, also such as no other program knows', async () => {
    const hint = '{% hint style="warning" %}\nBack up **first**.\n{% endhint %}'
    const { document } = fromMarkdown(hint)
    const other = await harness.open(document.nodes)
    await other.getByRole('textbox', { name: 'Page content' }).click()
    const copied: Record<string, string> = await other.evaluate(`{
      for (let times = 0; times < 3; times += 1)
        document.querySelector('.ed-doc').dispatchEvent(
          new KeyboardEvent('keydown', { key: 'a', code: 'KeyA', keyCode: 65, ctrlKey: true, bubbles: true, cancelable: true }),
        )
      const data = new DataTransfer()
      document.querySelector('.ed-doc').dispatchEvent(new ClipboardEvent('copy', { clipboardData: data, bubbles: true, cancelable: true }))
      Object.fromEntries(data.types.map((type) => [type, data.getData(type)]))
    }`)
    await other.context().close()
    await clear()
    // Words that look like Markdown do not come before the blocks themselves.
    await paste({ ...copied, 'text/plain': '# Title\n\n- one\n- two\n' })
    await expect.poll(markdown, { timeout: 10_000 }).toBe(hint)
  })

  test('anywhere into code: its text, whatever it looks like', async () => {
    await clear()
    await page.keyboard.type('```js ')
    await paste({ 'text/plain': '# not a heading\n* no list', 'text/html': '<h1>not a heading</h1>' })
    await expect.poll(markdown, { timeout: 10_000 }).toBe('```js\n# not a heading\n* no list\n```')
  })

  test('anywhere with Shift: only the words', async () => {
    await clear()
    await page.keyboard.press('Control+Shift+v')
    await paste({ 'text/plain': 'plain words', 'text/html': '<h1><b>plain</b> words</h1>' })
    await expect.poll(markdown, { timeout: 10_000 }).toBe('plain words')
  })

  test('an address onto words: a link', async () => {
    const other = await harness.open([paragraph([text('words')])])
    await other.getByRole('textbox', { name: 'Page content' }).click()
    await other.keyboard.press('Control+a')
    const before = page
    page = other
    await paste({ 'text/plain': 'https://example.org/x' })
    expect(await markdown()).toBe('[words](https://example.org/x)')
    page = before
    await other.context().close()
  })
})
