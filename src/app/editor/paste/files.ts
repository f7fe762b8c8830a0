/** Files that are pasted, dropped or chosen: a placeholder with its progress until they are stored, then an image or a file. */
import { type EditorState, Plugin, PluginKey } from 'prosemirror-state'
import { Decoration, DecorationSet, type EditorView } from 'prosemirror-view'
import { nodeType } from '../commands.ts'
import type { EditorContext } from '../context.ts'
import { make } from '../dom.ts'
import { randomKey } from '../random-key.ts'

const key = new PluginKey<DecorationSet>('uploads')
type Meta = { add?: { id: string; pos: number; element: HTMLElement }; remove?: string }

export const uploads = (): Plugin<DecorationSet> =>
  new Plugin<DecorationSet>({
    key,
    state: {
      init: () => DecorationSet.empty,
      apply(tr, set) {
        const mapped = set.map(tr.mapping, tr.doc)
        const meta: Meta | undefined = tr.getMeta(key)
        if (meta?.add)
          return mapped.add(tr.doc, [Decoration.widget(meta.add.pos, meta.add.element, { id: meta.add.id, side: -1 })])
        if (meta?.remove) return mapped.remove(mapped.find(undefined, undefined, (spec) => spec.id === meta.remove))
        return mapped
      },
    },
    props: { decorations: (state) => key.getState(state) },
  })

const positionOf = (state: EditorState, id: string): number | undefined =>
  key.getState(state)?.find(undefined, undefined, (spec) => spec.id === id)[0]?.from

export interface FilePosition {
  /** Where they were dropped; otherwise where the cursor is. */
  at?: number
  /** A block that waits for its file. */
  replace?: number
}

export async function insertFiles(
  view: EditorView,
  files: readonly File[],
  context: EditorContext,
  position: FilePosition = {},
): Promise<void> {
  for (const file of files) await insertFile(view, file, context, position)
}

async function insertFile(
  view: EditorView,
  file: File,
  context: EditorContext,
  { at, replace }: FilePosition,
): Promise<void> {
  const { texts, lookup } = context
  const id = randomKey()
  const bar = make('progress', { max: 1, 'aria-label': texts.upload.working(file.name) })
  const element = make('div', { class: 'ed-upload' }, make('span', {}, texts.upload.working(file.name)), bar)
  const pos = replace ?? blockBoundary(view.state, at ?? view.state.selection.from)
  view.dispatch(view.state.tr.setMeta(key, { add: { id, pos, element } } satisfies Meta))
  context.announce(texts.upload.working(file.name))
  try {
    const stored = await lookup.upload(file, (part) => {
      if (part > 0) bar.value = part
    })
    if (view.isDestroyed) return
    const where = positionOf(view.state, id)
    const tr = view.state.tr.setMeta(key, { remove: id } satisfies Meta)
    const ref = { kind: 'file' as const, file: stored.id }
    const waiting = replace === undefined || where === undefined ? null : view.state.doc.nodeAt(where)
    const image = nodeType('image').create({ data: { ref, alt: stored.name.replace(/\.\w+$/, '') } })
    if (where === undefined) view.dispatch(tr)
    else if (waiting?.type.name === 'images') view.dispatch(tr.insert(where + waiting.nodeSize - 1, image))
    else if (waiting?.type.name === 'file') view.dispatch(tr.setNodeAttribute(where, 'data', { ref }))
    else if (file.type.startsWith('image/')) view.dispatch(tr.insert(where, nodeType('images').create(null, image)))
    else view.dispatch(tr.insert(where, nodeType('file').create({ data: { ref } })))
  } catch {
    if (view.isDestroyed) return
    // The words stay until someone has read them.
    element.replaceChildren(make('span', { role: 'alert' }, texts.upload.failed(file.name)))
    context.announce(texts.upload.failed(file.name))
    setTimeout(() => {
      if (!view.isDestroyed) view.dispatch(view.state.tr.setMeta(key, { remove: id } satisfies Meta))
    }, 8_000)
  }
}

/** The nearest place between blocks where a file may stand. */
function blockBoundary(state: EditorState, pos: number): number {
  const $pos = state.doc.resolve(pos)
  for (let depth = $pos.depth; depth > 0; depth -= 1) {
    const parent = $pos.node(depth - 1)
    const index = $pos.indexAfter(depth - 1)
    if (parent.canReplaceWith(index, index, nodeType('divider'))) return $pos.after(depth)
  }
  return Math.min(pos, state.doc.content.size)
}
