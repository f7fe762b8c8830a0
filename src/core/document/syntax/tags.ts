/**
 * `{% tags %}`: how one is spelt and read, and the block rule that finds lines made of them.
 *
 * A tag stands alone on its line, or beside other tags. Whether an opening tag has its closing one is decided later
 * (`raw-tree.ts`), so the rule never looks ahead and a page full of unclosed tags costs no more than any other.
 *
 * Attribute values are quoted; within them `\"`, `\\` and `\n` stand for themselves, so a value can hold anything.
 */
import type { StateBlock, Token } from 'markdown-it'

export type Tag = {
  name: string
  closing: boolean
  attributes: ReadonlyMap<string, string>
  /** What stands between the name and the end, for tags that take an expression. */
  rest: string
  source: string
}

/** The tags that mean something; all others are text. The value says whether the tag must have an end. */
export const knownTags: Readonly<Record<string, 'pair' | 'optional' | 'single'>> = {
  hint: 'pair',
  tabs: 'pair',
  tab: 'pair',
  stepper: 'pair',
  step: 'pair',
  code: 'pair',
  columns: 'pair',
  column: 'pair',
  if: 'pair',
  updates: 'pair',
  update: 'pair',
  prompt: 'pair',
  conflict: 'pair',
  'content-ref': 'optional',
  embed: 'optional',
  file: 'optional',
  'openapi-operation': 'optional',
  'openapi-schemas': 'optional',
  'openapi-webhook': 'optional',
  openapi: 'optional',
  swagger: 'optional',
  integration: 'optional',
  include: 'single',
  // Written until other tags took their places.
  'page-ref': 'single',
  'swagger-description': 'pair',
  'swagger-parameter': 'pair',
  'swagger-response': 'pair',
  'api-method': 'pair',
  'api-method-summary': 'pair',
  'api-method-description': 'pair',
  'api-method-spec': 'pair',
  'api-method-request': 'pair',
  'api-method-headers': 'pair',
  'api-method-path-parameters': 'pair',
  'api-method-query-parameters': 'pair',
  'api-method-body-parameters': 'pair',
  'api-method-form-data-parameters': 'pair',
  'api-method-parameter': 'pair',
  'api-method-response': 'pair',
  'api-method-response-example': 'pair',
  'api-method-response-example-description': 'pair',
}

/** `@integration/block`: the block of an integration, with its properties as attributes. */
export const isIntegrationTag = (name: string): boolean => name.startsWith('@')

export function isKnownTag(name: string): boolean {
  if (isIntegrationTag(name)) return true
  return Object.hasOwn(knownTags, name.startsWith('end') ? name.slice(3) : name)
}

/** The opening tag with these attributes; those without a value are left out. */
export function printTag(
  name: string,
  attributes: readonly (readonly [name: string, value: string | number | boolean | undefined])[] = [],
): string {
  const given = attributes.flatMap(([key, value]) => (value === undefined ? [] : [`${key}="${quote(String(value))}"`]))
  return `{% ${[name, ...given].join(' ')} %}`
}

export function quote(value: string): string {
  return value.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n')
}

export function unquote(value: string): string {
  return value.replace(/\\([\\"n])/g, (_, escaped: string) => (escaped === 'n' ? '\n' : escaped))
}

const nameAt = /\{%[ \t]*(@[\w.-]+\/[\w.-]+|[a-zA-Z][\w-]*)/y
const attributeAt = /([a-zA-Z][\w-]*)=(?:"((?:[^"\\\n]|\\.)*)"|'([^'\n]*)'|([^\s"'%]+))/g
const longestTag = 20_000

/** The tag that starts at `from`, or nothing. */
export function readTag(line: string, from = 0): Tag | undefined {
  nameAt.lastIndex = from
  const match = nameAt.exec(line)
  if (match === null) return undefined
  const [start, name = ''] = match
  const end = endOfTag(line, from + start.length)
  if (end === undefined) return undefined
  const rest = line.slice(from + start.length, end - 2)
  const closing = name.startsWith('end') && isKnownTag(name)
  const attributes = new Map<string, string>()
  for (const [, key = '', double, single, bare] of rest.matchAll(attributeAt))
    if (!attributes.has(key)) attributes.set(key, double === undefined ? (single ?? bare ?? '') : unquote(double))
  return { name: closing ? name.slice(3) : name, closing, attributes, rest: rest.trim(), source: line.slice(from, end) }
}

/**
 * The place after `%}`. A quoted value may hold `%}`; a quote that is never closed is a character like any other.
 * Another `{%` means that this one has no end, which keeps a line of openings from being read again for each of them.
 */
function endOfTag(line: string, from: number): number | undefined {
  const last = Math.min(line.length, from + longestTag)
  for (let at = from; at < last; at += 1) {
    const character = line[at]
    if (character === '\n' || (character === '{' && line[at + 1] === '%')) return undefined
    if (character === '%' && line[at + 1] === '}') return at + 2
    if (character === '"' || character === "'") at = endOfQuote(line, at, last) ?? at
  }
  return undefined
}

function endOfQuote(line: string, from: number, last: number): number | undefined {
  const quote = line[from]
  for (let at = from + 1; at < last; at += 1) {
    if (line[at] === '\n') return undefined
    if (line[at] === '\\' && quote === '"') at += 1
    else if (line[at] === quote) return at
  }
  return undefined
}

/** The tags of a line that holds nothing else. */
export function readTagLine(line: string): Tag[] | undefined {
  const tags: Tag[] = []
  let at = 0
  while (at < line.length) {
    const tag = readTag(line, at)
    if (tag === undefined) return undefined
    tags.push(tag)
    at += tag.source.length
    while (line[at] === ' ' || line[at] === '\t') at += 1
  }
  return tags.length === 0 ? undefined : tags
}

/** The block rule: one `tag` token for every tag of a line of tags. */
export function tagRule(state: StateBlock, startLine: number, _endLine: number, silent: boolean): boolean {
  const from = (state.bMarks[startLine] ?? 0) + (state.tShift[startLine] ?? 0)
  if (state.src.charCodeAt(from) !== 123 || state.src.charCodeAt(from + 1) !== 37) return false
  if ((state.sCount[startLine] ?? 0) - state.blkIndent >= 4) return false
  const tags = readTagLine(state.src.slice(from, state.eMarks[startLine]).trimEnd())
  if (tags === undefined) return false
  if (silent) return true
  state.line = startLine + 1
  for (const tag of tags) {
    const token = state.push('tag', '', 0)
    token.meta = { tag }
    token.content = tag.source
  }
  return true
}

export function tagOf(token: Token): Tag | undefined {
  const tag = token.meta?.tag
  return isTag(tag) ? tag : undefined
}

function isTag(value: unknown): value is Tag {
  return typeof value === 'object' && value !== null && 'attributes' in value
}
