/**
 * What others do, told by the server's stream of events: new content, and where they are. One stream for each tab that is in view,
 * since a browser keeps only six connections to a server over HTTP/1.1.
 */
import { Plugin, PluginKey } from 'prosemirror-state'
import { Decoration, DecorationSet, type EditorView } from 'prosemirror-view'
import type { Client } from '../../client/client.ts'
import type { PageAddress } from '../saving/remote.ts'
import { make } from './dom.ts'

export interface Person {
  id: string
  name: string
  block: string
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
  nameOf(user: string): Promise<string>
}

const key = new PluginKey<readonly Person[]>('presence')
const tellEvery = 10_000

export const presencePlugin = (): Plugin<readonly Person[]> =>
  new Plugin<readonly Person[]>({
    key,
    state: {
      init: () => [],
      apply: (tr, people) => tr.getMeta(key) ?? people,
    },
    props: {
      decorations(state) {
        const people = key.getState(state) ?? []
        if (people.length === 0) return null
        const marks: Decoration[] = []
        state.doc.forEach((node, offset) => {
          const here = people.filter(({ block }) => block === node.attrs.key)
          if (here.length === 0) return
          const names = here.map(({ name }) => name).join(', ')
          marks.push(Decoration.node(offset, offset + node.nodeSize, { class: 'ed-other' }))
          marks.push(
            Decoration.widget(offset, () => make('span', { class: 'ed-other-name', contenteditable: 'false' }, names), {
              side: -1,
              key: `who ${names}`,
            }),
          )
        })
        return DecorationSet.create(state.doc, marks)
      },
    },
  })

export function openPresence(
  view: EditorView,
  { server, address, client, user, onContent, nameOf }: PresenceOptions,
): Presence {
  const { space, changeRequest, page } = address
  const path =
    changeRequest === undefined ? `/v1/spaces/${space}` : `/v1/spaces/${space}/change-requests/${changeRequest}`
  let stream: EventSource | undefined
  let told: string | null = null
  const open = (): void => {
    if (stream !== undefined || document.visibilityState === 'hidden') return
    stream = new EventSource(`${server}${path}/events`)
    stream.addEventListener('content', ({ data }) => {
      const event = parsed(data)
      const pages: unknown = event.pages
      // A change request of the space is another line of content.
      if (changeRequest === undefined && event.changeRequest !== undefined) return
      // An event that names its pages and not this one is about others.
      if (typeof event.revision === 'string' && (!Array.isArray(pages) || pages.length === 0 || pages.includes(page)))
        onContent(event.revision)
    })
    // A merge brings content into the space.
    stream.addEventListener('status', ({ data }) => {
      if (changeRequest === undefined) onContent(String(parsed(data).action ?? ''))
    })
    stream.addEventListener('presence', ({ data }) => show(parsed(data)))
  }
  const shut = (): void => {
    stream?.close()
    stream = undefined
  }
  const show = (event: Record<string, unknown>): void => {
    const list = Array.isArray(event.people) ? event.people : Array.isArray(event.items) ? event.items : []
    const people = list.filter((one) => isRecord(one) && one.page === page).flatMap((one) => personOf(one, user?.id))
    void Promise.all(people.map(async (person) => ({ ...person, name: await nameOf(person.id) }))).then((named) => {
      if (!view.isDestroyed) view.dispatch(view.state.tr.setMeta(key, named))
    })
  }
  const tell = (): void => {
    if (document.visibilityState === 'hidden' || view.isDestroyed) return
    const { $from } = view.state.selection
    const block: string | null = $from.depth === 0 ? null : $from.node(1).attrs.key
    told = block
    putPresence(client, address, block)
  }
  const moved = (): void => {
    const { $from } = view.state.selection
    const block = $from.depth === 0 ? null : $from.node(1).attrs.key
    if (block !== told) tell()
  }
  const timer = setInterval(tell, tellEvery)
  const follow = setInterval(moved, 1_000)
  const change = (): void => (document.visibilityState === 'hidden' ? shut() : open())
  document.addEventListener('visibilitychange', change)
  open()
  return {
    close() {
      clearInterval(timer)
      clearInterval(follow)
      document.removeEventListener('visibilitychange', change)
      shut()
    },
  }
}

/** Being seen is a courtesy: where the server does not take it, nothing happens. */
function putPresence(client: Client, { space, changeRequest, page }: PageAddress, block: string | null): void {
  const name = changeRequest === undefined ? 'updateSpacePresence' : 'updateChangeRequestPresence'
  const put: unknown = Reflect.get(client, name)
  if (typeof put !== 'function') return
  const input = {
    spaceId: space,
    ...(changeRequest === undefined ? {} : { changeRequestId: changeRequest }),
    body: { page, ...(block === null ? {} : { block }) },
  }
  Promise.resolve(Reflect.apply(put, undefined, [input])).catch(() => undefined)
}

function personOf(one: unknown, self: string | undefined): Person[] {
  if (!isRecord(one) || typeof one.block !== 'string') return []
  const user = isRecord(one.user) ? one.user : { id: one.user }
  const id = String(user.id ?? '')
  if (id === '' || id === self) return []
  return [{ id, name: typeof user.displayName === 'string' ? user.displayName : id, block: one.block }]
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

function parsed(data: unknown): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(String(data))
    if (Array.isArray(value)) return { items: value }
    return isRecord(value) ? value : {}
  } catch {
    return {}
  }
}
