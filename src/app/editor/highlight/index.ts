/**
 * Code in the colours that readers see. What changed is highlighted a moment after the last key, in a worker; until then the
 * colours of before move along with the text. Nothing is touched while characters are composed.
 */
import type { Node as ProseMirrorNode } from 'prosemirror-model'
import { Plugin, PluginKey } from 'prosemirror-state'
import { Decoration, DecorationSet, type EditorView } from 'prosemirror-view'
import { grammarOf } from '../../../theme/grammars.ts'
import { type Highlighted, tokenClass } from '../../../theme/token-kinds.ts'
import { highlight } from './worker.ts'

const restMilliseconds = 150
/** As on sites: longer code stays plain. */
const longestBlock = 50_000

/** Colours for one block of code, in place of those it had. */
interface Colored {
  from: number
  to: number
  decorations: Decoration[]
}

const key = new PluginKey<DecorationSet>('highlight')

export const codeColors = (): Plugin =>
  new Plugin<DecorationSet>({
    key,
    state: {
      init: () => DecorationSet.empty,
      apply(tr, before) {
        const moved = before.map(tr.mapping, tr.doc)
        const colored: Colored | undefined = tr.getMeta(key)
        if (!colored) return moved
        return moved.remove(moved.find(colored.from, colored.to)).add(tr.doc, colored.decorations)
      },
    },
    props: { decorations: (state) => key.getState(state) },
    view(view) {
      const colors = new Colors(view)
      return { update: (_, before) => before.doc !== view.state.doc && colors.wait(), destroy: () => colors.end() }
    },
  })

class Colors {
  readonly #view: EditorView
  /** Nodes never change: what has been coloured once, or is being, is done. */
  readonly #done = new WeakSet<ProseMirrorNode>()
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(view: EditorView) {
    this.#view = view
    this.wait()
  }

  wait(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#colorAll(), restMilliseconds)
  }

  end(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #colorAll(): void {
    if (this.#view.composing) {
      this.wait()
      return
    }
    this.#view.state.doc.descendants((node) => {
      if (node.type.name === 'code' && !this.#done.has(node)) {
        this.#done.add(node)
        void this.#color(node)
      }
      return !node.isTextblock
    })
  }

  async #color(node: ProseMirrorNode): Promise<void> {
    const code = linesOf(node).join('\n')
    const language = code.length > longestBlock ? undefined : grammarOf(String(node.attrs.data.syntax ?? ''))
    const runs = language === undefined || code === '' ? undefined : await highlight(code, language)
    if (this.#timer === undefined) return
    if (this.#view.composing) {
      this.#done.delete(node)
      this.wait()
      return
    }
    const from = positionOf(this.#view.state.doc, node)
    // Edited meanwhile: then it is another node, whose turn comes.
    if (from === undefined) return
    const colored: Colored = { from, to: from + node.nodeSize, decorations: decorationsOf(node, from, runs ?? []) }
    this.#view.dispatch(this.#view.state.tr.setMeta(key, colored).setMeta('addToHistory', false))
  }
}

/** The text of each line; what is no text in it counts as one character, as it does in positions. */
function linesOf(code: ProseMirrorNode): string[] {
  const lines: string[] = []
  code.forEach((line) => {
    lines.push(line.textBetween(0, line.content.size, '', '\ufffc'))
  })
  return lines
}

function positionOf(doc: ProseMirrorNode, wanted: ProseMirrorNode): number | undefined {
  let found: number | undefined
  doc.descendants((node, position) => {
    if (node === wanted) found = position
    return found === undefined && !node.isTextblock
  })
  return found
}

function decorationsOf(code: ProseMirrorNode, start: number, lines: Highlighted): Decoration[] {
  const decorations: Decoration[] = []
  code.forEach((_, offset, index) => {
    // Past the opening of the code and of the line.
    let at = start + offset + 2
    const runs = lines[index] ?? []
    for (let i = 0; i + 1 < runs.length; i += 2) {
      const end = at + (runs[i + 1] ?? 0)
      const name = tokenClass(runs[i] ?? 0)
      if (name !== '') decorations.push(Decoration.inline(at, end, { class: name }))
      at = end
    }
  })
  return decorations
}
