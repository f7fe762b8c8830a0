/** Which documents of a space differ from those that were rendered last, and the parts that readers will ask for. */
import { identical } from '../../core/diff/equal.ts'
import { holdsMore } from '../../core/document/tree/size.ts'
import type { Content } from '../../core/revision/content.ts'
import { entries, type MapRef } from '../../core/revision/map.ts'
import { diff } from '../../core/revision/map-diff.ts'
import type { Variables } from '../../core/revision/records.ts'
import { evaluateDocument } from '../../domain/content/markdown/evaluate.ts'
import type { Part } from '../../site/render/parts.ts'
import type { ContentReader } from '../../store/content/content.ts'
import { TimeSlices } from '../../store/time-slices.ts'

export interface DueDocument {
  /** Sorts the documents of a content. */
  position: string
  hash: string | undefined
  /** Of the page; a reusable content has none of its own, since it stands on many. */
  page: Variables | undefined
}

/** The records of pages and of reusable contents, as far as they matter here. */
interface Shown {
  document?: string
  variables?: Variables
}

/** So many are at hand at once. */
const aStep = 20

/**
 * Those behind `after`, some at a time: pages, then reusable contents, each of which is rendered once and not with each page
 * that it stands on. Without `from` all.
 */
export async function* dueDocuments(
  reader: ContentReader,
  { from, to, after }: { from: Content | undefined; to: Content; after: string },
): AsyncGenerator<DueDocument[]> {
  const [map = '', last = ''] = after.split(' ')
  for (const name of map === 'reusable' ? (['reusable'] as const) : (['pages', 'reusable'] as const)) {
    const start = name === map ? `${last}\0` : ''
    for await (const records of from ? changed(reader, from[name], to[name], start) : all(reader, to[name], start))
      yield records.map(([key, { document, variables = {} }]) => ({
        position: `${name} ${key}`,
        hash: document,
        page: name === 'pages' ? variables : undefined,
      }))
  }
}

type Records = [key: string, record: Shown][]

async function* all(reader: ContentReader, map: MapRef, start: string): AsyncGenerator<Records> {
  for (let from = start; ; ) {
    const records = await entries<Shown>(reader, map, { from, limit: aStep })
    const last = records.at(-1)
    if (!last) return
    yield records
    from = `${last[0]}\0`
  }
}

async function* changed(reader: ContentReader, before: MapRef, now: MapRef, start: string): AsyncGenerator<Records> {
  const records = (await diff<Shown>(reader, before, now)).flatMap(({ key, before: was, after: is }): Records => {
    const isSame = was?.document === is?.document && identical(was?.variables, is?.variables)
    return is === undefined || isSame || key < start ? [] : [[key, is]]
  })
  for (let at = 0; at < records.length; at += aStep) yield records.slice(at, at + aStep)
}

/** Going through a larger one would hold up others: its parts are made and stored when it is read, in a thread. */
const largest = { nodes: 20_000, letters: 1_000_000 }

/** What readers of these documents will ask for; a part that stands in several is there once. */
export async function partsOfDocuments(
  reader: ContentReader,
  { variables: space }: Content,
  due: readonly DueDocument[],
): Promise<Part[]> {
  // Loaded when there is something to do, as the site is: a process that starts does not wait for it.
  const { partsOf } = await import('../../site/render/prepare.ts')
  await reader.documentsAhead(due.flatMap(({ hash }) => hash ?? []))
  const parts = new Map<string, Part>()
  const slices = new TimeSlices()
  for (const { hash, page } of due) {
    if (hash === undefined) continue
    const document = await reader.document(hash)
    if (holdsMore(document, largest)) continue
    const shown = evaluateDocument(document, { page, space }, undefined, { isDeterministic: true })
    for (const part of partsOf(shown)) {
      parts.set(part.hash, part)
      if (slices.isOver) await slices.next()
    }
    await slices.next()
  }
  return [...parts.values()]
}
