/**
 * SUMMARY.md, the table of contents: headings are groups, nested lists are pages.
 *
 * 1. An entry is a link; its quoted title is the page's link title. An entry without a link is a page without a file, and
 *    an entry that is a block of YAML is a computed page.
 * 2. A rule (`***`) ends a group: what follows stands at the root again.
 * 3. What a list has no place for (that a link is hidden, the condition of a group) is JSON in a comment behind the entry.
 * 4. Titles read back as they were printed once they are in the form of `lineOf`.
 */
import type { ReadContext } from '../document/read/context.ts'
import { readInlines } from '../document/read/inline.ts'
import { buildInline } from '../document/read/raw-tree.ts'
import { escapeText, keepEdges, printDestination, printTitle as printQuoted } from '../document/syntax/escape.ts'
import { printYaml } from '../document/syntax/front-matter.ts'
import { parseTokens, type Token } from '../document/syntax/markdown-parser.ts'
import { inlineText } from '../document/text/to-text.ts'
import { cleanText, plainObject } from '../document/tree/fields.ts'
import type { PlainObject } from '../document/tree/nodes.ts'
import { yamlValue } from '../yaml.ts'

export interface SummaryEntry {
  title: string
  linkTitle?: string | undefined
  /** Absent for an entry without a link. */
  target?: string | undefined
  computed?: PlainObject | undefined
  fields?: PlainObject | undefined
  children: SummaryEntry[]
}

export interface SummaryGroup {
  title: string
  slug?: string | undefined
  fields?: PlainObject | undefined
}

/** A group and its pages, or pages at the root. */
export interface SummaryPart {
  group?: SummaryGroup | undefined
  entries: SummaryEntry[]
}

/** A title as one line without spaces at its ends; never empty. */
export const lineOf = (title: string): string =>
  cleanText(title)
    .replace(/\s*[\n\u2028\u2029]\s*/g, ' ')
    .trim() || 'Untitled'

/** `isBegun` when it is a piece of one, behind others that said something (`summary-pieces.ts`). */
export function readSummary(markdown: string, { isBegun = false } = {}): SummaryPart[] {
  const tokens = parseTokens(cleanText(markdown), {})
  const parts: SummaryPart[] = []
  let part: SummaryPart = { entries: [] }
  const begin = (next: SummaryPart): void => {
    if (part.group || part.entries.length > 0) parts.push(part)
    part = next
  }
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]
    if (token?.type === 'heading_open') {
      // The first `#` names the table of contents itself.
      if (token.tag !== 'h1' || isBegun || parts.length > 0 || part.entries.length > 0)
        begin({ group: groupIn(tokens[at + 1]), entries: [] })
    } else if (token?.type === 'hr') begin({ entries: [] })
    else if (token && isList(token)) {
      const list = readList(tokens, at)
      part.entries.push(...list.entries)
      at = list.end
    }
  }
  begin({ entries: [] })
  return parts
}

const isList = (token: Token): boolean => token.type === 'bullet_list_open' || token.type === 'ordered_list_open'

function groupIn(heading: Token | undefined): SummaryGroup {
  const children = heading?.children ?? []
  const slug = children
    .map(({ content }) => /^<a\s[^>]*?\bid="([^"]*)"/.exec(content)?.[1])
    .find((id) => id !== undefined)
  return { title: lineOf(wordsOf(children)), slug, fields: fieldsIn(children) }
}

/** The fields that a comment among these tokens says. */
function fieldsIn(tokens: readonly Token[]): PlainObject | undefined {
  for (const { content } of tokens) {
    const source = /^<!--\s*(\{[\s\S]*\})\s*-->$/.exec(content)?.[1]
    if (source === undefined) continue
    try {
      return plainObject(JSON.parse(source), '')
    } catch {
      // A comment like any other.
    }
  }
  return undefined
}

