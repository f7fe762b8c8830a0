/**
 * What others do, told by the server's stream of events: new content, and where they are.
 */
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
  /** How many others are on this page. */
  onPeople(count: number): void
  nameOf(user: string): Promise<string>
}

const key = new PluginKey<readonly Person[]>('presence')
const tellEvery = 10_000
const followEvery = 300

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
  { server, address, client, user, onContent, onPeople, nameOf }: PresenceOptions,
): Presence {
  const { space, changeRequest, page } = address
  const path =
    changeRequest === undefined ? `/v1/spaces/${space}` : `/v1/spaces/${space}/change-requests/${changeRequest}`
  let told: string | null = null
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
    onPeople(people.length)
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
  const follow = setInterval(moved, followEvery)
  const end = followStream({
    url: `${server}${path}/events`,
    names: ['content', 'status', 'presence'],
    hear,
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
