/**
 * The same as `withHeadingIds` on the JSON text of a stored document, of which only the headings are read: a page is sent
 * as it is stored, and most of it holds nothing that anyone has to know.
 */
import { endOfValue } from '../../json-pieces.ts'
import type { Heading, JSONDocument } from '../tree/nodes.ts'
import { anchorsOf } from './anchors.ts'

// Quotes stand escaped inside of strings, and only nodes stand in a list with this field first: nothing else reads so.
const heading = /[[,]\{"object":"block","type":"heading-[123]"/g
const named = /"type":"heading-[123]"/g

/** Undefined where headings do not stand as we write them, or one inside another: then the document itself is to be read. */
export function headingIdsInText(text: string): string | undefined {
  const headings: { heading: Heading; end: number }[] = []
  let last = 0
  for (const { index } of text.matchAll(heading)) {
    const start = index + 1
    if (start < last) return undefined
    last = endOfValue(text, start)
    const value: Heading & { meta?: unknown } = JSON.parse(text.slice(start, last))
    if (value.meta !== undefined || !Array.isArray(value.nodes)) return undefined
    headings.push({ heading: value, end: last - 1 })
  }
  if (text.match(named)?.length !== (headings.length || undefined)) return undefined
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
