/**
 * Pages of every construct, each with the tree it is read as and the Markdown it is printed as. After a change that is
 * meant, write the expected files anew: `UPDATE_CASES=1 npx vitest run test/core/document/cases.test.ts`, and read
 * the difference.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { fromMarkdown } from '../../../src/core/document/read/from-markdown.ts'
import { toMarkdown } from '../../../src/core/document/to-markdown.ts'
import { validateDocument } from '../../../src/core/document/tree/validate.ts'

const folder = new URL('cases/', import.meta.url)
const names = readdirSync(folder).flatMap((file) => (/^[a-z-]+\.md$/.test(file) ? [file.slice(0, -3)] : []))

describe('the page', () => {
  for (const name of names)
    test(name, () => {
      const read = fromMarkdown(readFileSync(new URL(`${name}.md`, folder), 'utf8'))
      const printed = toMarkdown(read.document, read)
      compare(`${name}.snap.json`, `${JSON.stringify(read, null, 1)}\n`)
      compare(`${name}.printed.md`, printed)
      expect(validateDocument(read.document)).toMatchObject({ ok: true })
      expect(fromMarkdown(printed)).toEqual(read)
    })
})

function compare(file: string, content: string): void {
  const place = new URL(file, folder)
  if (process.env.UPDATE_CASES !== undefined || !existsSync(place)) writeFileSync(place, content)
  expect(content).toBe(readFileSync(place, 'utf8'))
}
