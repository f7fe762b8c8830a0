import { describe, expect, test } from 'vitest'
import type { ContentRef } from '../../../src/core/document/tree/nodes.ts'
import { kindOf, readConfig } from '../../../src/core/repository/config.ts'
import { isSafePath, relativePath, safeName, spellPath } from '../../../src/core/repository/paths.ts'
import { indexPaths, resolveTarget, spellRef } from '../../../src/core/repository/targets.ts'

const page = (id: string): ContentRef => ({ kind: 'page', page: id })
const file = (id: string): ContentRef => ({ kind: 'file', file: id })
const index = indexPaths([
  ['README.md', page('home')],
  ['sdks/README.md', page('sdks')],
  ['sdks/Core/index.md', page('core')],
  ['sdks/set up.md', page('setup')],
  ['sdks/a%20b.md', page('odd')],
  ['sdks/ä.md', page('umlaut')],
  ['LICENSE', file('license')],
  ['.gitbook/assets/x (1).png', file('x')],
  ['.gitbook/assets/a#b.png', file('hash')],
  ['.gitbook/includes/note.md', { kind: 'reusable-content', reusableContent: 'note' }],
])

describe('a target', () => {
  const cases: [target: string, from: string, ref: ContentRef | undefined][] = [
    ['set up.md', 'sdks', page('setup')],
    ['set%20up.md', 'sdks', page('setup')],
    ['./set%20up.md#the-end', 'sdks', { kind: 'anchor', page: 'setup', anchor: 'the-end' }],
    ['../sdks/Set Up', '', undefined],
    ['sdks/Set Up', '', page('setup')],
    ['/sdks/set up.md?plain=1', 'sdks/Core', page('setup')],
    ['a%20b.md', 'sdks', page('odd')],
    ['../sdks/', 'sdks', page('sdks')],
    ['../sdks', 'sdks', page('sdks')],
    ['core/', 'sdks', page('core')],
    ['..', 'sdks/Core', page('sdks')],
    ['a\u0308.md', 'sdks', page('umlaut')],
    ['../LICENSE', 'sdks', file('license')],
    ['../.gitbook/assets/x (1).png', 'sdks', file('x')],
    ['../.gitbook/assets/x%20%281%29.png', 'sdks', file('x')],
    ['.gitbook/assets/a%23b.png', '', file('hash')],
    ['.gitbook/includes/note.md', '', { kind: 'reusable-content', reusableContent: 'note' }],
    ['../../etc/passwd', 'sdks', undefined],
    ['missing.md', 'sdks', undefined],
    ['https://example.org/README.md', '', undefined],
    ['//example.org', '', undefined],
    ['#here', '', undefined],
    ['mailto:README.md', '', undefined],
    ['%E0%A4%A', '', undefined],
    ['', '', undefined],
  ]
  for (const [target, from, ref] of cases)
    test(`${JSON.stringify(target)} from ${JSON.stringify(from)}`, () => {
      expect(resolveTarget(index, target, from)).toEqual(ref)
    })

  test('is spelt so that it is read again', () => {
    for (const [path, ref] of index.exact)
      for (const from of ['', 'sdks', 'sdks/Core', 'else/where'])
        expect(resolveTarget(index, spellRef(index, ref, from), from), path).toEqual(ref)
    expect(spellRef(index, { kind: 'anchor', page: 'sdks', anchor: 'x' }, 'a/b')).toBe('../../sdks/README.md#x')
    expect(spellRef(index, { kind: 'url', url: '../sdks/' }, 'sdks')).toBe('README.md')
    expect(spellRef(index, page('gone'), '')).toBe('/pages/gone')
    expect(spellPath('a:b.md')).toBe('./a:b.md')
    expect(relativePath('a/b', 'a/c/d.md')).toBe('../c/d.md')
  })
})

describe('names', () => {
  test('that could leave the folder, or be read by git, are not safe', () => {
    for (const path of [
      '',
      '..',
      '../x',
      'a/../b',
      '/etc',
      'a//b',
      'a\\b',
      'a\0b',
      '.git/x',
      'a/.GIT/x',
      '. /x',
      `${'x'.repeat(300)}.md`,
    ])
      expect(isSafePath(path), path).toBe(path === '. /x')
    for (const path of ['a', 'a/b c (1).md', '.gitbook/x', 'ünï/日.md']) expect(isSafePath(path), path).toBe(true)
  })

  test('are made of anything', () => {
    for (const text of ['', '..', 'a/b', 'CON', 'nul.txt', ' x. ', 'a\nb', '日'.repeat(200), 'node_modules']) {
      const name = safeName(text)
      expect(isSafePath(name), text).toBe(true)
      expect(name).not.toMatch(/^(con|nul|node_modules)(\.|$)/i)
    }
  })

  test('say what a file is', () => {
    const config = readConfig('root: ./docs/\nstructure:\n  summary: toc/SUMMARY.md\n')
    expect(config).toEqual({ root: 'docs', readme: 'docs/README.md', summary: 'docs/toc/SUMMARY.md' })
    const kinds = Object.fromEntries(
      ['.gitbook.yaml', 'a.md', 'docs/a.md', 'docs/x.png', 'docs/toc/SUMMARY.md', 'docs/.gitbook/vars.yaml', 'docs/.gitbook/includes/a.md',
        'docs/.gitbook/assets/a.md', 'docs/.github/a.md', 'docs/node_modules/a/README.md'].map((path) => [path, kindOf(path, config)]),
    ) // biome-ignore format: a list of paths.
    expect(kinds).toEqual({
      '.gitbook.yaml': 'config',
      'a.md': undefined,
      'docs/a.md': 'page',
      'docs/x.png': 'file',
      'docs/toc/SUMMARY.md': 'summary',
      'docs/.gitbook/vars.yaml': 'variables',
      'docs/.gitbook/includes/a.md': 'include',
      'docs/.gitbook/assets/a.md': 'file',
      'docs/.github/a.md': undefined,
      'docs/node_modules/a/README.md': undefined,
    })
    const usual = { root: '', readme: 'README.md', summary: 'SUMMARY.md' }
    for (const wrong of [': [', '- a', 'root: ../..', 'root: 7', 'structure: x'])
      expect(readConfig(wrong)).toEqual(usual)
  })
})
