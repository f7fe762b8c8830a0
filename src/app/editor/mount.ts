/** An open page: the editor, its saving, and what others do, joined. Plain DOM; `page-editor.tsx` puts it into the app. */
import { dropCursor } from 'prosemirror-dropcursor'
import { gapCursor } from 'prosemirror-gapcursor'
import { history } from 'prosemirror-history'
import { keymap } from 'prosemirror-keymap'
import { EditorState, type Plugin, type Transaction } from 'prosemirror-state'
import { EditorView } from 'prosemirror-view'
import type { Client } from '../../client/client.ts'
import { makeDocument } from '../../core/document/tree/make.ts'
import { whenIdle } from '../kit/when-idle.ts'
import { applyBlocks, remoteMeta } from '../saving/apply-blocks.ts'
import { openDeviceJournal } from '../saving/device-journal.ts'
import { journalPage } from '../saving/journal-database.ts'
import { type Editing, PageSession } from '../saving/page-session.ts'
import { type Head, newestRevision, type PageAddress, pageRemote } from '../saving/remote.ts'
import type { SaveStatus } from '../saving/status.ts'
import type { EditorTexts } from '../texts/en/editor.ts'
import { cellSelection } from './blocks/cell-selection.ts'
import { codeAtCursor, languages } from './blocks/code.ts'
import { nodeViews } from './blocks/index.ts'
import { followCursor } from './blocks/tabs.ts'
import { selectedBlock } from './commands.ts'
import { showConflict } from './conflict-card.ts'
import type { EditorContext } from './context.ts'
import { fromDocument } from './document/from-document.ts'
import { keysPlugin } from './document/keys.ts'
import { mergedCells } from './document/merged-cells.ts'
import { tableShapePlugin } from './document/table-shape.ts'
import { toBlocks } from './document/to-document.ts'
import { make } from './dom.ts'
import { findPlugin, openFind } from './find.ts'
import { codeColors } from './highlight/index.ts'
import { typingRules } from './input-rules.ts'
import type { InsertKind } from './insert.ts'
import { editorKeys } from './keymap.ts'
import { makeLookup, type Upload } from './lookup.ts'
import { openBlockMenu } from './menus/block-menu.ts'
import { openBlockPanel } from './menus/block-panel.ts'
import { blockHandle } from './menus/handle.ts'
import { openLink, selectionBar } from './menus/selection-bar.ts'
import { touchBar } from './menus/touch-bar.ts'
import { insertKind, makeTriggers } from './menus/triggers.ts'
import { typeahead } from './menus/typeahead.ts'
import { goTo, type Heading, outlineOf } from './outline.ts'
import { uploads } from './paste/files.ts'
import { pastePlugin } from './paste/index.ts'
import { placeholder } from './placeholder.ts'
import { openPresence, type Presence, presencePlugin } from './presence.ts'
import { randomKey } from './random-key.ts'
import { openSource } from './source.ts'
import { linkBeforeEnter } from './typed-links.ts'
import { ownEdits, undoFromMenu } from './undo-mine.ts'

export interface MountOptions extends PageAddress {
  client: Client
  texts: EditorTexts
  locale: string
  /** Where the API is reached, without `/v1`. */
  server: string
  /** The page as it was read just now. */
  opened: Head
  readOnly: boolean
  organization?: string | undefined
  upload: Upload
  user?: { id: string; displayName?: string } | undefined
  onStatus(status: SaveStatus): void
  /** Something did not succeed, and whoever writes should know. */
  onNotice(words: string): void
  onOutline?: ((headings: Heading[]) => void) | undefined
  /** Someone wants to say something about a block. */
  onComment?: ((block: string) => void) | undefined
}

export interface MountedEditor {
  focus(): void
  /** Brings the block or link of this key into view. */
  goTo(key: string): void
  flush(): Promise<void>
  insertBlock(kind: InsertKind): void
  find(): void
  source(): void
  history(): void
  destroy(): void
}

/** One name for each tab, for as long as it is open. */
const tab = randomKey()