/** The entries of the list that begins at `start`, and where it ends. Depth is bounded by the parser's own. */
function readList(tokens: readonly Token[], start: number): { entries: SummaryEntry[]; end: number } {
  const entries: SummaryEntry[] = []
  let own: SummaryEntry[] = []
  let children: SummaryEntry[] = []
  for (let at = start + 1; at < tokens.length; at++) {
    const token = tokens[at]
    if (!token) break
    if (isList(token)) {
      const list = readList(tokens, at)
      children.push(...list.entries)
      at = list.end
    } else if (token.type === 'list_item_open') [own, children] = [[], []]
    else if (token.type === 'inline') own.push(...entriesIn(token.children ?? []))
    else if (token.type === 'fence') own.push(...computedIn(token.content))
    else if (token.type === 'list_item_close') {
      const [first, ...rest] = own.length === 0 && children.length > 0 ? [untitled()] : own
      if (first) entries.push({ ...first, children }, ...rest)
    } else if (token.type.endsWith('_list_close')) return { entries, end: at }
  }
  return { entries, end: tokens.length }
}

const untitled = (): SummaryEntry => ({ title: lineOf(''), children: [] })

/** The links of a line; a line without one is an entry by itself. */
function entriesIn(tokens: readonly Token[]): SummaryEntry[] {
  const entries: SummaryEntry[] = []
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]
    if (token?.type !== 'link_open') continue
    const end = tokens.findIndex((other, index) => index > at && other.type === 'link_close')
    const quoted = String(token.attrGet('title') ?? '')
    const next = tokens.findIndex((other, index) => index > end && other.type === 'link_open')
    entries.push({
      title: lineOf(wordsOf(tokens.slice(at + 1, end))),
      linkTitle: quoted === '' || quoted === 'mention' ? undefined : lineOf(quoted),
      target: String(token.attrGet('href') ?? ''),
      fields: fieldsIn(tokens.slice(end, next === -1 ? undefined : next)),
      children: [],
    })
    at = end
  }
  if (entries.length > 0) return entries
  const words = wordsOf(tokens)
  return words === '' ? [] : [{ title: lineOf(words), children: [] }]
}

function computedIn(source: string): SummaryEntry[] {
  try {
    const value = plainObject(yamlValue(source), '')
    return typeof value.type === 'string' ? [{ title: '', computed: value, children: [] }] : []
  } catch {
    return []
  }
}

/** What a reader sees of these tokens. */
function wordsOf(tokens: readonly Token[]): string {
  const context: ReadContext = { resolve: () => undefined, env: {}, notes: new Map(), depth: 1 }
  return inlineText(readInlines(buildInline(tokens), context))
    .replace(/\s*\n\s*/g, ' ')
    .trim()
}

export function printSummary(parts: readonly SummaryPart[]): string {
  const blocks = ['# Table of contents']
  for (const [at, { group, entries }] of parts.entries()) {
    if (group) blocks.push(printGroup(group))
    else if (at > 0) blocks.push('***')
    const lines = printEntries(entries)
    if (lines.length > 0) blocks.push(lines.join('\n'))
  }
  return `${blocks.join('\n\n')}\n`
}

function printGroup({ title, slug, fields }: SummaryGroup): string {
  const anchor = slug === undefined ? '' : ` <a href="#${slug}" id="${slug}"></a>`
  return `## ${printTitle(title, false).replace(/#$/, '\\#')}${anchor}${printFields(fields)}`
}

function printEntries(entries: readonly SummaryEntry[]): string[] {
  return entries.flatMap(({ title, linkTitle, target, computed, fields, children }) => {
    const quoted = linkTitle === undefined ? '' : ` ${printQuoted(lineOf(linkTitle))}`
    const own = computed
      ? printComputed(computed)
      : [`[${printTitle(title, true)}](${printDestination(target ?? '')}${quoted})${printFields(fields)}`]
    const lines = [...own, ...printEntries(children)]
    return lines.map((line, at) => (at === 0 ? `* ${line}` : line === '' ? '' : `  ${line}`))
  })
}

const printFields = (fields: PlainObject | undefined): string =>
  fields === undefined || Object.keys(fields).length === 0
    ? ''
    : ` <!-- ${JSON.stringify(fields).replaceAll('-', '\\u002d').replaceAll('>', '\\u003e')} -->`

// `[^` would begin a note.
const printTitle = (title: string, inLink: boolean): string =>
  keepEdges(escapeText(lineOf(title), inLink)).replace(/^\^/, '\\^')

function printComputed(computed: PlainObject): string[] {
  const source = printYaml(computed).replace(/\n$/, '')
  const longest = Math.max(2, ...Array.from(source.matchAll(/`+/g), (run) => run[0].length))
  const fence = '`'.repeat(longest + 1)
  return [`${fence}yaml`, ...source.split('\n'), fence]
}
