/**
 * Emoji: as characters in text, as code points in the tree (`1f600`, `2764-fe0f`), as names in Markdown (`:tada:`, `emoji-names.ts`).
 */
import { remembering } from '../../remember.ts'

/**
 * The characters of an emoji's code points; code points that do not exist become the replacement character. There are some
 * four thousand emoji; codes that stand for none must not fill memory.
 */
export const charactersOf = remembering(8192, (code) =>
  code
    .split('-')
    .map((point) => {
      const value = Number.parseInt(point, 16)
      return value <= 0x10ffff && !(value >= 0xd800 && value <= 0xdfff) ? String.fromCodePoint(value) : '\ufffd'
    })
    .join(''),
)

/** The code points of an emoji's characters. */
export function codeOf(characters: string): string {
  return Array.from(characters, (character) => (character.codePointAt(0) ?? 0).toString(16)).join('-')
}

/** The code of an emoji that is given as characters or as a code; undefined for anything else. */
export function emojiCode(text: string): string | undefined {
  const characters = /^[0-9a-f]{2,6}(?:-[0-9a-f]{2,6}){0,9}$/i.test(text) ? charactersOf(text.toLowerCase()) : text
  // A picture may come without the selector that asks for its coloured form.
  const full = whole.test(characters) ? characters : `${characters}\ufe0f`
  return whole.test(full) ? codeOf(characters).replace(/-fe0f$/, '') : undefined
}

// One emoji as it is typed: a flag, a keycap, or a picture with its variation, skin tone, tags and joined pictures. A
// digit or a letter-like sign is an emoji only when a variation selector says so.
const tail = '(?:\\ufe0f|\\p{EMod}|[\\u{e0020}-\\u{e007e}]{1,8}\\u{e007f})?'
const one = `(?:\\p{RI}\\p{RI}|[0-9#*]\\ufe0f\\u20e3|(?:\\p{EPres}|\\p{Emoji}\\ufe0f|\\p{EBase}\\p{EMod})${tail}(?:\\u200d\\p{Emoji}${tail}){0,5})`
const found = new RegExp(one, 'gu')
const whole = new RegExp(`^${one}$`, 'u')
const maybe = /[\u00a9-\u{1faff}]|\ufe0f/u

/** Quickly: there is none in a text for which this is not so. */
export const mayHoldEmoji = (text: string): boolean => maybe.test(text)

/** The text cut at its emoji: even entries are text, odd ones emoji. */
export function splitEmoji(text: string): string[] {
  if (!mayHoldEmoji(text)) return [text]
  const parts: string[] = []
  let from = 0
  for (const match of text.matchAll(found)) {
    parts.push(text.slice(from, match.index), match[0])
    from = match.index + match[0].length
  }
  parts.push(text.slice(from))
  return parts
}
