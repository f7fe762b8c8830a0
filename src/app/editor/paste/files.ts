/** Files that are pasted, dropped or chosen: a placeholder with its progress until they are stored, then an image or a file. */
import { type EditorState, Plugin, PluginKey, type Transaction } from 'prosemirror-state'
import { Decoration, DecorationSet, type EditorView } from 'prosemirror-view'
import { nodeType } from '../commands.ts'
import type { EditorContext } from '../context.ts'
import { make } from '../dom.ts'
import { randomKey } from '../random-key.ts'

const key = new PluginKey<DecorationSet>('uploads')
type Meta = { add?: readonly Waiting[]; remove?: string }

export const uploads = (): Plugin<DecorationSet> =>
  new Plugin<DecorationSet>({
    key,
    state: {
      init: () => DecorationSet.empty,
      apply(tr, set) {
        const mapped = set.map(tr.mapping, tr.doc)
        const meta: Meta | undefined = tr.getMeta(key)
        if (meta?.add)
          return mapped.add(
            tr.doc,
            meta.add.map(({ pos, element, id }) => Decoration.widget(pos, element, { id, side: -1 })),
          )
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

/** A file that is to be stored, and what stands for it in the text until then. */
interface Waiting {
  id: string
  file: File
  alt: string
  pos: number
  element: HTMLElement
  bar: HTMLProgressElement
}

export async function insertFiles(
  view: EditorView,
  files: readonly File[],
  context: EditorContext,
  { at, replace }: FilePosition = {},
): Promise<void> {
  for (const file of files) {
    const pos = replace ?? blockBoundary(view.state, at ?? view.state.selection.from)
    const waiting = waitFor({ file, pos, alt: withoutEnding(file.name) }, context)
    view.dispatch(view.state.tr.setMeta(key, { add: [waiting] } satisfies Meta))
    await storeFile(view, waiting, context, replace !== undefined)
  }
}

export interface ImageToStore {
  file: File
  alt: string
  /** Between blocks. */
  pos: number
}

/** Shows with a change that images are on their way, and sends them after it. */
export async function insertImages(
  view: EditorView,
  tr: Transaction,
  images: readonly ImageToStore[],
  context: EditorContext,
): Promise<void> {
  const waiting = images.map((image) => waitFor(image, context))
  view.dispatch(waiting.length === 0 ? tr : tr.setMeta(key, { add: waiting } satisfies Meta))
  for (const one of waiting) if (!view.isDestroyed) await storeFile(view, one, context, false)
}

const withoutEnding = (name: string): string => name.replace(/\.\w+$/, '')

function waitFor(image: ImageToStore, { texts }: EditorContext): Waiting {
  const words = texts.upload.working(image.file.name)
  const bar = make('progress', { max: 1, 'aria-label': words })
  return { ...image, id: randomKey(), bar, element: make('div', { class: 'ed-upload' }, make('span', {}, words), bar) }
}

async function storeFile(
  view: EditorView,
  { id, file, alt, bar }: Waiting,
  context: EditorContext,
  isAwaited: boolean,
): Promise<void> {
  const { texts, lookup } = context
  context.announce(texts.upload.working(file.name))
  try {
    const stored = await lookup.upload(file, (part) => {
      if (part > 0) bar.value = part
    })
    if (view.isDestroyed) return
    const where = positionOf(view.state, id)
    const tr = view.state.tr.setMeta(key, { remove: id } satisfies Meta)
    const ref = { kind: 'file' as const, file: stored.id }
    const awaiting = !isAwaited || where === undefined ? null : view.state.doc.nodeAt(where)
    const image = nodeType('image').create({ data: { ref, ...(alt === '' ? {} : { alt }) } })
    if (where === undefined) view.dispatch(tr)
    else if (awaiting?.type.name === 'images') view.dispatch(tr.insert(where + awaiting.nodeSize - 1, image))
    else if (awaiting?.type.name === 'file') view.dispatch(tr.setNodeAttribute(where, 'data', { ref }))
    else if (file.type.startsWith('image/')) view.dispatch(tr.insert(where, nodeType('images').create(null, image)))
    else view.dispatch(tr.insert(where, nodeType('file').create({ data: { ref } })))
  } catch {
    context.notice(texts.upload.failed(file.name))
    if (!view.isDestroyed) view.dispatch(view.state.tr.setMeta(key, { remove: id } satisfies Meta))
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
