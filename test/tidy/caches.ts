/** What a process keeps in memory. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root, sources } from './sources.ts'

describe('caches', () => {
  test('have shares that stay below the whole', () => {
    const shares = sources.flatMap(({ text }) =>
      [...text.matchAll(/defineCache[^(]*\([^)]*\bshare: ([\d.]+)/g)].map((match) => Number(match[1])),
    )
    expect(shares.length).toBeGreaterThan(5)
    expect(shares.reduce((sum, share) => sum + share, 0)).toBeLessThan(1)
  })

  test('stand in the object that is handed around: what a module keeps by itself is listed in ARCHITECTURE.md', () => {
    const runsInBrowsers = /^src\/(app|site\/browser)\//
    const kept = sources
      .filter(({ file }) => !runsInBrowsers.test(file))
      .flatMap(({ file, text }) =>
        [...text.matchAll(/^(?:export )?(?:const|let) (\w+)[^=\n]*= new (?:Map|Set|LRUCache)(?:<.*>)?\((.*)$/gm)]
          .filter(([, , given = '']) => given === ')' || given.startsWith('{'))
          .map(([, name]) => `\`${file}\`: ${name}`),
      )
    const listed = [...readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8').matchAll(/^- (`[\w./-]+\.ts`: \w+),/gm)].map(
      ([, entry]) => entry,
    )
    expect(kept.length).toBeGreaterThan(3)
    expect(kept.sort()).toEqual(listed.sort())
  })
})
