/** Pages about the sources, the packages they name, and how the process is started. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { filesIn, root, type Source, sources } from './sources.ts'

const packages: Record<string, string> = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).dependencies
const allPackages: Record<string, string> = {
  ...packages,
  ...JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).devDependencies,
}

describe('pages about the sources', () => {
  const pages = [
    'ARCHITECTURE.md',
    'STYLE.md',
    'CONTRIBUTING.md',
    'README.md',
    'test/kit/README.md',
    'test/faults/README.md',
  ]
  const all = [...pages, ...filesIn('docs/decisions', /\.md$/), 'docs/rooms.md', ...filesIn('docs/benchmarks', /\.md$/)]

  test('name files that are there', () => {
    const wrong = all.flatMap((page) => {
      const text = readFileSync(join(root, page), 'utf8')
      const named = [...text.matchAll(/`((?!\.)(?:[\w.-]+\/)+[\w.-]+\.(?:tsx?|js|md|typ))`/g)].map(
        ([, name = '']) => name,
      )
      const linked = [...text.matchAll(/\]\(([^)#\s:]+)/g)].map(([, name = '']) => join(dirname(page), name))
      const isThere = (name: string): boolean =>
        ['', 'src', 'src/domain'].some((folder) => existsSync(join(root, folder, name)))
      return [...named, ...linked].filter((name) => !isThere(name)).map((name) => `${page} names ${name}`)
    })
    expect(wrong).toEqual([])
  })

  test('draw the tree as it is', () => {
    const [, drawn = ''] = /\n```\n(bin\/[\s\S]*?)\n```/.exec(readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')) ?? []
    const folders: string[] = []
    const named = drawn.split('\n').flatMap((line) => {
      const [, indent = '', words = ''] = /^( *)(.*)$/.exec(line) ?? []
      const names = /^(?:[\w.-]+(?:\/|\.tsx?|\.js)(?=\s|$)\s?)*/.exec(words)?.[0].trim().split(' ') ?? []
      const depth = indent.length / 2
      const paths = names.filter((name) => name !== '').map((name) => join(...folders.slice(0, depth), name))
      // Lines that go on from the one above are indented to its words.
      if (names[0] !== '' && paths.length > 0) folders.splice(depth, folders.length, names[0] ?? '')
      return depth > 4 ? [] : paths
    })
    expect(named.length).toBeGreaterThan(70)
    expect(named.filter((name) => !existsSync(join(root, name)))).toEqual([])
  })
})

describe('dependencies', () => {
  test('are pinned exactly', () => {
    expect(Object.entries(allPackages).filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([])
  })

  test('are used, and nothing else is', () => {
    const isApp = ({ file }: Source): boolean => file.startsWith('src/app/')
    const usedIn = (files: readonly Source[]): Set<string> =>
      new Set(files.flatMap(({ modules }) => modules).filter((name) => !name.startsWith('node:')))
    const used = usedIn(sources.filter((source) => !isApp(source)))
    expect([...used].filter((name) => !(name in packages))).toEqual([])
    // What the app uses is inside its bundle, so that nobody who installs the package installs it.
    expect([...usedIn(sources.filter(isApp))].filter((name) => !(name in allPackages))).toEqual([])
    expect(Object.keys(packages).filter((name) => !used.has(name))).toEqual([])
  })

  test('have each a line in ARCHITECTURE.md, and no line is of one that is gone', () => {
    const text = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')
    const words = new Set(text.split(/[\s|`,]+/))
    const bundled = sources.flatMap(({ file, modules }) => (file.startsWith('src/app/') ? modules : []))
    const named = [...Object.keys(packages), ...new Set(bundled)]
    expect(named.filter((name) => !words.has(name))).toEqual([])
    const [, tables = ''] = text.split('\n## Dependencies\n')
    const rows = [...tables.matchAll(/^\| ([@a-z][^|]*?) *\|/gm)].flatMap(([, names = '']) => names.split(', '))
    expect(rows.filter((name) => name !== 'package' && !(name in allPackages))).toEqual([])
  })
})

test('npm start and npx lectern start Node with the same options', () => {
  const { start } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts
  const [first] = readFileSync(join(root, 'bin/lectern.js'), 'utf8').split('\n')
  expect(first).toMatch(/ --v8-pool-size=0( |$)/)
  expect(start).toContain(`${first?.replace('#!/usr/bin/env -S ', '')} bin/lectern.js serve`)
})
