/** Both versions of what two people changed, side by side; typing goes on while one chooses. */
import { DOMSerializer } from 'prosemirror-model'
import { textOf } from '../../core/document/text/to-text.ts'
import { withoutMarker } from '../../core/document/tree/conflict-marker.ts'
import { list, paragraph, text } from '../../core/document/tree/make.ts'
import type { AnyBlock, Block } from '../../core/document/tree/nodes.ts'
import { isBlockTopLevel } from '../../core/document/tree/normalise.ts'
import type { Choice } from '../saving/conflicts.ts'
import type { SaveStatus } from '../saving/status.ts'
import type { EditorContext } from './context.ts'
import { fromBlock } from './document/from-document.ts'
import { schema } from './document/schema.ts'
import { button, make } from './dom.ts'

type Conflict = Extract<SaveStatus, { kind: 'conflict' }>

export function showConflict(status: Conflict, context: EditorContext): HTMLElement {
  const { texts, root } = context
  root.querySelector('.ed-conflict')?.remove()
  const chosen = new Map<string, Choice>()
  const cards = status.conflicts.map(({ id, ours, theirs }) => {
    const card = make(
      'div',
      { class: 'ed-conflict-card' },
      side(texts.conflict.mine, ours, texts.conflict.deleted),
      side(texts.conflict.theirs, theirs, texts.conflict.deleted),
    )
    const choose = (choice: Choice): void => {
      chosen.set(id, choice)
      card.remove()
      if (chosen.size < status.conflicts.length) return
      region.remove()
      void status.settle((one) => chosen.get(one) ?? 'both')
    }
    card.append(
      make(
        'div',
        { class: 'ed-bar' },
        button(texts.conflict.keepMine, {
          class: 'ed-row',
          text: texts.conflict.keepMine,
          press: () => choose('mine'),
        }),
        button(texts.conflict.keepTheirs, {
          class: 'ed-row',
          text: texts.conflict.keepTheirs,
          press: () => choose('theirs'),
        }),
        button(texts.conflict.keepBoth, {
          class: 'ed-row',
          text: texts.conflict.keepBoth,
          press: () => choose('both'),
        }),
      ),
    )
    return card
  })
  const region = make(
    'section',
    { class: 'ed-conflict', role: 'region', 'aria-label': texts.conflict.title },
    make('strong', {}, texts.conflict.title),
    make('p', {}, texts.conflict.explain),
    ...cards,
  )
  root.prepend(region)
  context.announce(texts.conflict.title)
  return region
}

function side(title: string, blocks: readonly AnyBlock[], nothing: string): HTMLElement {
  const body = blocks.length === 0 ? make('p', { class: 'missing' }, nothing) : drawBlocks(blocks)
  return make('div', {}, make('div', { class: 'ed-group' }, title), body)
}

/** Blocks to look at, drawn as the editor draws them. */
export function drawBlocks(blocks: readonly AnyBlock[]): HTMLElement {
  const into = make('div', { class: 'doc ed-drawn' })
  const serializer = DOMSerializer.fromSchema(schema)
  for (const block of blocks) into.append(serializer.serializeNode(fromBlock(wholeBlock(withoutMarker(block)))))
  return into
}

/** A part of a block alone (an item, a tab) is shown in a block that can hold it, or by its words. */
function wholeBlock(block: AnyBlock): Block {
  if (isBlockTopLevel(block)) return block
  if (block.type === 'list-item') return list('list-unordered', [block])
  const words = textOf(block)
  return paragraph(words === '' ? [] : [text(words)])
}
