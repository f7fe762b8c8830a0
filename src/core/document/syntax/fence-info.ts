/**
 * What stands behind the ticks of a fence: the language, and what the tools of documentation read after it, such as
 * `title="a.js"`, `{2,4-6}`, `showLineNumbers`, `ins={3}`.
 */
import { cutTo } from '../../text.ts'
import { unescapeInfo } from './escape.ts'

export type FenceInfo = {
  syntax: string
  options: ReadonlyMap<string, string>
  /** Words that are no options. */
  words: string
  highlighted: ReadonlySet<number>
  added: ReadonlySet<number>
  removed: ReadonlySet<number>
}

const optionAt = /(?:^|\s)([a-zA-Z][\w-]*)=(?:"([^"]*)"|'([^']*)'|\{([^}]*)\}|([^\s"'{}]+))/g
const mostLines = 10_000
const longestInfo = 1000

export function readFenceInfo(info: string): FenceInfo {
  const trimmed = cutTo(info.trim(), longestInfo)
  const attributes = /^\{\s*\.([\w+#-]+)([^}]*)\}/.exec(trimmed)
  const [word = ''] = attributes === null ? (/^[^\s{]*/.exec(trimmed) ?? ['']) : ['']
  const rest =
    attributes === null ? trimmed.slice(word.length) : `${attributes[2] ?? ''} ${trimmed.slice(attributes[0].length)}`
  const [language = '', ...tail] = attributes === null ? word.split(':') : [attributes[1]]
  const options = new Map<string, string>()
  for (const [, name = '', double, single, braces, bare] of rest.matchAll(optionAt)) {
    if (!options.has(name)) options.set(name, double ?? single ?? braces ?? bare ?? '')
  }
  const plain = rest.replace(optionAt, ' ')
  const lines = Array.from(plain.matchAll(/\{([\d\s,-]+)\}/g), (match) => match[1] ?? '').join(',')
  const words = plain.replace(/\{[^}]*\}|"[^"]*"|\/\S+\/|\.[\w-]+/g, (part) =>
    part.startsWith('.') && attributes === null ? part : ' ',
  )
  // VitePress puts the name of a file into brackets.
  const bracketed = /(?:^|\s)\[([^\]]+)\]/.exec(plain)?.[1]
  if (bracketed !== undefined && !options.has('title')) options.set('title', bracketed)
  const path = tail.join(':')
  if (/^(?:line-numbers|no-line-numbers)/.test(path)) options.set('lineNumbers', String(!path.startsWith('no')))
  else if (path !== '' && !options.has('title')) options.set('title', unescapeInfo(path))
  for (const flag of words.split(/\s+/)) {
    if (flags.has(flag)) options.set(flag, 'true')
  }
  if (attributes?.[2]?.includes('.numberLines')) options.set('lineNumbers', 'true')
  return {
    syntax: unescapeInfo(language),
    options,
    words: words
      .split(/\s+/)
      .filter((name) => name !== '' && !flags.has(name))
      .join(' '),
    highlighted: linesOf(
      [
        lines,
        options.get('highlight') ?? '',
        options.get('hl_lines')?.replaceAll(' ', ',') ?? '',
        options.get('mark') ?? '',
      ].join(','),
    ),
    added: linesOf(options.get('ins') ?? ''),
    removed: linesOf(options.get('del') ?? ''),
  }
}

/** Words that switch something on. */
const flags: ReadonlySet<string> = new Set([
  'showLineNumbers',
  'lineNumbers',
  'linenums',
  'lines',
  'numberLines',
  'expandable',
  'wrap',
  'live',
  'noInline',
  'twoslash',
  'npm2yarn',
  'config-tabs',
  'copy',
])

/** `2,4-6` as the numbers it names. */
function linesOf(spelt: string): Set<number> {
  const lines = new Set<number>()
  for (const [, from = '', to] of spelt.matchAll(/(?:^|,)\s*(\d{1,5})(?:\s*-\s*(\d{1,5}))?\s*(?=,|$)/g)) {
    const last = Math.min(Number(to ?? from), Number(from) + mostLines)
    for (let line = Number(from); line <= last && lines.size < mostLines; line += 1) lines.add(line)
  }
  return lines
}
