/**
 * An edit of mine taken back in a document that others have changed since: what I did goes, what they did stays.
 *
 * 1. No word of theirs goes, also not one that they wrote between mine, into a block that I made, or into one that I moved.
 * 2. What they deleted does not come back.
 * 3. Where both cannot be had, the document stays as it is.
 */
import { type Node as EditorNode, Fragment } from 'prosemirror-model'
import { alignSequences, newBudget } from '../../core/diff/sequence.ts'
import type { Block, JSONDocument } from '../../core/document/tree/nodes.ts'
import { mergeBlocks, settle } from '../saving/conflicts.ts'
import { unitsOf } from '../saving/text-units.ts'
import { fromDocument } from './document/from-document.ts'
import { schema } from './document/schema.ts'
import { toBlocks } from './document/to-document.ts'

/** The document before an edit of mine, after it, and now. */
interface Edit {
  before: EditorNode
  after: EditorNode
  now: EditorNode
}

export function takeBack({ before, after, now }: Edit): Block[] {
  const texts = { before: textsOf(before), after: textsOf(after), now: textsOf(now) }
  // A block that was cut or joined: merging knows how to follow words from one into another.
  if (hasMovedWords(texts)) {
    const merged = mergeBlocks({ base: toBlocks(after), mine: toBlocks(now), theirs: toBlocks(before) })
    const keepsTheirs = merged.conflicts.length === 0 && isOthersKept({ after, now, result: merged.document })
    return keepsTheirs ? merged.document.nodes : toBlocks(now)
  }
  /** What a text becomes; only of those that stand after my edit and now. */
  const wanted = new Map<string, Fragment>()
  for (const [key, text] of texts.now) {
    const mine = texts.after.get(key)
    if (mine !== undefined) wanted.set(key, takeBackWords({ before: texts.before.get(key), after: mine, now: text }))
  }
  // Texts are settled above, word by word; what is merged is where the blocks stand, their kinds and settings.
  const merged = mergeBlocks({
    base: toBlocks(withTexts(after, (key) => (texts.before.has(key) ? texts.now.get(key)?.content : undefined))),
    mine: toBlocks(withTexts(now, (key) => (texts.before.has(key) || isSame(key) ? undefined : wanted.get(key)))),
    theirs: toBlocks(withTexts(before, (key) => wanted.get(key))),
  })
  return settle(merged.document, () => 'mine')

  function isSame(key: string): boolean {
    const mine = texts.after.get(key)
    return mine === undefined || texts.now.get(key)?.content.eq(mine.content) === true
  }
}

/** Whether my edit took words out of one text that then stand in another. */
function hasMovedWords({ before, after }: Record<'before' | 'after', Map<string, EditorNode>>): boolean {
  const missing = (from: Map<string, EditorNode>, than: Map<string, EditorNode>): string[] =>
    [...from].flatMap(([key, text]) => {
      const other = than.get(key)
      if (other?.eq(text)) return []
      const there = new Set(other === undefined ? [] : wordsOf(other))
      return wordsOf(text).filter((word) => !there.has(word))
    })
  const lost = new Set(missing(before, after))
  return lost.size > 0 && missing(after, before).some((word) => lost.has(word))
}

/** Whether every word that was written by others is there, and none that they deleted. */
function isOthersKept({ after, now, result }: { after: EditorNode; now: EditorNode; result: JSONDocument }): boolean {
  const [mine, current, left] = [after, now, fromDocument(result)].map((doc) => new Set(wordsOf(doc)))
  if (mine === undefined || current === undefined || left === undefined) return false
  return (
    [...current].every((word) => mine.has(word) || left.has(word)) &&
    [...mine].every((word) => current.has(word) || !left.has(word))
  )
}

const wordsOf = (node: EditorNode): string[] =>
  node.textBetween(0, node.content.size, ' ', ' ').match(/[\p{L}\p{N}]+/gu) ?? []

