/**
 * What others do, told by the server's stream of events: new content, and where they are.
 */
import type { Node as EditorNode } from 'prosemirror-model'
import { Plugin, PluginKey } from 'prosemirror-state'
import { Decoration, DecorationSet, type EditorView } from 'prosemirror-view'
import type { Client } from '../../client/client.ts'
import type { PageAddress } from '../saving/remote.ts'
import { followStream, isRecord, type StreamEvent } from '../session/stream.ts'
import { make } from './dom.ts'

export interface Person {
  id: string
  name: string
  block: string
  /** Where in the block their cursor is, counted as the editor counts. */
  position: number | undefined
}

export interface Presence {
  close(): void
}

export interface PresenceOptions {
  server: string
  address: PageAddress
  client: Client
  user?: { id: string } | undefined
  onContent(revision: string): void
  /** From now on content is told of; what came just before was not. */
  onBegun(): void
  /** How many others are on this page. */
  onPeople(count: number): void
  nameOf(user: string): Promise<string>
}

interface Shown {
  people: readonly Person[]
  decorations: DecorationSet
}

const key = new PluginKey<Shown>('presence')
const tellEvery = 10_000
const followEvery = 300

export const presencePlugin = (): Plugin<Shown> =>
  new Plugin<Shown>({
    key,
    state: {
      init: () => ({ people: [], decorations: DecorationSet.empty }),
      apply(tr, shown) {
        const people: readonly Person[] | undefined = tr.getMeta(key)
        if (people !== undefined) return { people, decorations: decorate(tr.doc, people) }
        // Until they are heard of again, cursors move with what is typed before them.
        return tr.docChanged ? { ...shown, decorations: shown.decorations.map(tr.mapping, tr.doc) } : shown
      },
    },
    props: { decorations: (state) => key.getState(state)?.decorations },
  })

/** A line beside the block in which others are, their names, and their cursors. */
function decorate(doc: EditorNode, people: readonly Person[]): DecorationSet {
  const decorations: Decoration[] = []
  doc.forEach((node, offset) => {
    const here = people.filter(({ block }) => block === node.attrs.key)
    if (here.length === 0) return
    decorations.push(Decoration.node(offset, offset + node.nodeSize, { class: 'ed-other' }))
    const names = here.map(({ name }) => name).join(', ')
    const label = (): HTMLElement => make('span', { class: 'ed-other-name', contenteditable: 'false' }, names)
    decorations.push(Decoration.widget(offset, label, { side: -1, key: `who ${names}` }))
    for (const { id, name, position } of here) {
      const at = cursorAt(doc, offset, position)
      // Without words of its own: whoever copies or searches the sentence finds only the sentence.
      const cursor = (): HTMLElement => make('span', { class: 'ed-other-cursor', title: name })
      if (at !== undefined) decorations.push(Decoration.widget(at, cursor, { side: -1, key: `cursor ${id} ${name}` }))
    }
  })
  return DecorationSet.create(doc, decorations)
}

/** None where a cursor cannot be drawn: the other has a block selected, or holds another version of it for the moment. */
function cursorAt(doc: EditorNode, offset: number, position: number | undefined): number | undefined {
  const size = doc.nodeAt(offset)?.nodeSize ?? 0
  if (position === undefined || position >= size) return undefined
  return doc.resolve(offset + position).parent.isTextblock ? offset + position : undefined
}

export function openPresence(
  view: EditorView,
  { server, address, client, user, onContent, onBegun, onPeople, nameOf }: PresenceOptions,
): Presence {
  const { space, changeRequest, page } = address
  const path =
    changeRequest === undefined ? `/v1/spaces/${space}` : `/v1/spaces/${space}/change-requests/${changeRequest}`
  let last: Cursor | undefined
  let isInCompany = false
  const hear = ({ name, data }: StreamEvent): void => {
    if (name === 'presence') show(data)
    // A merge brings content into the space.
    else if (name === 'status') {
      if (changeRequest === undefined) onContent(String(data.action ?? ''))
    } else if (concerns(data)) onContent(String(data.revision))
  }
  const concerns = ({ revision, pages, changeRequest: of }: Record<string, unknown>): boolean => {
    // A change request of the space is another line of content.
    if (typeof revision !== 'string' || (changeRequest === undefined && of !== undefined)) return false
    // An event that names its pages and not this one is about others.
    return !Array.isArray(pages) || pages.length === 0 || pages.includes(page)
  }
  const show = (event: Record<string, unknown>): void => {
    const list = Array.isArray(event.people) ? event.people : []
    const people = list.filter((one) => isRecord(one) && one.page === page).flatMap((one) => personOf(one, user?.id))
    isInCompany = people.length > 0
    onPeople(people.length)
    void Promise.all(people.map(async (person) => ({ ...person, name: await nameOf(person.id) }))).then((named) => {
      if (!view.isDestroyed) view.dispatch(view.state.tr.setMeta(key, named))
    })
  }
  const tell = (): void => {
    if (document.visibilityState === 'hidden' || view.isDestroyed) return
    last = cursorOf(view)
    putPresence(client, address, last)
  }
  const moved = (): void => {
    const now = cursorOf(view)
    // Nobody but the others on the page wants to know where in the block.
    if (now.block !== last?.block || (isInCompany && now.position !== last?.position)) tell()
  }
  const timer = setInterval(tell, tellEvery)
  const follow = setInterval(moved, followEvery)
  const end = followStream({
    url: `${server}${path}/events`,
    names: ['content', 'status', 'presence'],
    hear,
    begun: onBegun,
    // What was missed is told; what was amended away meanwhile is not.
    back: () => onContent(''),
  })
  tell()
  return {
    close() {
      clearInterval(timer)
      clearInterval(follow)
      end()
    },
  }
}

interface Cursor {
  block?: string
  position?: number
}

function cursorOf(view: EditorView): Cursor {
  const { $head } = view.state.selection
  const block: unknown = $head.depth === 0 ? null : $head.node(1).attrs.key
  return typeof block === 'string' ? { block, position: $head.pos - $head.before(1) } : {}
}

/** Being seen is a courtesy: where the server does not take it, nothing happens. */
function putPresence(client: Client, { space, changeRequest, page }: PageAddress, cursor: Cursor): void {
  const name = changeRequest === undefined ? 'updateSpacePresence' : 'updateChangeRequestPresence'
  const put: unknown = Reflect.get(client, name)
  if (typeof put !== 'function') return
  const input = {
    spaceId: space,
    ...(changeRequest === undefined ? {} : { changeRequestId: changeRequest }),
    body: { page, ...cursor },
  }
  Promise.resolve(Reflect.apply(put, undefined, [input])).catch(() => undefined)
}

function personOf(one: unknown, self: string | undefined): Person[] {
  if (!isRecord(one) || typeof one.block !== 'string') return []
  const user = isRecord(one.user) ? one.user : { id: one.user }
  const id = String(user.id ?? '')
  if (id === '' || id === self) return []
  const name = typeof user.displayName === 'string' ? user.displayName : id
  return [{ id, name, block: one.block, position: typeof one.position === 'number' ? one.position : undefined }]
}
