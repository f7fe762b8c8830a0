/**
 * The same as `withHeadingIds` on the JSON text of a stored document, of which only the headings are read: a page is sent
 * as it is stored, and most of it holds nothing that anyone has to know.
 */
import { endOfValue } from '../../json-pieces.ts'
import type { Heading, JSONDocument } from '../tree/nodes.ts'
import { anchorsOf } from './anchors.ts'

// Quotes stand escaped inside of strings, and only nodes stand in a list with this field first: nothing else reads so.
const type = '"type":"heading-'
const levels = new Set(['1"', '2"', '3"'])
const before = '{"object":"block",'

/** Undefined where headings do not stand as we write them, or one inside another: then the document itself is to be read. */
export function headingIdsInText(text: string): string | undefined {
  const headings: { heading: Heading; end: number }[] = []
  let last = 0
  // Looked for as a text, and not by an expression, which would look at each character.
  for (let at = text.indexOf(type); at >= 0; at = text.indexOf(type, at + type.length)) {
    if (!levels.has(text.slice(at + type.length, at + type.length + 2))) continue
    const start = at - before.length
    if (start < last || !text.startsWith(before, start) || !isBetween(text[start - 1])) return undefined
    last = endOfValue(text, start)
    const value: Heading & { meta?: unknown } = JSON.parse(text.slice(start, last))
    if (value.meta !== undefined || !Array.isArray(value.nodes)) return undefined
    headings.push({ heading: value, end: last - 1 })
  }
  const nodes = headings.map(({ heading }) => heading)
  const anchors = anchorsOf({ object: 'document', data: { schemaVersion: 1 }, nodes } satisfies JSONDocument)
  let written = ''
  let from = 0
  for (const { heading, end } of headings) {
    written += `${text.slice(from, end)},"meta":${JSON.stringify({ id: anchors.get(heading) })}`
    from = end
  }
  return written + text.slice(from)
}

const isBetween = (character: string | undefined): boolean => character === '[' || character === ','