/** The text without the words that I wrote, and with those that I deleted where they stood. */
function takeBackWords({ before, after, now }: Omit<Edit, 'before'> & { before: EditorNode | undefined }): Fragment {
  const old = before === undefined ? [] : itemsOf(before)
  const mine = itemsOf(after)
  const current = itemsOf(now)
  const faces = (items: readonly Item[]): string[] => items.map(({ face }) => face)
  const budget = newBudget()
  const inOld = alignSequences(faces(mine), faces(old), budget)
  const inMine = alignSequences(faces(current), faces(mine), budget)
  const nodes: EditorNode[] = []
  const add = (node: EditorNode, blanks: readonly EditorNode[]): void => {
    const isGlued = isWord.test(nodes.at(-1)?.text?.slice(-1) ?? '') && isWord.test(node.text?.slice(0, 1) ?? '')
    nodes.push(...(isGlued && !isBeside(current, nodes.at(-1), node) ? [schema.text(' ')] : []), node, ...blanks)
  }
  let passedMine = 0
  let passedOld = 0
  const bringBack = (end: number): void => {
    for (const { node, blanks } of old.slice(passedOld, end)) add(node, blanks)
    passedOld = Math.max(passedOld, end)
  }
  /** What I deleted stood before the words that follow it, whether they still stand or not. */
  const pass = (end: number): void => {
    for (; passedMine < end; passedMine += 1) {
      const partner = inOld[passedMine] ?? -1
      if (partner < 0) continue
      bringBack(partner)
      passedOld = partner + 1
    }
  }
  for (const [at, { node, blanks }] of current.entries()) {
    const partner = inMine[at] ?? -1
    pass(partner + 1)
    const known = old[inOld[partner] ?? -1]
    const areBlanksMine = Fragment.from(blanks).eq(Fragment.from(mine[partner]?.blanks))
    if (partner < 0) add(node, blanks)
    else if (known !== undefined) add(node, areBlanksMine ? known.blanks : blanks)
  }
  pass(mine.length)
  bringBack(old.length)
  return Fragment.fromArray(nodes)
}

/** A word, or what else is no blank, with the blanks behind it: those are everywhere, and say nothing about what is what. */
interface Item {
  face: string
  node: EditorNode
  blanks: EditorNode[]
}

const isWord = /[\p{L}\p{N}]/u

function itemsOf(parent: EditorNode): Item[] {
  const items: Item[] = []
  for (const { face, node } of unitsOf(parent)) {
    const last = items.at(-1)
    if (last !== undefined && node.isText && node.text?.trim() === '') last.blanks.push(node)
    else items.push({ face, node, blanks: [] })
  }
  return items
}

/** Parts of one word can be set differently. */
const isBeside = (items: readonly Item[], one: EditorNode | undefined, other: EditorNode): boolean =>
  items.some(({ node, blanks }, at) => node === one && blanks.length === 0 && items[at + 1]?.node === other)

const keyOf = (node: EditorNode): string | undefined =>
  node.isTextblock && typeof node.attrs.key === 'string' ? node.attrs.key : undefined

function textsOf(doc: EditorNode): Map<string, EditorNode> {
  const texts = new Map<string, EditorNode>()
  doc.descendants((node) => {
    const key = keyOf(node)
    if (key !== undefined) texts.set(key, node)
    return !node.isTextblock
  })
  return texts
}

function withTexts(node: EditorNode, contentOf: (key: string) => Fragment | undefined): EditorNode {
  const key = keyOf(node)
  if (key !== undefined) {
    const content = contentOf(key)
    return content === undefined || content.eq(node.content) ? node : node.copy(content)
  }
  if (node.isTextblock || node.isLeaf) return node
  const children = node.children.map((child) => withTexts(child, contentOf))
  return children.every((child, at) => child === node.child(at)) ? node : node.copy(Fragment.fromArray(children))
}
