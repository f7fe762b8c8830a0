/** `entities.xml` of a Confluence export: a stream of objects, of which pages, their bodies and attachments are kept. */

import { SaxesParser } from 'saxes'
import { cutTo } from '../text.ts'

export interface ExportedPage {
  id: string
  title: string
  parent: string | undefined
  position: number
  body: string
}

export interface ExportedAttachment {
  id: string
  page: string
  name: string
  version: string
}

interface Thing {
  class: string
  id: string
  fields: Record<string, string>
}

export async function readExport(
  texts: AsyncIterable<string>,
  limits: { pages: number },
): Promise<{ pages: ExportedPage[]; attachments: ExportedAttachment[] }> {
  const pages: Thing[] = []
  const attachments: Thing[] = []
  const bodies = new Map<string, string>()
  const onThing = (thing: Thing): void => {
    if (thing.class === 'Page') {
      // Old versions and deleted pages are in the export, too.
      if (thing.fields.contentStatus === 'current' && !thing.fields.originalVersion) pages.push(thing)
    } else if (thing.class === 'BodyContent') bodies.set(thing.fields.content ?? '', thing.fields.body ?? '')
    else if (thing.class === 'Attachment' && !thing.fields.originalVersion && thing.fields.contentStatus !== 'deleted')
      attachments.push(thing)
    if (pages.length > limits.pages)
      throw new Error(`There are more than ${limits.pages} pages, which is what an import takes.`)
  }
  await parse(texts, onThing)
  const known = new Set(pages.map(({ id }) => id))
  return {
    pages: pages
      .map(({ id, fields }) => ({
        id,
        title: fields.title ?? '',
        parent: fields.parent !== undefined && known.has(fields.parent) ? fields.parent : undefined,
        position: Number(fields.position || Number.POSITIVE_INFINITY),
        body: bodies.get(id) ?? '',
      }))
      .sort((a, b) => (a.position === b.position ? (a.title < b.title ? -1 : 1) : a.position - b.position)),
    attachments: attachments.map(({ id, fields }) => ({
      id,
      page: fields.containerContent ?? fields.content ?? '',
      name: fields.title ?? fields.fileName ?? '',
      version: fields.version ?? fields.attachmentVersion ?? '1',
    })),
  }
}

/** Objects hold properties by name: text, or the id of another object. */
async function parse(texts: AsyncIterable<string>, onThing: (thing: Thing) => void): Promise<void> {
  const parser = new SaxesParser()
  const state: State = { thing: undefined, property: undefined, depth: 0, text: '' }
  let failure: Error | undefined
  parser.on('error', (error) => {
    failure ??= new Error(`entities.xml cannot be read: ${cutTo(error.message, 200).replace(/\.$/, '')}.`)
  })
  parser.on('opentag', ({ name, attributes }) => openTag(state, name, attributes))
  parser.on('text', (text) => {
    state.text += text
  })
  parser.on('cdata', (text) => {
    state.text += text
  })
  parser.on('closetag', ({ name }) => closeTag(state, name, onThing))
  for await (const text of texts) {
    parser.write(text)
    if (failure) throw failure
  }
  parser.close()
  if (failure) throw failure
}

interface State {
  thing: Thing | undefined
  property: string | undefined
  /** How deep inside the object. */
  depth: number
  text: string
}

function openTag(state: State, name: string, attributes: Record<string, string>): void {
  state.text = ''
  if (name === 'object') {
    state.thing = { class: attributes.class ?? '', id: '', fields: {} }
    state.depth = 0
    return
  }
  state.depth += 1
  if (state.depth === 1) state.property = name === 'id' ? '' : name === 'property' ? (attributes.name ?? '') : undefined
}

function closeTag(state: State, name: string, onThing: (thing: Thing) => void): void {
  const { thing, property } = state
  if (!thing) return
  if (name === 'object') {
    onThing(thing)
    state.thing = undefined
    return
  }
  if (state.depth === 1 && name === 'id' && property === '') thing.id = state.text.trim()
  else if (property && (state.depth === 1 || name === 'id')) {
    // A reference says its id inside; the end of the property itself then has nothing to add.
    if (state.depth > 1 || thing.fields[property] === undefined)
      thing.fields[property] = property === 'body' ? state.text : state.text.trim()
  }
  state.depth -= 1
  state.text = ''
}
