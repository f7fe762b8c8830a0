/** What a process keeps in memory. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root, sources } from './sources.ts'

const runsInBrowsers = /^src\/(app|site\/browser)\//

describe('caches', () => {
  test('have shares that stay below the whole', () => {
    const shares = sources.flatMap(({ text }) =>
      [...text.matchAll(/(?:defineCache|cachedRows)<.*\([^)]*\bshare: ([\d.]+)/g)].map((match) => Number(match[1])),
    )
    expect(shares.length).toBeGreaterThan(5)
    expect(shares.reduce((sum, share) => sum + share, 0)).toBeLessThan(1)
  })

  test('stand in the object that is handed around: what a module keeps by itself is listed in ARCHITECTURE.md', () => {
    const kept = sources
      .filter(({ file }) => !runsInBrowsers.test(file))
      .flatMap(({ file, text }) =>
        [
          ...[
            ...text.matchAll(/^(?:export )?(?:const|let) (\w+)[^=\n]*= new (?:Map|Set|LRUCache)(?:<.*>)?\((.*)$/gm),
          ].filter(([, , given = '']) => given === ')' || given.startsWith('{')),
          ...text.matchAll(/^(?:export )?const (\w+) = remembering\(/gm),
        ].map(([, name]) => `\`${file}\`: ${name}`),
      )
    expect(kept.length).toBeGreaterThan(3)
    expect(kept.sort()).toEqual(listedIn(/^- (`[\w./-]+\.ts`: \w+),/gm))
  })

  // Made for one request, one transaction or one piece of work, and gone with it.
  const shortLived = [
    ...['Batch', 'RebasedEdits', 'openContent', 'KnownWords', 'BoundedTexts', 'PartsBehindPort'],
    ...[
      'Claims',
      'ShortcodeWriter',
      'Labels',
      'ImageShelf',
      'Crawl',
      'Texts',
      'openFolder',
      'openSources',
      'openCounts',
      'makeSight',
      'addViews',
      'addUnlisted',
    ],
    // It lies in a named cache, which weighs it again as it grows.
    'Navigation',
  ]

  test('so is what objects and closures hold that live as long as the process', () => {
    const held = sources
      .filter(({ file }) => !runsInBrowsers.test(file))
      .flatMap(({ file, text }) =>
        heldIn(text)
          .filter(({ owner }) => !shortLived.includes(owner))
          .map(({ owner, name }) => `\`${file}\`: ${owner}.${name}`),
      )
    expect(held.length).toBeGreaterThan(20)
    expect(held.sort()).toEqual(listedIn(/^- (`[\w./-]+\.ts`: \w+\.\w+),/gm))
    const owners = sources.flatMap(({ text }) => heldIn(text).map(({ owner }) => owner))
    expect(shortLived.filter((owner) => !owners.includes(owner))).toEqual([])
  })
})

const listedIn = (form: RegExp): (string | undefined)[] =>
  [...readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8').matchAll(form)].map(([, entry]) => entry).sort()

/** Collections that begin empty, as fields of a class or in a function that makes what others hold. */
function heldIn(text: string): { owner: string; name: string }[] {
  const held: { owner: string; name: string }[] = []
  let owner = ''
  for (const line of text.split('\n')) {
    owner = /^(?:export )?(?:async )?(?:function\*? |const |class )(\w+)/.exec(line)?.[1] ?? owner
    const [, name, given = ''] =
      /^ {2}(?:const |let |(?:readonly )?#?)(\w+)[^=]*= new (?:Map|Set|LRUCache)(?:<.*>)?\((.*)$/.exec(line) ?? []
    const isHeld = /^([A-Z]|(make|open|start|define|add)[A-Z])/.test(owner) && (given === ')' || given.startsWith('{'))
    if (name !== undefined && isHeld) held.push({ owner, name })
  }
  return held
}
