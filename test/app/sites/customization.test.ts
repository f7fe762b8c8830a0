/** Two people's changes to one look are brought together, and nothing of either is lost without being named. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  changedSettings,
  mergeSettings,
  settingAt,
  withSetting,
} from '../../../src/app/sites/customization/settings.ts'
import { completeCustomization } from '../../../src/core/customization/complete.ts'

const base = completeCustomization({ title: 'Docs', announcement: { enabled: true, message: 'News', style: 'info' } })

const link = fc.record({ title: fc.constantFrom('One', 'Two'), to: fc.constant(null), links: fc.constant([]) })
/** Settings of every kind: texts, flags, pairs, lists, parts that are there or not. */
const change = fc.oneof(
  fc.tuple(fc.constant('title'), fc.constantFrom('Docs', 'Manual', undefined)),
  fc.tuple(fc.constant('styling.primaryColor.light'), fc.constantFrom('#111111', '#222222')),
  fc.tuple(fc.constant('styling.primaryColor.dark'), fc.constantFrom('#333333', '#444444')),
  fc.tuple(fc.constant('styling.tint'), fc.constantFrom({ color: { light: '#111111', dark: '#111111' } }, undefined)),
  fc.tuple(fc.constant('styling.corners'), fc.constantFrom('straight', 'circular')),
  fc.tuple(fc.constant('header.links'), fc.array(link, { maxLength: 2 })),
  fc.tuple(fc.constant('announcement.message'), fc.constantFrom('More news', 'No news')),
  fc.tuple(fc.constant('feedback.enabled'), fc.boolean()),
)
const changes = fc
  .array(change, { maxLength: 6 })
  .map((all) => all.reduce((settings, [path, value]) => withSetting(settings, path, value), base))

describe('changed settings', () => {
  test('are those that differ, by their paths', () => {
    const after = { ...base, title: 'Manual', styling: { ...base.styling, corners: 'straight' as const } }
    expect(changedSettings(base, after)).toEqual(['styling.corners', 'title'])
    expect(changedSettings(base, withSetting(base, 'announcement', undefined))).toEqual(['announcement'])
    expect(changedSettings(base, structuredClone(base))).toEqual([])
  })

  test('are all that leads from one to the other', () => {
    fc.assert(
      fc.property(changes, changes, (before, after) => {
        const paths = changedSettings(before, after)
        const led = paths.reduce((settings, path) => withSetting(settings, path, settingAt(after, path)), before)
        expect(changedSettings(led, after)).toEqual([])
      }),
    )
  })
})

describe('two people', () => {
  test('who changed different settings both have theirs', () => {
    const mine = withSetting(base, 'styling.primaryColor.light', '#111111')
    const theirs = withSetting(withSetting(base, 'styling.primaryColor.dark', '#222222'), 'title', 'Manual')
    const { settings, clashes } = mergeSettings({ base, mine, theirs })
    expect(clashes).toEqual([])
    expect(settings.styling.primaryColor).toEqual({ light: '#111111', dark: '#222222' })
    expect(settings.title).toBe('Manual')
  })

  test('who changed the same are told of it, and agree when they wanted the same', () => {
    const one = withSetting(base, 'title', 'One')
    const two = withSetting(base, 'title', 'Two')
    expect(mergeSettings({ base, mine: one, theirs: two })).toEqual({ settings: one, clashes: ['title'] })
    expect(mergeSettings({ base, mine: one, theirs: structuredClone(one) })).toEqual({ settings: one, clashes: [] })
    const gone = withSetting(base, 'announcement', undefined)
    const worded = withSetting(base, 'announcement.message', 'More')
    expect(mergeSettings({ base, mine: worded, theirs: gone }).clashes).toEqual(['announcement.message'])
  })

  test('lose nothing: what mine changed is as in mine, all else as in theirs', () => {
    fc.assert(
      fc.property(changes, changes, (mine, theirs) => {
        const { settings, clashes } = mergeSettings({ base, mine, theirs })
        const own = changedSettings(base, mine)
        for (const path of own) expect(settingAt(settings, path)).toEqual(settingAt(mine, path))
        const isOwn = (path: string): boolean =>
          own.some((one) => one === path || path.startsWith(`${one}.`) || one.startsWith(`${path}.`))
        for (const path of changedSettings(theirs, settings)) expect(isOwn(path)).toBe(true)
        // Where theirs was changed too and is not what was written, it is named.
        for (const path of changedSettings(base, theirs))
          if (
            own.includes(path) &&
            changedSettings({ x: settingAt(mine, path) }, { x: settingAt(theirs, path) }).length > 0
          )
            expect(clashes).toContain(path)
      }),
    )
  })
})
