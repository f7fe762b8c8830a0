/**
 * Scanning HTML: tags, text and character references, for the HTML that the dialect uses and for any other that an
 * author wrote. Nothing here makes a page; a tag that is not known becomes the text it is spelt with.
 */

import { isComponentName, isKnownComponent } from './components.ts'
import { decodeHtml } from './html-text.ts'
import { readJsxTag } from './jsx.ts'

export { decodeHtml, encodeHtml } from './html-text.ts'

export type Attributes = ReadonlyMap<string, string>
export type HtmlEvent =
  /** `pairing`: what its end is known by, where that is not the name. */
  | { kind: 'open'; name: string; attributes: Attributes; isVoid: boolean; source: string; pairing?: string }
  | { kind: 'close'; name: string; source: string }
  | { kind: 'text'; source: string }

const tagSource =
  '<(?:(/)([a-zA-Z][a-zA-Z0-9-]*)\\s*|([a-zA-Z][a-zA-Z0-9-]*)((?:\\s+[^\\s"\'<>/=]+(?:\\s*=\\s*(?:[^\\s"\'=<>`]+|\'[^\']*\'|"[^"]*"))?)*)\\s*(/)?)>'
const tagAt = new RegExp(tagSource, 'y')
const attributeAt = /([^\s"'<>/=]+)(?:\s*=\s*(?:([^\s"'=<>`]+)|'([^']*)'|"([^"]*)"))?/g

/** Elements that are part of the HTML language; any other name in angle brackets is an author's placeholder. */
const elements = new Set(
  (
    'a abbr address article aside b big blockquote body br button caption center cite code col colgroup dd del details ' +
    'dfn div dl dt em embed fieldset figcaption figure font footer form h1 h2 h3 h4 h5 h6 head header hr html i img ' +
    'iframe input ins kbd label legend li link main mark menu meta nav object ol optgroup option p param picture pre q s samp ' +
    'script section select small source span strike strong style sub summary sup svg table tbody td tfoot th thead time tr tt u ul var video'
  ).split(' '),
)
const voids = new Set(['br', 'hr', 'img', 'input', 'source', 'col', 'meta', 'link', 'embed', 'param'])

export function isElement(name: string): boolean {
  return elements.has(name)
}

/** One tag, given its whole source. */
export function readHtmlTag(source: string): HtmlEvent | undefined {
  tagAt.lastIndex = 0
  const match = tagAt.exec(source)
  return match === null || match[0].length !== source.length ? undefined : eventOf(match)
}

/** White space as HTML has it: other spaces are characters like any other. */
export const isBlank = (source: string): boolean => /^[ \t\n\r\f]*$/.test(source)

/** A stretch of HTML as tags and texts. Comments are dropped: no reader sees them. */
export function scanHtml(source: string): HtmlEvent[] {
  const events: HtmlEvent[] = []
  let textFrom = 0
  let at = source.indexOf('<')
  const flush = (until: number): void => {
    if (until > textFrom) events.push({ kind: 'text', source: source.slice(textFrom, until) })
  }
  while (at !== -1) {
    let end = at
    if (source.startsWith('<!--', at)) {
      const closed = source.indexOf('-->', at + 4)
      end = closed === -1 ? at : closed + 3
      if (end > at) flush(at)
      // An unclosed comment is text, and so is every one after it: looking again would cost the whole rest each time.
      if (closed === -1) return [...events, ...scanUnclosed(source, textFrom, at)]
    } else {
      tagAt.lastIndex = at
      const match = tagAt.exec(source)
      if (match !== null) {
        flush(at)
        end = at + match[0].length
        events.push(eventOf(match))
      } else {
        const event = scriptedTag(source, at)
        if (event !== undefined) {
          flush(at)
          end = at + event.source.length
          events.push(event)
        }
      }
    }
    if (end > at) textFrom = end
    at = source.indexOf('<', Math.max(end, at + 1))
  }
  flush(source.length)
  return events
}

/** A tag whose attributes are written as MDX has them: `<div style={{ color: 'red' }}>`. */
export function scriptedTag(source: string, at: number): Extract<HtmlEvent, { kind: 'open' }> | undefined {
  if (!/^<[A-Za-z][\w.-]*\s[^<>]{0,400}\{/.test(source.slice(at, at + 500))) return undefined
  const tag = readJsxTag(source, at)
  if (tag === undefined || tag.closing) return undefined
  const name = nameOf(tag.name)
  if (!elements.has(name) && !isComponent(name)) return undefined
  const isVoid = tag.selfClosing || voids.has(name)
  return { kind: 'open', name, attributes: tag.attributes, isVoid, source: tag.source }
}

function scanUnclosed(source: string, textFrom: number, at: number): HtmlEvent[] {
  const rest = scanHtml(source.slice(at + 4).replaceAll('<!--', '&lt;!--'))
  return [{ kind: 'text', source: `${source.slice(textFrom, at)}&lt;!--` }, ...rest]
}

function eventOf(match: RegExpExecArray): HtmlEvent {
  const [source, closing, closeName = '', openName = '', attributes = ''] = match
  // `</br>` is written for a break as often as for nothing.
  if (closing !== undefined && closeName.toLowerCase() === 'br')
    return { kind: 'open', name: 'br', attributes: new Map(), isVoid: true, source }
  if (closing !== undefined) return { kind: 'close', name: nameOf(closeName), source }
  const name = nameOf(openName)
  const read = new Map<string, string>()
  for (const [, key = '', bare, single, double] of attributes.matchAll(attributeAt)) {
    const lower = key.toLowerCase()
    if (!read.has(lower)) read.set(lower, decodeHtml(bare ?? single ?? double ?? ''))
  }
  const isVoid = voids.has(name) || (isComponent(name) && source.endsWith('/>'))
  return { kind: 'open', name, attributes: read, isVoid, source }
}

/** Elements have small letters however they are written; the name of a component is kept as it is. */
function nameOf(written: string): string {
  const lower = written.toLowerCase()
  return isKnownComponent(written) || (isComponentName(written) && !elements.has(lower)) ? written : lower
}

export const isComponent = (name: string): boolean => isComponentName(name)

/** A value as it stands between double quotes. */
export function encodeAttribute(value: string): string {
  return value.replace(/[<&"\n\r\t]/g, (character) => `&#x${character.charCodeAt(0).toString(16).toUpperCase()};`)
}

/** `<name a="1" b>`: a value of `true` prints the name alone, `undefined` prints nothing. */
export function printElement(
  name: string,
  attributes: readonly (readonly [name: string, value: string | number | true | undefined])[],
): string {
  const given = attributes.flatMap(([key, value]) => {
    if (value === undefined) return []
    return value === true ? [key] : [`${key}="${encodeAttribute(String(value))}"`]
  })
  return `<${[name, ...given].join(' ')}>`
}
