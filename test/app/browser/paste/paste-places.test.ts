/** What other programs put on the clipboard, pasted into every kind of place: no word is lost, and what is saved is a document. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { fromMarkdown } from '../../../../src/core/document/read/from-markdown.ts'
import { toText } from '../../../../src/core/document/text/to-text.ts'
import { toMarkdown } from '../../../../src/core/document/to-markdown.ts'
import { makeDocument } from '../../../../src/core/document/tree/make.ts'
import { validateDocument } from '../../../../src/core/document/tree/validate.ts'
import { savedBlocks, useHarness } from '../harness.ts'
import { cursorMoved } from '../keyboard.ts'
import { pasteData } from './clipboard.ts'
import { pasteCases } from './paste-cases.ts'

const harness = useHarness()

/** By name: a page whose word "target" is where the cursor goes. */
const places: Readonly<Record<string, string>> = {
  'a paragraph': 'before target after',
  'a heading': '## before target after',
  'an item of a list': '* one\n* before target after\n* three',
  'a task': '* [x] one\n* [ ] before target after',
  'a quote': '> before target after',
  'a hint': '{% hint style="info" %}\nbefore target after\n{% endhint %}',
  code: '```js\nbefore target after\n```',
  'a tab':
    '{% tabs %}\n{% tab title="One" %}\nbefore target after\n{% endtab %}\n{% tab title="Two" %}\nother\n{% endtab %}\n{% endtabs %}',
  'the title of a step': '{% stepper %}\n{% step %}\n### before target after\n\nwords\n{% endstep %}\n{% endstepper %}',
  'a column':
    '{% columns %}\n{% column %}\nbefore target after\n{% endcolumn %}\n{% column %}\nother\n{% endcolumn %}\n{% endcolumns %}',
  'the title of an expandable': '<details><summary>before target after</summary>\n\nbody\n\n</details>',
  'the body of an expandable': '<details open><summary>title</summary>\n\nbefore target after\n\n</details>',
  'the caption of an image':
    '<figure><img src="https://example.org/a.png" alt=""><figcaption><p>before target after</p></figcaption></figure>',
  'a cell': '| A | B |\n| --- | --- |\n| before target after | b1 |\n| a2 | b2 |',
  'a card':
    '<table data-view="cards"><thead><tr><th>T</th><th>U</th></tr></thead><tbody><tr><td>before target after</td><td>other</td></tr></tbody></table>',
  'an update':
    '{% updates %}\n{% update date="2024-01-01" %}\n## before target after\n{% endupdate %}\n{% endupdates %}',
  'a prompt': '{% prompt description="x" %}\nbefore target after\n{% endprompt %}',
}

/** Cells that are pasted into a table fill its cells: what stood there goes. */
const tables = ['a cell', 'a card']
const sources = [
  'Word: lists',
  'Google Docs: a table',
  'Word: a table',
  'Notion: tasks as words',
  'Markdown as plain text',
]

const wordsOf = (text: string): string[] => text.match(/[\p{L}\p{N}]+/gu) ?? []
const wordsIn = (markdown: string): string[] => wordsOf(toText(fromMarkdown(markdown).document))

async function moveToTarget(page: Page): Promise<void> {
  await page.evaluate(`{
    const walk = document.createTreeWalker(document.querySelector('.ed-doc'), NodeFilter.SHOW_TEXT)
    for (let node = walk.nextNode(); node !== null; node = walk.nextNode()) {
      const at = node.data.indexOf('target')
      if (at >= 0) getSelection().collapse(node, at + 6)
    }
  }`)
  await cursorMoved(page)
}

for (const [place, markdown] of Object.entries(places))
  test(`pasted into ${place}`, async () => {
    const page = await harness.open(fromMarkdown(markdown).document.nodes)
    const errors: unknown[] = []
    page.on('pageerror', (error) => errors.push(error))
    await page.getByRole('textbox', { name: 'Page content' }).click()
    const before = toMarkdown(makeDocument(await savedBlocks(page)))
    const isCode = before.includes('```')
    for (const { name, data, markdown: meaning } of pasteCases.filter(({ name }) =>
      sources.some((one) => name.startsWith(one)),
    )) {
      await moveToTarget(page)
      await pasteData(page, data)
      const isFilled = tables.includes(place) && name.startsWith('Google Docs: a table')
      const wanted = [
        ...(isCode ? wordsOf(data['text/plain'] ?? '') : wordsIn(meaning)),
        ...(isFilled ? [] : wordsIn(markdown)),
      ]
      await expect
        .poll(
          async () => {
            const there = wordsOf(toText(makeDocument(await savedBlocks(page))))
            // Each word as often as it should be there; two may have come to stand side by side.
            return wanted.filter((word) => {
              const at = there.indexOf(word)
              if (at >= 0) there.splice(at, 1)
              return at < 0 && !there.some((one) => one.includes(word))
            })
          },
          { message: name },
        )
        .toEqual([])
      const document = makeDocument(await savedBlocks(page))
      expect(validateDocument(document), name).toEqual({ ok: true, document })
      await page.keyboard.press('Control+z')
      await expect.poll(async () => toMarkdown(makeDocument(await savedBlocks(page))), { message: name }).toBe(before)
    }
    expect(errors).toEqual([])
    await page.context().close()
  })
