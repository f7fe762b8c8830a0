import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { idBytes, idFromBytes, isId } from '../../src/core/ids.ts'
import { containsPattern, cutTo, fold, slugify, uniqueName } from '../../src/core/text.ts'

describe('ids', () => {
  test('are 20 base-62 characters and never all digits', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: idBytes, maxLength: idBytes }), (bytes) => {
        const id = idFromBytes(bytes)
        if (id === null) return
        expect(id).toMatch(/^[0-9A-Za-z]{20}$/)
        expect(id).not.toMatch(/^\d+$/)
        expect(isId(id)).toBe(true)
      }),
    )
  })

  test('throw away what would favour some characters, and what is all digits', () => {
    expect(idFromBytes(new Uint8Array(idBytes).fill(255))).toBeNull()
    expect(idFromBytes(new Uint8Array(idBytes).fill(7))).toBeNull()
    expect(idFromBytes(new Uint8Array(idBytes).fill(61))).toBe('z'.repeat(20))
  })

  test('use every character equally', () => {
    const counts = new Map<string, number>()
    for (let byte = 0; byte < 248; byte++) {
      const character = idFromBytes(Uint8Array.from({ length: idBytes }, (_, i) => (i === 0 ? byte : 61)))?.[0] ?? ''
      counts.set(character, (counts.get(character) ?? 0) + 1)
    }
    expect(counts.size).toBe(62)
    expect(new Set(counts.values())).toEqual(new Set([4]))
  })

  test('are known from other text', () => {
    for (const text of ['', 'a b', 'a/b', '\0', 'x'.repeat(65), 'é', '..', 'a.b']) expect(isId(text), text).toBe(false)
  })
})

describe('text', () => {
  test('folds once and for all', () => {
    fc.assert(fc.property(fc.string(), (text) => fold(fold(text)) === fold(text)))
    expect(fold('ÀÉ ﬁ Ⅳ')).toBe('àé fi iv')
  })

  test('has patterns that match it literally', () => {
    expect(containsPattern('50%_\\')).toBe('%50\\%\\_\\\\%')
    fc.assert(fc.property(fc.string(), (text) => containsPattern(text).slice(1, -1).replace(/\\(.)/gs, '$1') === text))
  })

  test('is cut at whole characters', () => {
    expect(cutTo('ab😀', 3)).toBe('ab')
    expect(cutTo('ab😀', 4)).toBe('ab😀')
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(40), (text, longest) => {
        const start = cutTo(text, longest)
        expect(text.startsWith(start)).toBe(true)
        expect(start.length).toBeLessThanOrEqual(longest)
        expect(start.isWellFormed()).toBe(true)
      }),
    )
  })

  test('makes slugs that can stand in a URL', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (title) => {
        const slug = slugify(title)
        expect(slug).toMatch(/^(?:[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*)?$/u)
        expect(slug.length).toBeLessThanOrEqual(100)
        expect(slug.isWellFormed()).toBe(true)
        expect(slugify(slug)).toBe(slug)
      }),
    )
    expect(slugify('What’s new? — Éditions & more')).toBe('whats-new-editions-more')
    expect(slugify('???')).toBe('')
    expect(slugify(`${'𝒜'.repeat(80)}`).isWellFormed()).toBe(true)
    expect(slugify('𐐨'.repeat(80)).isWellFormed()).toBe(true)
    expect(slugify(`a${'𐐨'.repeat(80)}`).isWellFormed()).toBe(true)
  })

  test('finds a name that is free', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.constantFrom<string[]>('a', 'a-1', 'a-2', 'a-3', 'b')), (taken) => {
        const name = uniqueName('a', (candidate) => taken.includes(candidate))
        expect(taken).not.toContain(name)
        if (!taken.includes('a')) expect(name).toBe('a')
      }),
    )
  })
})
