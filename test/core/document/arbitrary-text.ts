/**
 * Text made to be mistaken for Markdown, references, marks: the smallest parts of the generated documents.
 */
import fc, { type Arbitrary } from 'fast-check'
import { leaf } from '../../../src/core/document/tree/make.ts'
import {
  type ContentRef,
  type FileRef,
  type Length,
  type Mark,
  type Text,
  textColors,
} from '../../../src/core/document/tree/nodes.ts'

/** Pieces of syntax, scripts and spaces: text is a row of these. */
export const pieces = [
  '{%',
  '%}',
  '{% hint style="info" %}',
  '{% endhint %}',
  '{% unknown_tag a="*b*" %}',
  '{% include "x" %}',
  '{{ x }}',
  '|',
  '`',
  '``',
  '```',
  '~~~',
  '<',
  '>',
  '<b>',
  '</b>',
  '<div>',
  '</div>',
  '<string>',
  '<br>',
  '<td>',
  '</p>',
  '<!--',
  '-->',
  '&amp;',
  '&#x20;',
  '&',
  '&nbsp;',
  '*',
  '**',
  '***',
  '_',
  '__',
  '~',
  '~~',
  '^',
  '#',
  '##',
  '# ',
  '- ',
  '+ ',
  '* ',
  '1. ',
  '2) ',
  '> ',
  '[',
  ']',
  '(',
  ')',
  '[a](b)',
  '![',
  '!',
  '[^1]',
  '[^1]: x',
  '[x] ',
  '[ ] ',
  '[a]: b',
  '\\',
  '\\*',
  '$',
  '$$',
  '$$x$$',
  '$x^2$',
  '$5',
  ':::note',
  ':::',
  '!!! note "x"',
  '??? tip',
  '=== "x"',
  ': ',
  ' {#id}',
  '[!NOTE]',
  '<Note>',
  '</Note>',
  '<Tab title="x">',
  '<Unknown>',
  '</Unknown>',
  '<Icon icon="x" />',
  '</br>',
  '<li>',
  '<iframe src="https://x.y">',
  '{/* x */}',
  "import x from 'y'",
  'export const x = 1',
  '// highlight-next-line',
  '// [!code ++]',
  ':tada:',
  ':',
  'http://a.b/c',
  'https://x.y',
  'www.a.bc',
  'a@b.co',
  'mailto:x',
  '---',
  '***',
  '===',
  '| - |',
  '\t',
  '\n',
  '\n\n',
  ' ',
  '  ',
  '    ',
  '\u00a0',
  '\u3000',
  '\u2028',
  '\u200b',
  '\u200d',
  '\ufe0f',
  '\ufeff',
  '\u202e',
  '\u0301',
  '你好',
  '日本語',
  'مرحبا',
  'שלום',
  'é',
  'ß',
  '😀',
  '👩‍👩‍👧',
  '🇫🇷',
  '❤️',
  '1️⃣',
  '©',
  '✅',
  '"',
  "'",
  '\\"',
  '=',
  '.',
  ',',
  ';',
  '%',
  'a',
  'word',
  'Two words',
  'B',
  '1',
  '42',
  'x_y_z',
  'a*b',
  'javascript:x',
] as const

export const hostile: Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.array(fc.constantFrom(...pieces), { maxLength: 6 }).map((parts) => parts.join('')) },
  { weight: 2, arbitrary: fc.constantFrom('word', 'Two words', 'a', 'Sentence, with a stop.', 'snake_case', '') },
  {
    weight: 1,
    arbitrary: fc
      .string({ unit: 'binary', maxLength: 8 })
      .map((text) => text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '')),
  },
)
export const oneLine = hostile.map((text) => text.replaceAll('\n', ' '))
export const nonEmpty = hostile.filter((text) => text !== '')
export const id = fc.constantFrom('a', 'Page1', 'x-y_z', '0')
export const flag = fc.boolean()
export const icon = fc.constantFrom('rocket', 'circle-info', 'a"b', 'x')

export const url = fc.constantFrom(
  'https://example.com/a?b=c&d=e#f',
  'page.md',
  '../dir/file (1).png',
  'a b.md',
  'a"b',
  'a<b>c',
  'a&amp;b',
  'a|b',
  'a\\b',
  'a*b_c`d',
  '',
  '#',
  '#anchor',
  'mailto:a@b.co',
  '/pages/abc',
  '[x](y)',
  '{% x %}',
  'dir/',
  "it's",
  '日本.md',
  '(((',
  '$$',
  ' ',
)
export const urlRef = url.map((target): FileRef => ({ kind: 'url', url: target }))
export const fileRef: Arbitrary<FileRef> = fc.oneof(
  urlRef,
  id.map((file): FileRef => ({ kind: 'file', file })),
  id.map((file): FileRef => ({ kind: 'file', file, space: 's1' })),
)
/** What a label may stand for: an address outside, sometimes another one. */
export const labelled: Arbitrary<ContentRef> = fc.oneof(
  fc.constantFrom<ContentRef>({ kind: 'url', url: 'https://example.com/a' }, { kind: 'url', url: 'mailto:a@b.co' }),
  fileRef,
)
export const anyRef: Arbitrary<ContentRef> = fc.oneof(
  fileRef,
  id.map((page): ContentRef => ({ kind: 'page', page })),
  id.map((page): ContentRef => ({ kind: 'page', page, space: 's' })),
  id.map((anchor): ContentRef => ({ kind: 'anchor', anchor })),
  id.map((anchor): ContentRef => ({ kind: 'anchor', anchor, page: 'p', space: 's' })),
  id.map((user): ContentRef => ({ kind: 'user', user })),
  id.map((collection): ContentRef => ({ kind: 'collection', collection })),
  id.map((space): ContentRef => ({ kind: 'space', space })),
  id.map((reusableContent): ContentRef => ({ kind: 'reusable-content', reusableContent })),
  id.map((tag): ContentRef => ({ kind: 'tag', tag })),
  id.map((spec): ContentRef => ({ kind: 'openapi', spec })),
)

export const length: Arbitrary<Length> = fc.oneof(
  fc.constantFrom(0, 1, 375, 33.5, -2),
  fc.constantFrom<Length>({ unit: '%', value: 50 }, { unit: 'px', value: 10.25 }),
)
/** Each field there or not. */
export const some = <Fields extends object>(fields: { [Name in keyof Fields]: Arbitrary<Fields[Name]> }) =>
  fc.record(fields, { requiredKeys: [] })

export const mark: Arbitrary<Mark> = fc.oneof(
  fc
    .constantFrom(
      'bold' as const,
      'italic' as const,
      'code' as const,
      'keyboard' as const,
      'strikethrough' as const,
      'superscript' as const,
      'subscript' as const,
    )
    .map((type): Mark => ({ object: 'mark', type })),
  fc
    .record({ text: fc.constantFrom(...textColors), background: fc.constantFrom(...textColors) })
    .map((data): Mark => ({ object: 'mark', type: 'color', data })),
)
export const marks = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Mark[]>([]) },
  { weight: 2, arbitrary: fc.array(mark, { maxLength: 3 }) },
)
export const text: Arbitrary<Text> = fc
  .array(fc.record({ text: hostile, marks }), { maxLength: 3 })
  .map((leaves): Text => ({ object: 'text', leaves: leaves.map((part) => leaf(part.text, part.marks)) }))
