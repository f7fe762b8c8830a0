/** Writing in a real browser: keys, menus, every kind of block, composition, and a policy that forbids nearly everything. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { insertRows, needsSettings } from '../../../../src/app/editor/insert.ts'
import { editorEn } from '../../../../src/app/texts/en/editor.ts'
import { toMarkdown } from '../../../../src/core/document/to-markdown.ts'
import { makeDocument, paragraph, text } from '../../../../src/core/document/tree/make.ts'
import type { Block } from '../../../../src/core/document/tree/nodes.ts'
import { topLevels } from '../../../../src/core/document/tree/schema.ts'
import { validateDocument } from '../../../../src/core/document/tree/validate.ts'
import { tokenize } from '../../../../src/site/render/tokenize.ts'
import { tokenClass } from '../../../../src/theme/token-kinds.ts'
import { findViolations } from '../../../kit/axe.ts'
import { savedBlocks, useHarness } from '../harness.ts'
import { cursorMoved, moveCursor, tabTo } from '../keyboard.ts'

const harness = useHarness()

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

test('every kind of block is in the menu, but those that only other programs make', () => {
  const made = insertRows.map(({ kind }) => (kind === 'cards' ? 'table' : kind.replace(/^hint-.*/, 'hint')))
  const others = topLevels.filter((type) => !made.includes(type))
  // Kept and shown as they are: an operation of an uploaded file, a block of an integration, headings of documents from elsewhere.
  expect(others).toEqual(['swagger', 'integration'])
})

test('every block and inline is inserted from the slash menu, can be written in, and the document stays valid', {
  timeout: 120_000,
}, async () => {
  const page = await harness.open([paragraph([text('start')])])
  const list = page.getByRole('listbox', { name: editorEn.insert })
  const wrong: string[] = []
  await content(page).click()
  for (const { kind } of insertRows) {
    await page.evaluate('window.editor.focus()')
    for (const key of ['Control+a', 'Control+a', 'Control+a', 'Control+a', 'Backspace']) await page.keyboard.press(key)
    await page.keyboard.type(`/${editorEn.blocks[kind].replaceAll(' ', '-').toLowerCase().split('-')[0]}`)
    const title = new RegExp(`^${editorEn.blocks[kind].replace(/[()]/g, '.')}( [^a-z]|$)`, 'i')
    await list.getByRole('option', { name: title }).first().click()
    const panel = page.getByRole('dialog')
    const hasPanel = needsSettings.has(kind) || kind === 'images' || kind === 'file'
    if (hasPanel !== (await panel.isVisible())) wrong.push(`${kind}: the panel ${hasPanel ? 'is not open' : 'is open'}`)
    // Without a panel Escape would choose the block, and what is typed would take its place.
    if (hasPanel) await page.keyboard.press('Escape')
    if (!hasPanel && kind !== 'divider' && kind !== 'drawing') await page.keyboard.type('typed')
    const blocks = await savedBlocks(page)
    const found = JSON.stringify(blocks)
    const type = kind === 'cards' ? 'table' : kind.startsWith('hint') ? 'hint' : kind
    if (!found.includes(`"type":"${type}"`)) wrong.push(`${kind}: is not there`)
    if (!hasPanel && kind !== 'divider' && kind !== 'drawing' && !found.includes('"typed"'))
      wrong.push(`${kind}: what is typed does not get into it`)
    const read = validateDocument({ object: 'document', data: {}, nodes: blocks })
    if (!read.ok) wrong.push(`${kind}: ${read.problem.message}`)
  }
  expect(wrong).toEqual([])
  expect(await violations(page)).toEqual([])
  await page.context().close()
})

test('a dropped file shows how far it is, and becomes an image; a block is dragged by its handle', async () => {
  const page = await harness.open([paragraph([text('one')]), paragraph([text('two')]), paragraph([text('three')])])
  await content(page).click()
  await page.evaluate(`(() => {
    let go
    window.letUploadsGo = new Promise((resolve) => { go = resolve })
    window.letGo = go
    const data = new DataTransfer()
    data.items.add(new File([new Uint8Array(4)], 'cat.png', { type: 'image/png' }))
    const target = document.querySelector('.ed-doc p')
    const box = target.getBoundingClientRect()
    const at = { bubbles: true, cancelable: true, dataTransfer: data, clientX: box.left + 5, clientY: box.top + 5 }
    target.dispatchEvent(new DragEvent('drop', at))
  })()`)
  const bar = page.getByRole('progressbar', { name: 'Uploading cat.png…' })
  await expect.poll(() => bar.getAttribute('value')).toBe('0.5')
  await page.evaluate('window.letGo()')
  await bar.waitFor({ state: 'detached' })
  expect((await savedBlocks(page)).map(({ type }) => type)).toContain('images')
  const first = content(page).getByText('one')
  await first.hover()
  const grip = page.getByRole('button', { name: editorEn.handle })
  const target = await content(page).getByText('three').boundingBox()
  await grip.hover()
  await page.mouse.down()
  await page.mouse.move((target?.x ?? 0) + 20, (target?.y ?? 0) + 2, { steps: 5 })
  await page.mouse.move((target?.x ?? 0) + 20, (target?.y ?? 0) + (target?.height ?? 0) - 2, { steps: 5 })
  await page.mouse.up()
  expect((await markdown(page)).trim()).toMatch(/two[\s\S]*three[\s\S]*one$/)
  await page.context().close()
})

