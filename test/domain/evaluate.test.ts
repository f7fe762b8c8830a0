/** What of a document readers get. */
import { expect, test } from 'vitest'
import { fromMarkdown } from '../../src/core/document/read/from-markdown.ts'
import { toMarkdown } from '../../src/core/document/to-markdown.ts'
import { evaluateDocument } from '../../src/domain/content/markdown/evaluate.ts'

test('comments are for writers alone, wherever they stand', () => {
  const { document } = fromMarkdown(
    'Words\n\n<!-- one -->\n\n{% hint style="info" %}\nMore\n\n<!-- two -->\n{% endhint %}\n\n<details>\n\n<summary>Title</summary>\n\n{/* three */}\n\nBody\n\n</details>',
  )
  expect(toMarkdown(document).match(/one|two|three/g)).toEqual(['one', 'two', 'three'])
  const read = toMarkdown(evaluateDocument(document, { page: {}, space: {} }))
  expect(read).not.toMatch(/one|two|three|<!--/)
  expect(read).toContain('More')
  expect(read).toContain('Body')
})
