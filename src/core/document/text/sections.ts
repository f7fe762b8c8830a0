/** The document cut at its headings, for search. */
import type { JSONDocument } from '../tree/nodes.ts'
import { anchorsOf } from './anchors.ts'
import { joinLines, textOf } from './to-text.ts'

export type Section = { id: string; title: string; body: string; level: number }

/** The document cut at its headings, for search. What stands before the first heading has an empty id and level 0. */
export function sections(document: JSONDocument, anchors = anchorsOf(document)): Section[] {
  const found: Section[] = []
  let section: Section = { id: '', title: '', body: '', level: 0 }
  let body: string[] = []
  const close = (): void => {
    const whole = joinLines(body)
    if (section.level > 0 || whole !== '') found.push({ ...section, body: whole })
    body = []
  }
  for (const node of document.nodes) {
    const id = anchors.get(node)
    if (id === undefined) {
      body.push(textOf(node))
      continue
    }
    close()
    section = { id, title: textOf(node), body: '', level: Number(node.type.slice(-1)) }
  }
  close()
  return found
}
