/**
 * Paste, copy and drop. In this order: our own blocks as they are; into code only text; files; an address onto words is a link;
 * code from an editor keeps its language; Markdown where it clearly is; HTML, cleaned. Cells go into the cells of a table.
 */
import { type Node as EditorNode, Fragment, Slice } from 'prosemirror-model'
import { Plugin, Selection } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import type { Block } from '../../../core/document/tree/nodes.ts'
import { isSafeUrl, parseRef } from '../../../core/document/tree/refs.ts'
import { plainValue } from '../blocks/cell-values.ts'
import { nodeType } from '../commands.ts'
import type { EditorContext } from '../context.ts'
import { fromBlock } from '../document/from-document.ts'
import { codeLines } from '../document/parse-rules.ts'
import { schema } from '../document/schema.ts'
import { columnsOfNode } from '../document/table-shape.ts'
import { cellsIn, cellsOfText, fillCells, type PastedCells } from './cells.ts'
import { insertFiles, insertImages } from './files.ts'
import { hasLocalImages, takeLocalImages } from './local-images.ts'
import { isMarkdown } from './markdown-score.ts'
import { pasteParser } from './parser.ts'

const ownType = 'application/x-lectern-slice'

export function pastePlugin(context: EditorContext): Plugin {
  let isPlain = false
  return new Plugin({
    props: {
      clipboardParser: pasteParser(),
      clipboardTextSerializer: plainText,
      transformPasted: wholeBlocks,
      handleKeyDown(_, event) {
        isPlain = event.shiftKey && (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'v'
        return false
      },
      handlePaste(view, event, slice) {
        const data = event.clipboardData
        if (data === null) return false
        const wasPlain = isPlain
        isPlain = false
        return pasteData({ view, context }, data, wasPlain) || pasteHtml({ view, context }, slice, [...data.files])
      },
      handleDrop(view, event, slice, moved) {
        const files = [...(event.dataTransfer?.files ?? [])]
        if (moved || (files.length === 0 && !hasLocalImages(slice))) return false
        event.preventDefault()
        const at = view.posAtCoords({ left: event.clientX, top: event.clientY })?.pos
        if (files.length > 0) void insertFiles(view, files, context, at === undefined ? {} : { at })
        else {
          if (at !== undefined) view.dispatch(view.state.tr.setSelection(Selection.near(view.state.doc.resolve(at))))
          pasteHtml({ view, context }, slice, [])
        }
        return true
      },
      handleDOMEvents: {
        copy: (view, event) => putOwn(view, event),
        cut: (view, event) => putOwn(view, event),
      },
    },
  })
}

/** What is copied goes as HTML and text for others, and as it is for us. */
function putOwn(view: EditorView, event: ClipboardEvent): boolean {
  const { clipboardData } = event
  const { selection } = view.state
  if (selection.empty || clipboardData === null) return false
  const slice = selection.content()
  const { dom, text } = view.serializeForClipboard(slice)
  event.preventDefault()
  clipboardData.clearData()
  clipboardData.setData('text/html', dom.innerHTML)
  clipboardData.setData('text/plain', text)
  clipboardData.setData(ownType, JSON.stringify(slice.toJSON()))
  if (event.type === 'cut' && view.editable)
    view.dispatch(view.state.tr.deleteSelection().scrollIntoView().setMeta('uiEvent', 'cut'))
  return true
}

interface PasteTarget {
  view: EditorView
  context: EditorContext
}

function pasteData(target: PasteTarget, data: DataTransfer, isPlain: boolean): boolean {
  const { view, context } = target
  const text = data.getData('text/plain')
  const html = data.getData('text/html')
  const { $from, empty } = view.state.selection
  if ($from.parent.type.name === 'code_line') return text !== '' && insertCode(view, text)
  const own = isPlain ? '' : data.getData(ownType)
  if (own !== '') {
    const slice = sliceOf(own)
    if (slice !== undefined)
      return pasteCells(target, cellsIn(slice, { headIsCells: false })) || insertSlice(view, slice)
  }
  const files = [...data.files]
  if (files.length > 0 && (html === '' || isOnlyImages(html))) {
    void insertFiles(view, files, context)
    return true
  }
  if (isPlain) return text !== '' && insertText(view, text)
  const address = text.trim()
  if (!empty && /^(?:https?:\/\/|mailto:)\S+$/i.test(address) && isSafeUrl(address)) return linkSelection(view, address)
  const mode = languageOf(data.getData('vscode-editor-data'))
  if (mode !== undefined && text.includes('\n')) {
    const syntax = mode === 'plaintext' ? {} : { syntax: mode }
    return insertSlice(
      view,
      new Slice(Fragment.from(nodeType('code').create({ data: syntax }, codeLines(schema, text))), 0, 0),
    )
  }
  const isWritten = mode === 'markdown' || ((html === '' || isThinHtml(html)) && isMarkdown(text))
  if (isWritten) {
    void insertMarkdown(target, text)
    return true
  }
  if (html === '' && pasteCells(target, cellsOfText(text))) return true
  return html === '' && text !== '' ? insertText(view, text) : false
}

/** Cells go into cells, images that only this device has are stored; anything else is as the editor does it. */
function pasteHtml(target: PasteTarget, slice: Slice, files: readonly File[]): boolean {
  const cells = cellsIn(slice, { headIsCells: true })
  if (!hasLocalImages(slice)) return pasteCells(target, cells)
  const { view, context } = target
  const filled = cells && fillCells(view.state, cells, context.locale)
  const { tr, refused } = filled ?? { tr: view.state.tr.replaceSelection(slice), refused: 0 }
  const { images, missing } = takeLocalImages(tr, files)
  void insertImages(view, tr.scrollIntoView().setMeta('paste', true), images, context)
  tellRefused(context, refused)
  if (missing > 0) context.notice(context.texts.upload.notTaken(missing))
  return true
}

function pasteCells({ view, context }: PasteTarget, cells: PastedCells | undefined): boolean {
  const filled = cells && fillCells(view.state, cells, context.locale)
  if (filled === undefined) return false
  view.dispatch(filled.tr.scrollIntoView().setMeta('paste', true))
  tellRefused(context, filled.refused)
  return true
}

function tellRefused({ notice, texts }: EditorContext, count: number): void {
  if (count > 0) notice(texts.table.refused(count))
}

/** An image that was copied in a browser, or from a document: its address is another's, or one of this device. */
const isOnlyImages = (html: string): boolean =>
  /<img\s/i.test(html) &&
  html.replace(/<(style|head|title)[\s\S]*?<\/\1>|<!--[\s\S]*?-->|<[^>]*>|&nbsp;/gi, '').trim() === ''

/** HTML that says no more than the text: what editors put beside what was copied. */
const isThinHtml = (html: string): boolean =>
  !/<(?:h[1-6]|ul|ol|li|table|a|b|strong|em|i|code|pre|img|blockquote)[\s>]/i.test(html)

function languageOf(data: string): string | undefined {
  try {
    const { mode } = JSON.parse(data)
    return typeof mode === 'string' && /^[\w+#.-]{1,40}$/.test(mode) ? mode : undefined
  } catch {
    return undefined
  }
}

function sliceOf(json: string): Slice | undefined {
  try {
    const slice = Slice.fromJSON(schema, JSON.parse(json))
    slice.content.forEach((node) => {
      node.check()
    })
    return slice
  } catch {
    return undefined
  }
}

/** A place may refuse what is pasted; then its words are better than nothing. */
function insertSlice(view: EditorView, slice: Slice): boolean {
  try {
    view.dispatch(view.state.tr.replaceSelection(wholeBlocks(slice)).scrollIntoView().setMeta('paste', true))
    return true
  } catch {
    return insertText(view, slice.content.textBetween(0, slice.content.size, '\n'))
  }
}

function insertText(view: EditorView, text: string): boolean {
  const paragraphs = text.replace(/\r\n?/g, '\n').split(/\n{2,}/)
  const nodes = paragraphs.map((words) => nodeType('paragraph').create(null, words === '' ? null : schema.text(words)))
  view.dispatch(
    view.state.tr
      .replaceSelection(new Slice(Fragment.from(nodes), 1, 1))
      .scrollIntoView()
      .setMeta('paste', true),
  )
  return true
}

function insertCode(view: EditorView, text: string): boolean {
  const lines = codeLines(schema, text)
  view.dispatch(
    view.state.tr
      .replaceSelection(new Slice(lines, 1, 1))
      .scrollIntoView()
      .setMeta('paste', true),
  )
  return true
}

function linkSelection(view: EditorView, address: string): boolean {
  const mark = schema.marks.link?.create({ data: { ref: parseRef(address) } })
  if (mark === undefined) return false
  const { tr, selection } = view.state
  for (const { $from, $to } of selection.ranges) tr.addMark($from.pos, $to.pos, mark)
  view.dispatch(tr)
  return true
}

/** Reading Markdown is loaded with the first of it; where the cursor was is remembered until then. */
async function insertMarkdown(target: PasteTarget, text: string): Promise<void> {
  const { view } = target
  const mark = view.state.selection.getBookmark()
  const doc = view.state.doc
  const { readMarkdown } = await import('../markdown.ts')
  if (view.isDestroyed) return
  const nodes = readMarkdown(text).nodes.map((block: Block) => fromBlock(block))
  if (view.state.doc.eq(doc)) view.dispatch(view.state.tr.setSelection(mark.resolve(view.state.doc)))
  const [only] = nodes
  const isWords = nodes.length === 1 && only?.type.name === 'paragraph'
  const slice = new Slice(Fragment.from(nodes), isWords ? 1 : 0, isWords ? 1 : 0)
  if (!pasteCells(target, cellsIn(slice, { headIsCells: true }))) insertSlice(view, slice)
}

/** A heading or a list that comes first stays one instead of joining the words before it. */
function wholeBlocks(slice: Slice): Slice {
  const { firstChild, childCount } = slice.content
  if (
    firstChild === null ||
    childCount < 2 ||
    slice.openStart === 0 ||
    firstChild.type.name === 'paragraph' ||
    !firstChild.type.isInGroup('flow')
  )
    return slice
  return new Slice(slice.content, 0, slice.content.lastChild?.type.name === 'paragraph' ? slice.openEnd : 0)
}

/** Cells as programs expect them that know no others: a line for each row. */
function plainText({ content }: Slice): string {
  const { firstChild: only, childCount } = content
  if (childCount !== 1 || only?.type.name !== 'table') return content.textBetween(0, content.size, '\n\n', leafText)
  const columns = new Map(columnsOfNode(only).map((column) => [column.id, column]))
  const wordsOf = (cell: EditorNode): string =>
    cell.type.name === 'table_value'
      ? plainValue(cell.attrs.value, columns.get(cell.attrs.column))
      : cell.textBetween(0, cell.content.size, ' ', leafText).replace(/\s+/g, ' ')
  return only.children.map((row) => row.children.map(wordsOf).join('\t')).join('\n')
}

const leafText = (node: EditorNode): string =>
  node.type.name === 'emoji' ? node.textContent : (node.attrs.data?.formula ?? node.attrs.data?.expression ?? '')
