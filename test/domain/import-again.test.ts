/** What an import changes when it comes again: pages are known by path and by what they say, and others' pages stay. */
import { describe, expect, test } from 'vitest'
import { putPages } from '../../src/core/revision/content.ts'
import type { PageRecord } from '../../src/core/revision/records.ts'
import { makeMemory, pagesOf } from '../core/repository/memory.ts'

const long =
  'The pump runs for ten minutes, then the valve closes and the lamp turns green until the tank is full again.'
const first = new Map([
  ['README.md', '# Home\n\nSee [the pump](machines/pump.md).'],
  ['machines/README.md', '# Machines'],
  ['machines/pump.md', `# Pump\n\n${long}`],
  ['machines/valve.md', '# Valve\n\nA valve.'],
  ['machines/lamp.md', '# Lamp\n\nEvery lamp in the hall has its own switch beside the door that leads to the yard.'],
])

const titles = async (memory: ReturnType<typeof makeMemory>): Promise<Record<string, string>> =>
  Object.fromEntries([...(await pagesOf(memory)).values()].map((page) => [page.title, page.id]))

describe('a second import', () => {
  test('knows a renamed file again, as it was or edited, and drops a deleted one', async () => {
    const memory = makeMemory()
    await memory.import(first)
    const before = await titles(memory)
    const next = new Map(first)
    next.delete('machines/pump.md')
    next.delete('machines/valve.md')
    next.delete('machines/lamp.md')
    next.set('README.md', '# Home\n\nSee [the pump](water/big-pump.md).')
    next.set('water/big-pump.md', `# Big pump\n\n${long} Twice a day.`)
    next.set('water/lamp.md', first.get('machines/lamp.md') ?? '')
    const imported = await memory.import(next)
    const after = await titles(memory)
    expect(after['Big pump']).toBe(before.Pump)
    expect(after.Lamp).toBe(before.Lamp)
    expect(after).not.toHaveProperty('Valve')
    expect(imported.pages).toMatchObject({ removed: 1 })
    expect(await memory.import(next)).toMatchObject({ pages: { added: 0, changed: 0, removed: 0 } })
  })

  test('leaves pages made by hand, which move up when the page above them goes', async () => {
    const memory = makeMemory()
    await memory.import(first)
    const { Machines } = await titles(memory)
    const mine: PageRecord = { id: 'mine', type: 'document', rank: 'a9', title: 'Mine', slug: 'mine' }
    const below: PageRecord = { ...mine, id: 'below', title: 'Below', slug: 'below', parent: Machines ?? '' }
    memory.content = await putPages(memory.writer, memory.content, [{ after: mine }, { after: below }])
    await memory.import(new Map([['README.md', '# Home']]))
    const pages = [...(await pagesOf(memory)).values()]
    expect(pages.map(({ title }) => title).sort()).toEqual(['Below', 'Home', 'Mine'])
    expect(pages.find(({ id }) => id === 'mine')).toEqual(mine)
    expect(pages.find(({ id }) => id === 'below')?.parent).toBeUndefined()
  })

  test('removes its groups and links, and nobody else’s', async () => {
    const memory = makeMemory()
    const withSummary = (summary: string) =>
      new Map([
        ['SUMMARY.md', summary],
        ['a.md', '# A'],
      ])
    await memory.import(withSummary('# Summary\n\n## Old\n\n* [A](a.md)\n* [Site](https://one.example)\n'))
    const group: PageRecord = { id: 'g', type: 'group', rank: 'a7', title: 'Kept', slug: 'kept' }
    memory.content = await putPages(memory.writer, memory.content, [{ after: group }])
    await memory.import(withSummary('# Summary\n\n## New\n\n* [A](a.md)\n* [Site](https://two.example)\n'))
    const pages = [...(await pagesOf(memory)).values()]
    expect(pages.map(({ type, title }) => `${type} ${title}`).sort()).toEqual([
      'document A',
      'group Kept',
      'group New',
      'link Site',
    ])
  })
})
