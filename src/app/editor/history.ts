/** The history of a page: who changed it when, what was different then, and the way back for the page or one block. */
import type { EditorView } from 'prosemirror-view'
import type { Client } from '../../client/client.ts'
import { withoutHeadingIds } from '../../core/document/text/heading-ids.ts'
import type { Block } from '../../core/document/tree/nodes.ts'
import { applyBlocks } from '../saving/apply-blocks.ts'
import { isEqual } from '../saving/patch.ts'
import type { PageAddress } from '../saving/remote.ts'
import { drawBlocks } from './conflict-card.ts'
import type { EditorContext } from './context.ts'
import { toBlocks } from './document/to-document.ts'
import { button, make } from './dom.ts'

export interface HistoryParts {
  view: EditorView
  context: EditorContext
  client: Client
  address: PageAddress
  changed(): void
}

interface Version {
  id: string
  at: string
  by: string
}

export async function openHistory(parts: HistoryParts): Promise<void> {
  const { view, context } = parts
  const { texts, root } = context
  if (root.querySelector('.ed-history') !== null) return
  const body = make('div', { class: 'ed-history-body' })
  const versions = make('ul', { class: 'ed-versions' })
  const close = (): void => {
    dialog.remove()
    view.focus()
  }
  const dialog = make(
    'section',
    {
      class: 'ed-history',
      role: 'dialog',
      'aria-label': texts.history.title,
      on: { keydown: (event) => event.key === 'Escape' && close() },
    },
    make(
      'div',
      { class: 'ed-bar' },
      make('strong', {}, texts.history.title),
      button(texts.panel.close, { class: 'ed-mini', icon: 'close', press: close }),
    ),
    versions,
    body,
  )
  root.prepend(dialog)
  const found = await listVersions(parts)
  if (found.length === 0) versions.append(make('li', {}, texts.history.empty))
  for (const version of found) {
    const when = new Date(version.at).toLocaleString(context.locale, { dateStyle: 'medium', timeStyle: 'short' })
    const open = button(when, {
      class: 'ed-row',
      text: texts.history.by(version.by || texts.history.unknown, when),
      press: () => void show(parts, version, body, close),
    })
    versions.append(make('li', {}, open))
  }
  dialog.querySelector('button')?.focus()
}

async function listVersions({ client, address: { space, page, changeRequest } }: HistoryParts): Promise<Version[]> {
  const name = changeRequest === undefined ? 'listRevisions' : 'listRevisionsOfChangeRequest'
  const list: unknown = Reflect.get(client, name) ?? Reflect.get(client, 'listRevisions')
  if (typeof list !== 'function') return []
  const input = {
    spaceId: space,
    ...(changeRequest === undefined ? {} : { changeRequestId: changeRequest }),
    query: { targetPage: page, limit: 100 },
  }
  const answer: unknown = await Promise.resolve(Reflect.apply(list, undefined, [input])).catch(() => undefined)
  const items = isRecord(answer) && Array.isArray(answer.items) ? answer.items : []
  return items.filter(isRecord).map(({ id, createdAt, createdBy }) => ({
    id: String(id),
    at: String(createdAt),
    by: isRecord(createdBy) && typeof createdBy.displayName === 'string' ? createdBy.displayName : '',
  }))
}

async function show(parts: HistoryParts, version: Version, into: HTMLElement, close: () => void): Promise<void> {
  const { view, context, client, address, changed } = parts
  const { texts } = context
  const page = await client.getPageInRevisionById({
    spaceId: address.space,
    revisionId: version.id,
    pageId: address.page,
    query: { format: 'document', pages: false },
  })
  const then = page.document ? withoutHeadingIds(page.document).nodes : []
  const now = toBlocks(view.state.doc)
  const current = new Map(now.map((block) => [block.key, block]))
  const restore = (blocks: Block[]): void => {
    view.dispatch(applyBlocks(view.state, blocks, { undoable: true }))
    changed()
  }
  const rows = then.map((block, at) => {
    const other = current.get(block.key)
    const kind = other === undefined ? 'removed' : isEqual(other, block) ? 'same' : 'changed'
    const back = button(texts.history.restoreBlock, {
      class: 'ed-row',
      text: texts.history.restoreBlock,
      press: () => restore(withBlock(toBlocks(view.state.doc), block, then.slice(0, at))),
    })
    return make('div', { class: `ed-version ${kind}` }, drawBlocks([block]), kind === 'same' ? undefined : back)
  })
  const all = button(texts.history.restorePage, {
    class: 'ed-row',
    text: texts.history.restorePage,
    press: () => {
      restore(then)
      close()
    },
  })
  into.replaceChildren(all, ...rows)
}

/** The block as it was: in its place, or after the nearest block that stood before it then. */
export function withBlock(now: readonly Block[], block: Block, before: readonly Block[]): Block[] {
  if (now.some(({ key }) => key === block.key)) return now.map((one) => (one.key === block.key ? block : one))
  const keys = new Map(now.map(({ key }, at) => [key, at]))
  const after = [...before].reverse().find(({ key }) => keys.has(key))
  return now.toSpliced(after === undefined ? 0 : (keys.get(after.key) ?? 0) + 1, 0, block)
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
