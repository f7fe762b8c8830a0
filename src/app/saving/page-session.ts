/**
 * Saving one open page.
 *
 * 1. What is typed is in the journal before it is sent, and leaves it only when the server has it.
 * 2. One request is on its way at a time. It is repeated as it was, under its key, until it is answered, so an answer that was
 *    lost on the way costs nothing; what is typed meanwhile goes with the next.
 * 3. Every save names the revision it was made from. The server brings both edits together; what it answers with is brought
 *    together with what was typed meanwhile.
 * 4. Nobody's words are written over: where both sides want something different, nothing is sent until a person has chosen.
 * 5. "Saved" is shown only while the server has everything that stands in the editor.
 */
import type { Block } from '../../core/document/tree/nodes.ts'
import { type Choice, mergeBlocks, settle } from './conflicts.ts'
import type { Journal, JournalEntry } from './journal.ts'
import { applyPatch, isEqual, type Patch, patchBetween } from './patch.ts'
import { failureOf, type Head, isGone, type Remote, type Save } from './remote.ts'
import type { SaveStatus } from './status.ts'

/** The open editor. */
export interface Editing {
  blocks(): Block[]
  /** Brings blocks in from elsewhere; `undoable` where they are the writer's own. */
  apply(blocks: Block[], options: { undoable: boolean }): void
  /** Over when nothing may be brought in just now, such as while a character is being composed. */
  calm(): Promise<void>
}

export interface Clock {
  now(): number
  /** Runs it later; answers with how to take that back. */
  after(milliseconds: number, run: () => void): () => void
}

export interface SessionParts {
  page: string
  tab: string
  remote: Remote
  journal: Journal
  editing: Editing
  clock: Clock
  makeKey(): string
  onStatus(status: SaveStatus): void
}

const pauses = { journal: 250, quiet: 1_000, most: 5_000, firstRetry: 1_000, lastRetry: 30_000 }
/** With others on the page, who are to see the words within a second. */
const inCompany = { quiet: 250, most: 500 }

export class PageSession {
  readonly #parts: SessionParts
  #base: Head
  #inFlight: (Save & { blocks: Block[] }) | undefined
  /** What stands against each other: a common past and what the server has. */
  #conflict: { past: Block[]; head: Head } | undefined
  #running: Promise<void> | undefined
  #isAsked = false
  #isInCompany = false
  /** What earlier visits left on the device and is not brought in yet. */
  #left: JournalEntry[] = []
  #isStale = false
  #isStopped = false
  #firstUnsent: number | undefined
  #failedSince: number | undefined
  #retryPause = pauses.firstRetry
  #recovered: { edits: number; at: Date } | undefined
  #shown: SaveStatus['kind'] | undefined
  #timers = new Map<string, () => void>()

  constructor(parts: SessionParts, opened: Head) {
    this.#parts = parts
    this.#base = opened
  }

  /** The revision that the editor's content was made from. */
  get revision(): string {
    return this.#base.revision
  }

  get hasUnsaved(): boolean {
    return this.#inFlight !== undefined || this.#left.length > 0 || this.#patch() !== undefined
  }

  /** Brings in what earlier visits left behind, and says where things stand. */
  async start(): Promise<void> {
    const entries = await this.#parts.journal.left(this.#parts.page).catch((): JournalEntry[] => [])
    this.#left = entries.sort((a, b) => a.at - b.at)
    await this.#run()
  }