export function mountEditor(root: HTMLElement, options: MountOptions): MountedEditor {
  const { client, texts, opened, readOnly, onStatus } = options
  const address: PageAddress = { space: options.space, changeRequest: options.changeRequest, page: options.page }
  const remote = pageRemote(client, address)
  const journal = openDeviceJournal(tab)
  const live = make('div', { class: 'ed-live', 'aria-live': 'polite' })
  const context: EditorContext = {
    texts,
    root,
    locale: options.locale,
    lookup: makeLookup(client, address, { organization: options.organization, upload: options.upload }),
    openPanel: (on, pos) => openBlockPanel(on, pos, context),
    comment: options.onComment,
    announce: (words) => {
      live.textContent = words
    },
    notice: options.onNotice,
  }
  root.append(live)
  const view = makeView(root, context, opened, {
    readOnly,
    changed: (tr) => changed(tr),
    save: () => void session.flush(),
  })
  const editing = editingOf(view)
  const session = new PageSession(
    {
      page: journalPage(options.user?.id ?? '', address),
      tab,
      remote,
      journal,
      editing,
      clock: {
        now: () => Date.now(),
        after: (pause, run) => {
          const timer = setTimeout(run, pause)
          return () => clearTimeout(timer)
        },
      },
      makeKey: () => randomKey(24),
      onStatus: (status) => {
        if (status.kind === 'conflict') showConflict(status, context)
        else root.querySelector('.ed-conflict')?.remove()
        onStatus(status)
      },
    },
    opened,
  )
  let outline: ReturnType<typeof setTimeout> | undefined
  const tellOutline = (): void => options.onOutline?.(outlineOf(view))
  const changed = (tr: Transaction): void => {
    if (tr.getMeta(remoteMeta) === undefined) session.changed()
    clearTimeout(outline)
    outline = setTimeout(tellOutline, 300)
  }
  const presence: Presence = openPresence(view, {
    server: options.server,
    address,
    client,
    user: options.user,
    onContent: (revision) => session.remoteChanged(revision),
    onBegun: () =>
      void newestRevision(client, address).then(
        (revision) => session.remoteChanged(revision),
        () => undefined,
      ),
    onPeople: (count) => session.inCompany(count > 0),
    nameOf: async (id) => (await context.lookup.target({ kind: 'user', user: id })).title,
  })
  const leave = (event: BeforeUnloadEvent): void => {
    if (session.hasUnsaved) event.preventDefault()
  }
  const hide = (): void => {
    if (document.visibilityState === 'hidden') void session.flush()
  }
  const online = (): void => void session.flush()
  addEventListener('beforeunload', leave)
  addEventListener('online', online)
  document.addEventListener('visibilitychange', hide)
  view.dom.addEventListener('blur', online)
  // The page can be written in before any of it is there.
  const notStarted = whenIdle(() => {
    if (!readOnly) void session.start()
    tellOutline()
    root.append(make('datalist', { id: 'ed-languages' }, ...languages.map((name) => make('option', { value: name }))))
  })
  return {
    focus: () => view.focus(),
    goTo: (key) => goTo(view, key),
    flush: () => session.flush(),
    insertBlock: (kind) => insertKind(view, kind, context),
    find: () => openFind(view, context),
    source: () => void openSource(view, context, () => session.changed()),
    history: () =>
      void import('./history.ts').then(({ openHistory }) =>
        openHistory({ view, context, client, address, changed: () => session.changed() }),
      ),
    destroy() {
      removeEventListener('beforeunload', leave)
      removeEventListener('online', online)
      document.removeEventListener('visibilitychange', hide)
      clearTimeout(outline)
      notStarted()
      presence.close()
      // What is not saved yet is on the device; the last of it is sent, and the session ends after it.
      void session.flush().finally(() => {
        session.stop()
        journal.close()
      })
      view.destroy()
      root.replaceChildren()
    },
  }
}

interface ViewOptions {
  readOnly: boolean
  changed(tr: Transaction): void
  save(): void
}

function makeView(
  root: HTMLElement,
  context: EditorContext,
  opened: Head,
  { readOnly, changed, save }: ViewOptions,
): EditorView {
  const { texts } = context
  const open: Plugin = keymap({
    'Mod-k': (_, __, view) => view !== undefined && openLink(view, context),
    'Mod-/': (state, dispatch) => {
      dispatch?.(state.tr.insertText(state.selection.$from.parentOffset === 0 ? '/' : ' /'))
      return true
    },
    'Mod-Alt-f': (_, __, view) => {
      if (view) openFind(view, context)
      return true
    },
    'Alt-Enter': (state, _, view) => {
      if (view) openBlockMenu(view, context, boxAt(view, state.selection.from))
      return true
    },
    'Mod-Alt-m': (state) => {
      const key: unknown = selectedBlock(state)?.node.attrs.key
      if (typeof key === 'string') context.comment?.(key)
      return true
    },
    'Mod-s': () => {
      save()
      return true
    },
  })
  const plugins = [
    typeahead(context, makeTriggers(context)),
    typingRules(),
    linkBeforeEnter(),
    open,
    keymap(editorKeys),
    history({ newGroupDelay: 600 }),
    ownEdits(),
    tableShapePlugin({ makeKey: randomKey }),
    mergedCells(),
    cellSelection(),
    keysPlugin({ makeKey: randomKey }),
    pastePlugin(context),
    uploads(),
    findPlugin(),
    followCursor(),
    codeAtCursor(),
    codeColors(),
    placeholder(texts.placeholder),
    presencePlugin(),
    gapCursor(),
    dropCursor({ width: 2, class: 'ed-drop', color: false }),
    selectionBar(context),
    blockHandle(context),
    touchBar(context),
  ]
  const state = EditorState.create({ doc: fromDocument(makeDocument(opened.blocks)), plugins })
  const view: EditorView = new EditorView(root, {
    state,
    editable: () => !readOnly,
    nodeViews: nodeViews(context),
    handleDOMEvents: { beforeinput: undoFromMenu },
    attributes: {
      class: 'doc ed-doc',
      role: 'textbox',
      'aria-multiline': 'true',
      'aria-label': texts.content,
      dir: 'auto',
      spellcheck: 'true',
    },
    dispatchTransaction(tr) {
      view.updateState(view.state.apply(tr))
      if (tr.docChanged) changed(tr)
    },
  })
  return view
}

function boxAt(view: EditorView, pos: number): DOMRect {
  const { left, top, bottom } = view.coordsAtPos(pos)
  return new DOMRect(left, top, 0, bottom - top)
}

/** What saving asks of the editor. While a character is being composed nothing may change beside it. */
function editingOf(view: EditorView): Editing {
  // Saving goes on for a moment after the page is closed.
  return {
    blocks: () => toBlocks(view.state.doc),
    apply(blocks, { undoable }) {
      const tr = applyBlocks(view.state, blocks, { undoable })
      if (view.isDestroyed) view.state = view.state.apply(tr)
      else view.dispatch(tr)
    },
    calm: () =>
      view.isDestroyed || !view.composing
        ? Promise.resolve()
        : new Promise((resolve) => {
            view.dom.addEventListener('compositionend', () => setTimeout(resolve, 60), { once: true })
          }),
  }
}
