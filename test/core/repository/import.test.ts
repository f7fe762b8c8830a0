/** What becomes of repositories: the project's own, ones without a table of contents, and ones that are wrong. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { fromMarkdown } from '../../../src/core/document/read/from-markdown.ts'
import { settleDocument } from '../../../src/core/import/settle.ts'
import { indexPaths } from '../../../src/core/repository/targets.ts'
import { makeMemory, pagesOf } from './memory.ts'

const fixture = fileURLToPath(new URL('../../fixtures/repository', import.meta.url))

function readFixture(): Map<string, string> {
  const names = readdirSync(fixture, { recursive: true }).map(String)
  const files = names.filter((name) => statSync(join(fixture, name)).isFile())
  return new Map(files.sort().map((name) => [name, readFileSync(join(fixture, name), 'utf8')]))
}

const folder = (files: Record<string, string>): Map<string, string> => new Map(Object.entries(files))
const sorted = (files: Map<string, string>) => Object.fromEntries([...files].sort())

async function importing(files: Record<string, string>) {
  const memory = makeMemory()
  await memory.import(folder(files))
  return [...(await pagesOf(memory)).keys()]
}

describe('the fixture', () => {
  test('comes back as it was, to the byte', async () => {
    const memory = makeMemory()
    const imported = await memory.import(readFixture())
    expect(imported).toMatchObject({ pages: { added: 9 }, files: { added: 4 }, reusable: { added: 1 }, unlisted: 1 })
    expect(sorted(await memory.export())).toEqual(sorted(readFixture()))
  })

  test('has the tree of its table of contents', async () => {
    const memory = makeMemory()
    await memory.import(readFixture())
    const pages = await pagesOf(memory)
    expect([...pages.keys()]).toEqual([
      'readme',
      'guide',
      'guide/set-up',
      'guide/advanced',
      'guide/advanced/tuning.v2',
      'guide/~Straight to the ports',
      'around',
      'around/a-page-1',
      'around/~Chat with us',
      'around/openapi',
      'CHANGELOG',
      'draft',
    ])
    const id = (path: string) => pages.get(path)?.id
    expect(pages.get('readme')).toMatchObject({
      title: 'Welcome to the bakery',
      linkTitle: 'Welcome',
      icon: 'bread-slice',
      git: { path: 'README.md', oid: expect.stringMatching(/^[0-9a-f]{40}$/) },
    })
    expect(pages.get('guide/~Straight to the ports')).toMatchObject({
      type: 'link',
      target: { kind: 'anchor', page: id('guide/set-up'), anchor: 'ports' },
    })
    expect(pages.get('around/~Chat with us')?.target).toEqual({ kind: 'url', url: 'https://example.org/chat' })
    expect(pages.get('around/openapi')).toMatchObject({ type: 'computed', computed: { type: 'builtin:openapi' } })
    expect(pages.get('guide/advanced/tuning.v2')).toMatchObject({ hidden: true })
    expect(pages.get('draft')).toMatchObject({ hidden: true, unlisted: { hidden: false } })
    expect(memory.content.variables).toEqual({ baker: 'Ada', number: '7' })
  })

  test('imported again keeps its pages, and changes those that changed', async () => {
    const memory = makeMemory()
    await memory.import(readFixture())
    const before = await pagesOf(memory)
    const changed = readFixture().set('guide/set-up.md', '# Set up now\n\nShort.\n')
    changed.delete('notes/draft.md')
    const again = await memory.import(changed, { keep: true })
    expect(again.pages).toEqual({ added: 0, changed: 1, removed: 0, unchanged: 7 })
    const after = await pagesOf(memory)
    expect([...after.values()].map(({ id }) => id)).toEqual([...before.values()].map(({ id }) => id))
    expect(after.get('guide/set-up')).toMatchObject({ title: 'Set up now', linkTitle: 'Set up' })
    const replaced = await memory.import(changed, { replace: true })
    expect(replaced.pages).toEqual({ added: 0, changed: 0, removed: 1, unchanged: 8 })
    expect(await memory.export()).not.toHaveProperty('notes/draft.md')
  })

  test('goes behind what is there', async () => {
    const memory = makeMemory()
    await memory.import(
      folder({ 'SUMMARY.md': '* [Mine](mine.md)\n* [Guide](x/guide.md)', 'mine.md': '# Mine', 'x/guide.md': '# G' }),
    )
    await memory.import(readFixture(), { keep: true })
    const paths = [...(await pagesOf(memory)).keys()].filter((path) => !path.includes('/'))
    expect(paths).toEqual(['mine', 'guide', 'readme', 'guide-1', 'around', 'CHANGELOG', 'draft'])
  })
})

describe('folders without a table of contents', () => {
  test('are pages, in the order people meant', async () => {
    expect(
      await importing({
        'README.md': '# Home',
        'zebra.md': '# Aardvark',
        'b.md': 'No heading',
        '10-last/README.md': '# Last',
        '2-first/index.md': '# First',
        '2-first/b.md': '---\nsidebar_position: 1\n---\n# Zed',
        '2-first/a.md': '# Alpha',
        'group/inner/deep.md': '# Deep',
        'beside.md': '# Beside',
        'beside/child.md': '# Child',
      }),
    ).toEqual([
      'readme',
      '2-first',
      '2-first/b',
      '2-first/a',
      '10-last',
      'zebra',
      'b',
      'beside',
      'beside/child',
      'group',
      'group/inner',
      'group/inner/deep',
    ])
  })

  test('keep the titles of files and folders where nothing else is said', async () => {
    const memory = makeMemory()
    await memory.import(
      folder({ '01-getting_started/02. next-step.md': 'Text', 'a/README.md': '', 'a/b.md': '---\ntitle: Said\n---\n' }),
    )
    const titles = [...(await pagesOf(memory)).values()].map(({ type, title }) => `${type} ${title}`)
    expect(titles).toEqual(['group Getting started', 'document Next step', 'document A', 'document Said'])
  })
})

describe('a repository', () => {
  test('loses nothing that its table of contents leaves out, repeats or gets wrong', async () => {
    const paths = await importing({
      'SUMMARY.md':
        '# S\n\n* [A](a.md)\n  * [Again](A.md)\n    * [Below a link](b.md)\n* [Missing](gone.md)\n* [Gone](gone/README.md)\n  * [C](c.md)\n\n### Deep\n\n* Words only\n  * [D](x/../d.md)',
      'a.md': '# A',
      'b.md': '# B',
      'c.md': '# C',
      'd.md': '# D',
      'README.md': '# Home',
      'a/e.md': '# E',
      'other/f.md': '# F',
      'other/README.md': '# Other',
      'deep/g.md': '# G',
    })
    expect(paths).toEqual([
      'readme',
      'a',
      'a/~Again',
      'a/b',
      'a/e',
      '~Missing',
      'gone',
      'gone/c',
      'deep',
      'deep/words-only',
      'deep/words-only/d',
      'deep/g',
      'other',
      'other/f',
    ])
  })

  test('may keep its docs in a folder', async () => {
    const files = folder({
      '.gitbook.yaml': 'root: ./docs/\nredirects:\n  old: new.md\n',
      'package.json': '{}',
      'docs/README.md': '# Home\n\n![x](.gitbook/assets/x.png)\n',
      'docs/SUMMARY.md': '# Table of contents\n\n* [Home](README.md)\n',
      'docs/.gitbook/assets/x.png': 'x',
    })
    const memory = makeMemory()
    const { skipped } = await memory.import(files)
    expect(skipped).toEqual(['package.json'])
    const exported = await memory.export()
    expect([...exported.keys()].sort()).toEqual([...files.keys()].filter((path) => path !== 'package.json').sort())
    expect(exported.get('.gitbook.yaml')).toBe(files.get('.gitbook.yaml'))
    expect(exported.get('docs/README.md')).toContain('src=".gitbook/assets/x.png"')
  })

  test('with pages that cannot be read comes in without them, and tells them; what they were before stays', async () => {
    const memory = makeMemory()
    const good = folder({
      'a.md': '---\nif: visitor.claims.x\n---\n# A\n\nText.',
      'b.md': '# B\n\nText.',
      'c.md': '# C',
    })
    await memory.import(good)
    const { a, b } = Object.fromEntries(await pagesOf(memory))
    const wrong = folder({
      'a.md': '---\nif: "((("\n---\n# A\n\nSecret.',
      'b.md': 'x'.repeat(1024 * 1024 + 1),
      'c.md': '# C\n\nNew.',
      'd.md': '---\nif: "((("\n---\n# D\n\nSecret.',
    })
    const { problems, pages } = await memory.import(wrong)
    expect(problems.map(({ path, message }) => `${path}: ${message}`)).toEqual([
      'b.md: It is larger than 1 MiB.',
      expect.stringMatching(/^a.md: `a.md` is not a condition/),
      expect.stringMatching(/^d.md: `d.md` is not a condition/),
    ])
    expect(pages).toMatchObject({ added: 1, changed: 1, unchanged: 2, removed: 0 })
    const now = Object.fromEntries(await pagesOf(memory))
    expect(now).toMatchObject({ a, b })
    expect(now.d).toMatchObject({ title: 'D' })
    expect(now.d?.document).toBeUndefined()
    await memory.import(folder({ ...Object.fromEntries(good), 'd.md': '# D\n\nGood.' }))
    const mended = Object.fromEntries(await pagesOf(memory))
    expect([mended.d?.id, mended.a?.id, mended.d?.document !== undefined]).toEqual([now.d?.id, a?.id, true])
  })

  test('of many pages is read in a thread as it is read here', async () => {
    const texts = (from: number, count: number, word: string): Record<string, string> =>
      Object.fromEntries(
        Array.from({ length: count }, (_, at) => [
          `page-${from + at}.md`,
          `---\ndescription: About ${from + at}\nif: visitor.claims.x\n---\n# Page ${from + at}\n\n${word} [next](page-${(from + at + 1) % 240}.md#a-part) and [more](more/).\n\n## A part\n\n| a | b |\n| - | - |\n| <ul><li>x</li></ul> | y |\n`,
        ]),
      )
    const more = { 'more/README.md': '# More' }
    const many = makeMemory()
    const all: Record<string, string> = { ...texts(0, 240, 'Old'), ...more }
    await many.import(folder(all))
    const records = [...(await pagesOf(many)).values()]
    const index = indexPaths(records.map(({ id, git }) => [git?.path ?? '', { kind: 'page', page: id }]))
    for (const { git: { path } = { path: '' }, document = '', title, description, condition } of records) {
      const read = fromMarkdown(all[path] ?? '')
      expect(title).toBe(read.title)
      expect([description, condition]).toEqual([read.frontMatter.description, read.frontMatter.if])
      if (document === '') expect(read.document.nodes).toEqual([])
      else
        expect(await many.writer.document(document)).toEqual(
          settleDocument(read.document, { path, index, previous: undefined })?.document,
        )
    }
    const before = Object.fromEntries(await pagesOf(many))
    const again = await many.import(folder({ ...texts(0, 239, 'Old'), ...texts(239, 1, 'New'), ...more }))
    expect(again.pages).toMatchObject({ added: 0, changed: 1, removed: 0, unchanged: 240 })
    const { nodes: old } = await many.writer.document(before['page-239']?.document ?? '')
    const { nodes: now } = await many.writer.document(
      Object.fromEntries(await pagesOf(many))['page-239']?.document ?? '',
    )
    // What stands unchanged in a page that did change keeps its keys.
    expect(now.slice(1)).toEqual(old.slice(1))
    expect(now[0]).not.toEqual(old[0])
    const broken = { ...texts(0, 240, 'Old'), ...more, 'page-7.md': '---\nif: "((("\n---\n# Page 7\n' }
    expect((await many.import(folder(broken))).problems.map(({ path }) => path)).toEqual(['page-7.md'])
  })

  test('whose names cannot be written back is left out of, and said so', async () => {
    const memory = makeMemory()
    const { skipped } = await memory.import(folder({ 'a\\b.md': '# A', '../out.md': '# Out', 'c\n.md': '# C' }))
    expect(skipped.sort()).toEqual(['../out.md', 'a\\b.md', 'c\n.md'])
  })
})
