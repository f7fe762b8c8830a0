/** Tokens that we make are those of markdown-it, in every field and in what they can do. */
import fc from 'fast-check'
import markdownIt from 'markdown-it'
import { expect, test } from 'vitest'
import { makePlainTokens } from '../../../src/core/document/syntax/plain-tokens.ts'
import { dense } from './dense.ts'

const theirs = markdownIt({ html: true, linkify: true })
const ours = markdownIt({ html: true, linkify: true })
makePlainTokens(ours)

test.each(Object.entries(dense))('of %s', (_, source) => {
  const markdown = source(4000)
  const made = ours.parse(markdown, {})
  expect(made.length).toBeGreaterThan(0)
  expect(made).toEqual(theirs.parse(markdown, {}))
  expect(ours.renderer.render(made, ours.options, {})).toBe(theirs.render(markdown))
})

test('of whatever is written with the signs of Markdown', () => {
  const pieces = fc.constantFrom(...'*_`[]()!<>#|~-+.&;:"\\1a \n'.split(''), '**', '](', '```', '\n\n', '    ', 'word')
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 60 }), (written) => {
      const markdown = written.join('')
      expect(ours.parse(markdown, {})).toEqual(theirs.parse(markdown, {}))
    }),
    { numRuns: 3000 },
  )
})

test('are told apart by nothing', () => {
  const [token] = ours.parse('word', {})
  const [other] = theirs.parse('word', {})
  expect(token).toBeInstanceOf(markdownIt.Token)
  expect(Object.keys(token ?? {}).sort()).toEqual(Object.keys(other ?? {}).sort())
  token?.attrJoin('class', 'a')
  token?.attrJoin('class', 'b')
  expect(token?.attrGet('class')).toBe('a b')
})
