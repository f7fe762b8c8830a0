/** What `/`, `@` and `:` offer. */
import type { EditorView } from 'prosemirror-view'
import { codeOf } from '../../../core/document/syntax/emoji.ts'
import { insertBlock, insertInline, nodeType } from '../commands.ts'
import type { EditorContext } from '../context.ts'
import { type BlockKind, type InlineKind, type InsertKind, insertRows, needsSettings } from '../insert.ts'
import type { Item, Trigger } from './typeahead.ts'

const inlineKinds: readonly string[] = ['expression', 'inline-math', 'button', 'icon'] satisfies InlineKind[]
const isInline = (kind: InsertKind): kind is InlineKind => inlineKinds.includes(kind)
const isBlock = (kind: InsertKind): kind is BlockKind => !inlineKinds.includes(kind)

export function makeTriggers(context: EditorContext): Trigger[] {
  return [
    {
      pattern: /(?:^|\s)\/([\p{L}\p{N}-]{0,30})$/u,
      label: context.texts.insert,
      find: (query) => insertItems(context, query),
    },
    {
      pattern: /(?:^|\s)@([\p{L}\p{N}._-]{0,30})$/u,
      label: context.texts.blocks.mention,
      find: (query) => mentions(context, query),
    },
    { pattern: /(?:^|\s):([a-z0-9_+-]{2,30})$/, label: context.texts.blocks.emoji, find: emoji },
  ]
}

function insertItems(context: EditorContext, query: string): Item[] {
  const wanted = query.toLocaleLowerCase()
  const { blocks, groups } = context.texts
  return insertRows
    .map((row) => {
      const title = blocks[row.kind]
      const name = title.toLocaleLowerCase()
      const rank = name.startsWith(wanted)
        ? 0
        : name.includes(wanted)
          ? 1
          : row.words.split(' ').some((word) => word.startsWith(wanted)) || row.kind.startsWith(wanted)
            ? 2
            : 3
      return { row, title, rank }
    })
    .filter(({ rank }) => rank < 3)
    .sort((a, b) => (wanted === '' ? 0 : a.rank - b.rank))
    .map(({ row, title }) => ({
      title,
      detail: row.hint,
      ...(wanted === '' ? { group: groups[row.group] } : {}),
      run: (view, { from, to }) => {
        view.dispatch(view.state.tr.delete(from, to))
        insertKind(view, row.kind, context)
      },
    }))
}

export function insertKind(view: EditorView, kind: InsertKind, context: EditorContext): void {
  if (isInline(kind)) insertInline(kind)(view.state, view.dispatch)
  else if (isBlock(kind)) insertBlock(kind)(view.state, view.dispatch)
  context.announce(context.texts.blocks[kind])
  if (kind === 'images' || kind === 'file' || needsSettings.has(kind)) {
    const pos = view.state.selection.from
    const around = kind === 'if' ? ancestorPos(view, 'if') : pos
    if (around !== undefined) context.openPanel(view, around)
  }
}

function ancestorPos(view: EditorView, name: string): number | undefined {
  const { $from } = view.state.selection
  for (let depth = $from.depth; depth > 0; depth -= 1)
    if ($from.node(depth).type.name === name) return $from.before(depth)
  return undefined
}

async function mentions(context: EditorContext, query: string): Promise<Item[]> {
  const [people, pages] = await Promise.all([context.lookup.people(query), context.lookup.pages(query)])
  return [...people.slice(0, 6), ...pages.slice(0, 8)].map(({ title, detail, ref }) => ({
    title,
    detail,
    run: (view, { from, to }) => {
      const node = nodeType('mention').create({ data: { ref } })
      view.dispatch(view.state.tr.replaceWith(from, to, [node, view.state.schema.text(' ')]))
    },
  }))
}

async function emoji(query: string): Promise<Item[]> {
  const { emojiNames } = await import('../../../core/document/syntax/emoji-names.ts')
  const found = [...emojiNames()].filter(([name]) => name.includes(query))
  return found
    .sort(([a], [b]) => Number(b.startsWith(query)) - Number(a.startsWith(query)) || a.length - b.length)
    .slice(0, 12)
    .map(([name, characters]) => ({
      title: `${characters}  ${name}`,
      run: (view, { from, to }) => {
        const node = nodeType('emoji').create({ data: { code: codeOf(characters) } })
        view.dispatch(view.state.tr.replaceWith(from, to, node))
      },
    }))
}