test('the slash menu is found by words, chosen by Enter, left by Escape', async () => {
  const page = await harness.open()
  await content(page).click()
  await cursorMoved(page)
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
  await moveCursor(page, 'Control+Home')
  await page.keyboard.press('Alt+ArrowDown')
  expect(await markdown(page)).toBe('two\n\none')
  await page.keyboard.press('Control+z')
  expect(await markdown(page)).toBe('one\n\ntwo')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Tab')
  expect(await page.evaluate("document.activeElement?.getAttribute('aria-label')")).not.toBe('Page content')
  await page.context().close()
})

test('several blocks are moved together, and a chosen block leads to the next by arrows', async () => {
  const page = await harness.open(['one', 'two', 'three', 'four'].map((word) => paragraph([text(word)])))
  await content(page).click()
  await moveCursor(page, 'Control+Home')
  for (const key of ['Escape', 'ArrowDown', 'Shift+ArrowDown', 'Alt+ArrowDown']) await page.keyboard.press(key)
  expect(await markdown(page)).toBe('one\n\nfour\n\ntwo\n\nthree')
  for (const key of ['Alt+ArrowUp', 'Alt+ArrowUp']) await page.keyboard.press(key)
  expect(await markdown(page)).toBe('two\n\nthree\n\none\n\nfour')
  await page.keyboard.press('Control+z')
  await page.keyboard.press('Delete')
  await page.keyboard.type('gone')
  expect(await markdown(page)).toBe('one\n\ngone\n\nfour')
  await page.context().close()
})

test('whoever cannot drag moves a block by its menu', async () => {
  const page = await harness.open([paragraph([text('one')]), paragraph([text('two')])])
  await content(page).getByText('one').click()
  await page.getByRole('button', { name: editorEn.handle }).click()
  await page.getByRole('menuitem', { name: editorEn.menu.moveDown, exact: true }).click()
  expect(await markdown(page)).toBe('two\n\none')
  await page.context().close()
})

test('title and language of code are drawn when they are wanted, and reached by keys all the time', async () => {
  const page = await harness.open()
  await content(page).click()
  await cursorMoved(page)
  await page.keyboard.type('Words')
  await page.keyboard.press('Enter')
  await page.keyboard.type('```')
  await page.keyboard.press('Enter')
  await page.keyboard.type('const a = 1')
  const shown = (name: string): Promise<string> =>
    page
      .getByRole('textbox', { name })
      .or(page.getByRole('combobox', { name }))
      .evaluate(
        // The element's window is the page's.
        (field) => String(Reflect.get(Reflect.get(globalThis, 'getComputedStyle')(field), 'opacity')),
      )
  await page.mouse.move(0, 0)
  await expect.poll(() => shown('Title')).toBe('1')
  await content(page).getByText('Words').click()
  await page.mouse.move(0, 0)
  await expect.poll(async () => [await shown('Title'), await shown('Language')]).toEqual(['0', '0'])
  await tabTo(page, 'Title')
  await expect.poll(async () => [await shown('Title'), await shown('Language')]).toEqual(['1', '1'])
  await page.keyboard.press('Tab')
  await page.keyboard.type('js')
  await page.keyboard.press('Enter')
  await content(page).getByText('Words').click()
  await page.mouse.move(0, 0)
  await expect.poll(async () => [await shown('Title'), await shown('Language')]).toEqual(['0', '1'])
  expect(await markdown(page)).toBe('Words\n\n```js\nconst a = 1\n```')
})

test('code has the colours that readers see, also after more was written, and none without a language', async () => {
  const lines = ['const a = "b" // c', 'function f(x) { return x + 1 }']
  const code = (syntax: string | undefined): Block => ({
    object: 'block',
    type: 'code',
    isVoid: false,
    data: syntax === undefined ? {} : { syntax },
    nodes: lines.map((line) => ({ object: 'block', type: 'code-line', isVoid: false, data: {}, nodes: [text(line)] })),
  })
  const page = await harness.open([code('js'), code(undefined)])
  const colored = (): Promise<string[]> =>
    page
      .locator('pre span[class^="c"]')
      .evaluateAll((spans) => spans.map((span) => `${span.className} ${span.textContent}`))
  await expect.poll(colored, { timeout: 30_000 }).toEqual(await colorsOf(lines.join('\n')))
  await content(page).getByText('return x + 1').first().click()
  await moveCursor(page, 'End')
  await page.keyboard.press('Enter')
  await page.keyboard.type('let d = 2')
  await expect.poll(colored, { timeout: 30_000 }).toEqual(await colorsOf([...lines, 'let d = 2'].join('\n')))
  expect(await violations(page)).toEqual([])
  await page.context().close()
})

/** What a site makes of JavaScript: class and text of each run that has a colour. */
async function colorsOf(code: string): Promise<string[]> {
  const { runs } = (await tokenize(code, 'js')) ?? { runs: [] }
  return code.split('\n').flatMap((line, at) => {
    const found: string[] = []
    let from = 0
    for (const [i, kind] of (runs[at] ?? []).entries()) {
      if (i % 2 === 1) continue
      const to = from + (runs[at]?.[i + 1] ?? 0)
      if (tokenClass(kind) !== '') found.push(`${tokenClass(kind)} ${line.slice(from, to)}`)
      from = to
    }
    return found
  })
}

test('composed characters arrive once, and the block keeps its key', async () => {
  const page = await harness.open([{ ...paragraph([text('before ')]), key: 'mine' }])
  await content(page).click()
  await moveCursor(page, 'Control+End')
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
  await cursorMoved(page)
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
    await moveCursor(page, 'Control+End')
    await page.evaluate(`window.editor.insertBlock(${JSON.stringify(kind)})`)
  }
  // Headings that are still empty, or skip a level, are what someone writes, not the interface.
  expect(await findViolations(page, { without: ['empty-heading', 'heading-order'] })).toEqual([])
  await page.context().close()
})
