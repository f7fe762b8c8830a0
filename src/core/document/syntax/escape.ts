/**
 * Escapes: what keeps text from turning into Markdown.
 *
 * These make the usual cases come out right and readable. They need not know every corner of Markdown, because the
 * printer reads back what it has printed and falls back to HTML where the two differ.
 */
import { startsDirective, startsIndented } from './directives.ts'
import { emojiNames } from './emoji-names.ts'
import { decodeHtml } from './html-scan.ts'
import { endOfMath, longestFormula } from './math-spans.ts'
import { isKnownTag, readTag, readTagLine } from './tags.ts'

/** The word after a fence, with its escapes resolved. */
export function unescapeInfo(word: string): string {
  return decodeHtml(word.replace(/\\([!-/:-@[-`{-~])/g, (_, sign: string) => `&#x${sign.charCodeAt(0).toString(16)};`))
}

export function escapeInfo(syntax: string): string {
  return syntax.replace(/[\s`~\\&:{]/gu, (character) => `&#x${character.charCodeAt(0).toString(16)};`)
}

/** Text within a sentence. `inLink` is the label of a link, where brackets must match and addresses are no links. */
export function escapeText(text: string, inLink: boolean): string {
  if (!mayBeMarkup.test(text)) return text
  if (!text.includes('{%')) return escapeFormulas([escapePlain(text, inLink)])
  const pieces: string[] = []
  let from = 0
  // A tag within a sentence is read as it stands, so it is printed as it stands.
  for (let at = text.indexOf('{%'); at !== -1; at = text.indexOf('{%', at + 1)) {
    const tag = at < from ? undefined : readTag(text.slice(at, at + 2000).split('\n', 1)[0] ?? '')
    if (tag === undefined) continue
    pieces.push(escapePlain(text.slice(from, at), inLink), tag.source)
    from = at + tag.source.length
  }
  pieces.push(escapePlain(text.slice(from), inLink))
  return escapeFormulas(pieces)
}

/**
 * The pieces as one text in which no dollar begins a formula. Every second piece is a tag, and stays as it is. From the
 * right: what a dollar begins depends on nothing but what follows it.
 */
function escapeFormulas(pieces: readonly string[]): string {
  if (!pieces.some((piece) => piece.includes('$'))) return pieces.join('')
  const printed: string[] = []
  // As much of what follows as a formula can reach over.
  let after = ''
  const add = (part: string): void => {
    printed.push(part)
    after = (part + after).slice(0, longestFormula)
  }
  for (const [index, piece] of [...pieces.entries()].reverse()) {
    let end = piece.length
    const isTag = index % 2 === 1
    for (let at = isTag ? -1 : piece.lastIndexOf('$'); at !== -1; at = at === 0 ? -1 : piece.lastIndexOf('$', at - 1)) {
      const part = piece.slice(at, end)
      add(endOfMath(`${piece[at - 1] ?? ' '}${part}${after}`, 1) === undefined ? part : `\\${part}`)
      end = at
    }
    add(piece.slice(0, end))
  }
  return printed.reverse().join('')
}

/** What has none of these needs no escapes, and most words have none. */
const mayBeMarkup = /[\\`*_[\]<&~$:@{]|www/i
const signs =
  /[\\`*_[\]]|<(?=[a-zA-Z/!?])|&(?=#?\w{1,32};)|~(?=~)|(?<=~)~|\$|\{(?=%|[ \t]*#[\w.:+-]+[^{}]*\}[ \t]*$|\/\*)/g

function escapePlain(text: string, inLink: boolean): string {
  if (text === '') return ''
  const escaped = text.replace(signs, (sign, at: number) => {
    if (sign === ']' && !inLink) return ']'
    return sign === '$' && !isDoubled(text, at) ? '$' : `\\${sign}`
  })
  return escapeWords(escaped, inLink)
}

/** Names of emoji, and addresses that would be links. */
function escapeWords(escaped: string, inLink: boolean): string {
  if (!/[:@]|www/i.test(escaped)) return escaped
  const named = escaped.replace(/:([a-z0-9_+-]{1,60})(?=:)/gi, (whole, name: string) =>
    emojiNames().get(name.replaceAll('\\', '')) === undefined ? whole : `\\${whole}`,
  )
  // In a label an address is no link; but as one it is read over the escape that follows it, and so over the label's end.
  return inLink && !named.includes('\\<')
    ? named
    : named
        .replace(/(https?|ftp|mailto):(?=\/\/|\S)/gi, '$1\\:')
        .replace(/\b(www)\.(?=[a-z0-9])/gi, '$1\\.')
        .replace(/(?<=[\w.+-])@(?=[a-z0-9])/gi, '\\@')
}

const isDoubled = (text: string, at: number): boolean => text[at - 1] === '$' || text[at + 1] === '$'

const lineStarts: ReadonlySet<string> = new Set('#>-+=0123456789:!?')

/** The start of a line, where a few characters begin a block. */
export function escapeLineStart(line: string): string {
  if (line.startsWith('{%')) {
    const tags = readTagLine(line.trimEnd())
    return tags?.some((tag) => isKnownTag(tag.name)) ? `\\${line}` : line
  }
  if (!lineStarts.has(line.charAt(0))) return line
  if (/^:[ \t]/.test(line) || startsDirective(line) || startsIndented(line)) return `\\${line}`
  const number = /^(\d{1,9})([.)])(?=\s|$)/.exec(line)
  if (number !== null) return `${number[1]}\\${line.slice(number[1]?.length ?? 0)}`
  return /^(?:#{1,6}(?=\s|$)|>|[-+](?=\s|$)|-{2,}\s*$|-[- \t]+$|=+\s*$)/.test(line) ? `\\${line}` : line
}

/** Spaces at the edges of a line, which Markdown drops, as character references. */
export function keepEdges(line: string): string {
  if (!isBlankAt(line, 0) && !isBlankAt(line, line.length - 1)) return line
  return line.replace(/^[ \t]+|[ \t]+$/g, (spaces) =>
    Array.from(spaces, (space) => (space === ' ' ? '&#x20;' : '&#x9;')).join(''),
  )
}

function isBlankAt(line: string, at: number): boolean {
  const code = line.charCodeAt(at)
  return code === 32 || code === 9
}

/** A link's target: bare where it can be, in angle brackets where it must. */
export function printDestination(target: string): string {
  const safe = target.replace(/&(?=#?\w{1,32};)/g, '&#x26;').replaceAll('\n', '%0A')
  if (safe !== '' && !/[\s<>\\()[\]\u0000-\u001f\u007f]/u.test(safe)) return safe
  return `<${safe.replace(/[\\<>]/g, '\\$&')}>`
}

/** Code between as many backticks as it takes, or nothing when backticks cannot hold it. */
export function printCodeSpan(text: string): string | undefined {
  if (text.includes('\n') || text === '') return undefined
  const fence = '`'.repeat(longestTicks(text) + 1)
  const padded = /^`|`$/.test(text) || (/^ .* $/.test(text) && text.trim() !== '') ? ` ${text} ` : text
  return `${fence}${padded}${fence}`
}

/** A value in a title such as `![](target "title")`. */
export function printTitle(title: string): string {
  return `"${title.replace(/[\\"]/g, '\\$&').replace(/&(?=#?\w{1,32};)/g, '&#x26;')}"`
}

export function longestTicks(text: string): number {
  let longest = 0
  for (const run of text.matchAll(/`+/g)) longest = Math.max(longest, run[0].length)
  return longest
}