  /** To be called after every change by the writer. */
  changed(): void {
    const { clock } = this.#parts
    this.#firstUnsent ??= clock.now()
    if (this.#shown === undefined || this.#shown === 'saved') this.#show({ kind: 'saving' })
    this.#later('journal', pauses.journal, () => void this.#write())
    const waited = clock.now() - this.#firstUnsent
    const { quiet, most } = this.#isInCompany ? inCompany : pauses
    this.#later('send', Math.max(0, Math.min(quiet, most - waited)), () => void this.#run())
  }

  /** Whether others are on the page: then what is written is sent sooner. */
  inCompany(isSo: boolean): void {
    this.#isInCompany = isSo
  }

  /** Someone else changed the page. */
  remoteChanged(revision: string): void {
    if (revision === this.#base.revision) return
    this.#isStale = true
    void this.#run()
  }

  /** Everything is on the device, and on the server if it can be reached; only then is it over. */
  async flush(): Promise<void> {
    await this.#write()
    await this.#run()
    if (this.#patch() !== undefined && this.#inFlight === undefined && this.#failedSince === undefined)
      await this.#run()
  }

  stop(): void {
    this.#isStopped = true
    for (const cancel of this.#timers.values()) cancel()
    this.#timers.clear()
  }

  #patch(): Patch | undefined {
    return patchBetween(this.#base.blocks, this.#parts.editing.blocks())
  }

  #show(status: SaveStatus): void {
    this.#shown = status.kind
    this.#parts.onStatus(status)
  }

  #later(name: string, pause: number, run: () => void): void {
    this.#timers.get(name)?.()
    this.#timers.set(name, this.#parts.clock.after(pause, run))
  }

  /** Works until there is nothing to do; whoever asks meanwhile is heard before it ends. */
  #run(): Promise<void> {
    this.#isAsked = true
    this.#running ??= this.#work()
    return this.#running
  }

  async #work(): Promise<void> {
    // Begins later, so that it is known to run before it can end.
    await Promise.resolve()
    try {
      while (this.#isAsked && !this.#isStopped) {
        this.#isAsked = false
        let isDone = this.#conflict !== undefined
        while (!isDone && !this.#isStopped) isDone = (await this.#step()) || this.#conflict !== undefined
        if (this.#conflict !== undefined) await this.#write()
      }
    } finally {
      // In the same turn in which nobody was found to be waiting.
      this.#running = undefined
    }
  }

  /** Sends one save, or fetches what others wrote; true when there is nothing more to do now. */
  async #step(): Promise<boolean> {
    const { editing, makeKey, clock } = this.#parts
    this.#timers.get('send')?.()
    if (this.#inFlight === undefined) {
      const blocks = editing.blocks()
      const patch = patchBetween(this.#base.blocks, blocks)
      if (patch === undefined) return this.#catchUp()
      this.#inFlight = { key: makeKey(), base: this.#base.revision, patch, blocks }
      this.#firstUnsent = undefined
    }
    const sent = this.#inFlight
    await this.#write()
    if (this.#isStopped) return true
    if (this.#failedSince === undefined) this.#show({ kind: 'saving' })
    try {
      const { key, base, patch } = sent
      const answer = await this.#parts.remote.save({ key, base, patch })
      this.#inFlight = undefined
      this.#succeeded()
      await editing.calm()
      this.#bringIn(sent.blocks, { revision: answer.revision, blocks: answer.blocks ?? sent.blocks })
      return false
    } catch (problem) {
      return this.#failed(problem, clock.now())
    }
  }

  async #failed(problem: unknown, now: number): Promise<boolean> {
    const failure = failureOf(problem)
    if (failure === 'again' || failure === 'again-anew') {
      if (failure === 'again-anew') this.#inFlight = undefined
      this.#wait(now)
      return true
    }
    this.#inFlight = undefined
    if (failure === 'refused') {
      const message = problem instanceof Error ? problem.message : String(problem)
      const retry = (): void => void this.#run()
      this.#show({ kind: 'error', message, isGone: isGone(problem), edits: this.#edits(), retry })
      await this.#write()
      return true
    }
    // The server cannot bring the edits together; this side knows the common past and can show both.
    try {
      const head = await this.#parts.remote.read()
      await this.#parts.editing.calm()
      this.#bringIn(this.#base.blocks, head)
      return false
    } catch {
      this.#wait(now)
      return true
    }
  }

  async #catchUp(): Promise<boolean> {
    const { remote, clock } = this.#parts
    const [entry] = this.#left
    if (entry !== undefined) {
      const isReached = await this.#recover(entry)
      if (!isReached) this.#wait(clock.now())
      return !isReached
    }
    if (this.#isStale) {
      this.#isStale = false
      try {
        const head = await remote.read()
        this.#succeeded()
        await this.#parts.editing.calm()
        this.#bringIn(this.#base.blocks, head)
        return false
      } catch {
        this.#isStale = true
        this.#wait(clock.now())
        return true
      }
    }
    this.#firstUnsent = undefined
    await this.#parts.journal.remove(this.#parts).catch(() => undefined)
    // Typed while the journal was emptied: it is not saved yet, and its own save is on the way.
    if (this.#patch() !== undefined) return true
    const recovered = this.#recovered
    this.#show({ kind: 'saved', at: new Date(clock.now()), ...(recovered === undefined ? {} : { recovered }) })
    return true
  }

  #succeeded(): void {
    this.#failedSince = undefined
    this.#retryPause = pauses.firstRetry
  }

  #wait(now: number): void {
    this.#failedSince ??= now
    this.#later('retry', this.#retryPause, () => void this.#run())
    this.#retryPause = Math.min(pauses.lastRetry, this.#retryPause * 2)
    const since = new Date(this.#failedSince)
    this.#show({ kind: 'offline', edits: this.#edits(), since, retry: () => void this.#run() })
  }

  #edits(): number {
    const patches = [this.#patch(), ...this.#left.map(({ patch }) => patch)].filter((patch) => patch !== undefined)
    return patches.reduce((sum, { put, gone = [] }) => sum + Math.max(1, put.length + gone.length), 0)
  }

  /** What the server has, together with what was typed since `past`. */
  #bringIn(past: Block[], head: Head): void {
    const { editing } = this.#parts
    const mine = editing.blocks()
    let target = head.blocks
    if (!isEqual(mine, past) && !isEqual(head.blocks, past)) {
      const merged = mergeBlocks({ base: past, mine, theirs: head.blocks })
      if (merged.conflicts.length > 0) {
        this.#conflict = { past, head }
        this.#show({
          kind: 'conflict',
          conflicts: merged.conflicts,
          settle: (choiceOf) => this.#settle(choiceOf),
        })
        return
      }
      target = merged.document.nodes
    } else if (isEqual(head.blocks, past)) target = mine
    this.#base = head
    if (!isEqual(target, mine)) editing.apply(target, { undoable: false })
  }

  async #settle(choiceOf: (id: string) => Choice): Promise<void> {
    const conflict = this.#conflict
    if (conflict === undefined) return
    const { editing, remote } = this.#parts
    const head = await remote.read().catch(() => conflict.head)
    const merged = mergeBlocks({ base: conflict.past, mine: editing.blocks(), theirs: head.blocks })
    this.#base = head
    this.#conflict = undefined
    editing.apply(settle(merged.document, choiceOf), { undoable: false })
    await this.#run()
  }

  /** Writes the journal: what is in the editor and not on the server. */
  async #write(): Promise<void> {
    const { journal, page, tab, clock } = this.#parts
    // While a conflict is open, what counts is what both sides started from.
    const base = this.#conflict === undefined ? this.#base : { ...this.#base, blocks: this.#conflict.past }
    const patch = patchBetween(base.blocks, this.#parts.editing.blocks())
    if (patch === undefined && this.#inFlight === undefined) return
    const entry: JournalEntry = { page, tab, base, patch: patch ?? { put: [] }, at: clock.now() }
    // A journal that cannot be written (a full disk) must not keep the words from the server.
    await journal
      .put(this.#inFlight === undefined ? entry : { ...entry, inFlight: this.#inFlight })
      .catch(() => undefined)
  }

  /**
   * Brings in what an earlier visit left; false when the server was not reached. A request of that visit is first brought to
   * its end, since nobody knows whether the server has it. Only when nothing of this visit is unsaved: there is one editor.
   */
  async #recover(entry: JournalEntry): Promise<boolean> {
    const { editing, remote, journal } = this.#parts
    const mine = applyPatch(entry.base.blocks, entry.patch)
    let past = entry.base.blocks
    if (entry.inFlight !== undefined) {
      try {
        const { key, base, patch, blocks } = entry.inFlight
        await remote.save({ key, base, patch })
        // Whatever the server made of it is in what it has now.
        past = blocks
      } catch (problem) {
        const failure = failureOf(problem)
        if (failure === 'again' || failure === 'again-anew') return false
      }
    }
    const head = await remote.read().catch(() => undefined)
    if (head === undefined) return false
    await editing.calm()
    // Something was typed meanwhile: it is saved first, and this comes after.
    if (this.#patch() !== undefined) return true
    this.#succeeded()
    this.#left = this.#left.filter((one) => one !== entry)
    const edits = Math.max(1, entry.patch.put.length + (entry.patch.gone?.length ?? 0))
    if (!isEqual(mine, past)) this.#recovered = { edits, at: new Date(entry.at) }
    // The editor first holds what the writer had, then what the server has is brought in.
    editing.apply(mine, { undoable: true })
    this.#bringIn(past, head)
    await this.#write()
    await journal.remove(entry).catch(() => undefined)
    return true
  }
}
