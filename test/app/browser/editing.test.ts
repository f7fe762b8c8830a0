/** Writing in a real browser: keys, menus, every kind of block, composition, and a policy that forbids nearly everything. */
import { AxeBuilder } from '@axe-core/playwright'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertRows } from '../../../src/app/editor/insert.ts'
import { editorEn } from '../../../src/app/texts/editor-en.ts'
import { toMarkdown } from '../../../src/core/document/to-markdown.ts'
import { makeDocument, paragraph, text } from '../../../src/core/document/tree/make.ts'
import { validateDocument } from '../../../src/core/document/tree/validate.ts'
import { launchChromium } from '../../site/chromium.ts'
import { type Harness, savedBlocks, startHarness } from './harness.ts'

let browser: Browser
let harness: Harness
beforeAll(async () => {
  browser = await launchChromium()
  harness = await startHarness(browser)
})
afterAll(async () => {
  harness?.close()
  await browser?.close()
})

const content = (page: Page) => page.getByRole('textbox', { name: 'Page content' })
const markdown = async (page: Page): Promise<string> => toMarkdown(makeDocument(await savedBlocks(page))).trim()
const violations = (page: Page) => page.evaluate('window.violations')

test('typing makes headings, lists, tasks, quotes, code and marks', async () => {
  const page = await harness.open()
  await content(page).click()
  const lines = [
    '# Title',
    'Some **bold** and *italic* and `code` words',
    '- one',
    'two',
    '',
    '1. first',
    '',
    '[] task',
    '',
    '> quote',
    '',
    '```js const a = 1',
  ]
  for (const line of lines) {
    await page.keyboard.type(line)
    if (line !== lines.at(-1)) await page.keyboard.press('Enter')
  }
  await page.keyboard.press('Enter')
  await page.keyboard.type('const b = 2')
  expect(await markdown(page)).toBe(
    [
      '## Title',
      '',
      'Some **bold** and _italic_ and `code` words',
      '',
      '* one',
      '* two',
      '',
      '1. first',
      '',
      '* [ ] task',
      '',
      '> quote',
      '',
      '```js',
      'const a = 1',
      'const b = 2',
      '```',
    ].join('\n'),
  )
  await expect.poll(() => page.evaluate('window.outline')).toEqual(['1 Title'])
  expect(await violations(page)).toEqual([])
  await page.context().close()
})

test('every block and inline of the menu can be inserted, and the document is valid', async () => {
  const page = await harness.open([paragraph([text('start')])])
  await content(page).click()
  for (const { kind } of insertRows) {
    await page.keyboard.press('Control+End')
    await page.evaluate(`window.editor.insertBlock(${JSON.stringify(kind)})`)
    await page.keyboard.press('Escape')
    await page.evaluate('window.editor.focus()')
  }
  const blocks = await savedBlocks(page)
  const read = validateDocument({ object: 'document', data: {}, nodes: blocks })
  expect(read.ok ? '' : read.problem.message).toBe('')
  const found = JSON.stringify(blocks)
  for (const { kind } of insertRows) {
    const type = kind === 'cards' ? 'table' : kind.startsWith('hint') ? 'hint' : kind
    expect(found, kind).toContain(`"type":"${type}"`)
  }
  expect(await violations(page)).toEqual([])
  await page.context().close()
})

test('the slash menu is found by words, chosen by Enter, left by Escape', async () => {
  const page = await harness.open()
  await content(page).click()
  await page.keyboard.type('/warn')
  const list = page.getByRole('listbox', { name: editorEn.insert })
  await list.waitFor()
  await page.keyboard.press('Enter')
  await page.keyboard.type('Mind the gap')
  await page.keyboard.press('Control+Enter')
  await page.keyboard.type('/tab')
  await list.waitFor()
  await page.keyboard.press('Escape')
  await list.waitFor({ state: 'detached' })
  expect(await markdown(page)).toContain('Mind the gap')
  expect((await savedBlocks(page)).map(({ type }) => type)).toEqual(['hint', 'paragraph'])
  await page.context().close()
})

test('blocks are chosen by Escape, moved by Alt and arrows, and Tab leads out', async () => {
  const page = await harness.open([paragraph([text('one')]), paragraph([text('two')])])
  await content(page).click()
  await page.keyboard.press('Control+Home')
  await page.keyboard.press('Alt+ArrowDown')
  expect(await markdown(page)).toBe('two\n\none')
  await page.keyboard.press('Control+z')
  expect(await markdown(page)).toBe('one\n\ntwo')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Tab')
  expect(await page.evaluate("document.activeElement?.getAttribute('aria-label')")).not.toBe('Page content')
  await page.context().close()
})

test('composed characters arrive once, and the block keeps its key', async () => {
  const page = await harness.open([{ ...paragraph([text('before ')]), key: 'mine' }])
  await content(page).click()
  await page.keyboard.press('Control+End')
  const session = await page.context().newCDPSession(page)
  for (const words of ['k', 'か', 'かん', '漢字'])
    await session.send('Input.imeSetComposition', {
      text: words,
      selectionStart: words.length,
      selectionEnd: words.length,
    })
  await session.send('Input.insertText', { text: '漢字' })
  const [block] = await savedBlocks(page)
  expect(block?.key).toBe('mine')
  expect(await markdown(page)).toBe('before 漢字')
  await page.context().close()
})

test('find and replace', async () => {
  const page = await harness.open([paragraph([text('a cat, a Cat, a dog')])])
  await content(page).click()
  await page.keyboard.press('Control+Alt+f')
  await page.getByRole('textbox', { name: editorEn.find.find }).fill('cat')
  await page.getByRole('textbox', { name: editorEn.find.replace }).fill('bird')
  expect(await page.getByRole('search').getByRole('status').textContent()).toBe('1 of 2')
  await page.getByRole('button', { name: editorEn.find.replaceAll }).click()
  expect(await markdown(page)).toBe('a bird, a bird, a dog')
  await page.context().close()
})

test('the source is Markdown, and changing it keeps the keys of what stays', async () => {
  const page = await harness.open([
    { ...paragraph([text('stays')]), key: 'a' },
    { ...paragraph([text('goes')]), key: 'b' },
  ])
  await page.evaluate('window.editor.source()')
  const area = page.getByRole('textbox', { name: editorEn.source.field })
  await area.fill('stays\n\n## New\n')
  await page.keyboard.press('Control+Enter')
  const blocks = await savedBlocks(page)
  expect(blocks.map(({ type }) => type)).toEqual(['paragraph', 'heading-1'])
  expect(blocks[0]?.key).toBe('a')
  await page.context().close()
})

test('is clean for people who use assistive technology', async () => {
  const page = await harness.open([paragraph([text('words')])])
  for (const kind of ['hint', 'tabs', 'table', 'code', 'list-tasks', 'expandable', 'columns', 'stepper']) {
    await page.keyboard.press('Control+End')
    await page.evaluate(`window.editor.insertBlock(${JSON.stringify(kind)})`)
  }
  const { violations: found } = await new AxeBuilder({ page })
    // Headings that are still empty, or skip a level, are what someone writes, not the interface.
    .disableRules(['empty-heading', 'heading-order'])
    .analyze()
  expect(found.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([])
  await page.context().close()
})
