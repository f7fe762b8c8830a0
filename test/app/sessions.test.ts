/**
 * Two writers on one page over a network that loses requests and answers, with tabs that die: at the end all hold the same, and
 * every word that was written down is there. Time and network are simulated here, so that hundreds of sessions take seconds;
 * `test/faults/app-sessions.test.ts` does it to a real server that is killed. `APP_SESSIONS` makes longer runs.
 */
import { expect, test } from 'vitest'
import { type JournalEntry, memoryJournal } from '../../src/app/saving/journal.ts'
import { applyPatch, isEqual } from '../../src/app/saving/patch.ts'
import type { Head, Remote } from '../../src/app/saving/remote.ts'
import { CallFailed } from '../../src/client/client.ts'
import { makeDocument, paragraph, text } from '../../src/core/document/tree/make.ts'
import type { Block } from '../../src/core/document/tree/nodes.ts'
import { mergeDocuments } from '../../src/core/merge/documents.ts'
import { openWriter, type Random, randomFrom, type Writer, wordsOf } from './writer.ts'

const sessions = Number(process.env.APP_SESSIONS ?? 15)

/** Time that passes only when it is told to. */
function makeTime() {
  let now = 1_000_000
  let waiting: { at: number; run: () => void }[] = []
  return {
    clock: {
      now: () => now,
      after(pause: number, run: () => void) {
        const entry = { at: now + pause, run }
        waiting.push(entry)
        return () => {
          waiting = waiting.filter((one) => one !== entry)
        }
      },
    },
    async pass(until: () => boolean, most = 4_000): Promise<boolean> {
      for (let turn = 0; turn < most; turn += 1) {
        for (let tick = 0; tick < 4; tick += 1) await new Promise(setImmediate)
        if (until()) return true
        const next = waiting.sort((a, b) => a.at - b.at).shift()
        // What was just asked for may begin something in a moment.
        if (next === undefined) continue
        now = Math.max(now, next.at)
        next.run()
      }
      return until()
    },
  }
}

/** The page as the server keeps it: bases, merging as it merges, answers remembered by key. */
function makeServer(first: Block[]) {
  const revisions = new Map<string, Block[]>([['r0', first]])
  const answers = new Map<string, { revision: string; blocks?: Block[] }>()
  let head = 'r0'
  const copy = <Of>(value: Of): Of => JSON.parse(JSON.stringify(value))
  const read = (): Head => ({ revision: head, blocks: copy(revisions.get(head) ?? []) })
  const document = (blocks: Block[]) => makeDocument(blocks)
  const save: Remote['save'] = async ({ key, base, patch }) => {
    const known = answers.get(key)
    if (known !== undefined) return copy(known)
    const from = revisions.get(base)
    if (from === undefined) throw new CallFailed({ status: 410, type: 'base_gone', message: 'gone' })
    const sent = applyPatch(from, copy(patch))
    const now = revisions.get(head) ?? []
    const merged = mergeDocuments({ base: document(from), ours: document(now), theirs: document(sent) })
    if (merged.conflicts.length > 0) throw new CallFailed({ status: 409, type: 'edit_conflict', message: 'both' })
    const blocks = copy(merged.document.nodes)
    head = `r${revisions.size}`
    revisions.set(head, blocks)
    const answer = isEqual(blocks, sent) ? { revision: head } : { revision: head, blocks }
    answers.set(key, copy(answer))
    return answer
  }
  return { read, save }
}

function faulty(
  server: ReturnType<typeof makeServer>,
  { random, clock, isDown }: { random: Random; clock: ReturnType<typeof makeTime>['clock']; isDown: () => boolean },
): Remote {
  const pause = (): Promise<void> => new Promise((resolve) => void clock.after(5 + random() * 400, resolve))
  const carry = async <Of>(act: () => Promise<Of> | Of): Promise<Of> => {
    await pause()
    if (isDown() || random() < 0.15) throw new TypeError('The request was lost.')
    const answer = await act()
    await pause()
    if (random() < 0.15) throw new TypeError('The answer was lost.')
    return answer
  }
  return { read: () => carry(server.read), save: (save) => carry(() => server.save(save)) }
}

async function runSession(seed: number): Promise<{ words: number; crashes: number }> {
  const random = randomFrom(seed)
  const time = makeTime()
  const server = makeServer([
    { ...paragraph([text('one two three ')]), key: 'a' },
    { ...paragraph([text('four five ')]), key: 'b' },
    { ...paragraph([text('six ')]), key: 'c' },
  ])
  let isDown = false
  let made = 0
  let crashes = 0
  const entries = new Map<string, JournalEntry>()
  const alive = new Set<string>()
  const open = async (name: string): Promise<Writer> => {
    const tab = `${name}-${++made}`
    alive.add(tab)
    const journal = memoryJournal(entries, (one) => alive.has(one))
    const remote = faulty(server, { random, clock: time.clock, isDown: () => isDown })
    const writer = openWriter(
      { name, tab, remote, journal, clock: time.clock, random, makeKey: () => `${tab}-${++made}` },
      server.read(),
    )
    void writer.session.start()
    tabs.set(name, tab)
    return writer
  }
  const tabs = new Map<string, string>()
  const names = ['ann', 'ben']
  const writers = new Map<string, Writer>()
  for (const name of names) writers.set(name, await open(name))
  const wanted = new Set<string>()
  const expectTruth = (): void => {
    for (const [name, { session, status }] of writers)
      if (status()?.kind === 'saved')
        expect(session.hasUnsaved, `session ${seed}: ${name} is shown "Saved" with words that are not`).toBe(false)
  }
  for (let step = 0; step < 40; step += 1) {
    const name = names[Math.floor(random() * 2)] ?? 'ann'
    const writer = writers.get(name)
    if (writer === undefined) continue
    const what = random()
    if (what < 0.82) {
      const { wrote, deleted = [] } = writer.edit(`w${++made}${name.charAt(0)}`)
      if (wrote !== undefined) wanted.add(wrote)
      for (const word of deleted) wanted.delete(word)
    } else if (what < 0.88) isDown = !isDown
    else if (what < 0.93) writer.session.remoteChanged(server.read().revision)
    else if (what < 0.96) {
      // The tab dies. What is neither on the device nor on the server was never promised.
      crashes += 1
      writer.session.stop()
      alive.delete(tabs.get(name) ?? '')
      const kept = wordsOf([...entries.values()].flatMap((entry) => applyPatch(entry.base.blocks, entry.patch)))
      for (const word of server.read().blocks.length > 0 ? wordsOf(server.read().blocks) : []) kept.add(word)
      for (const word of writer.words()) if (!kept.has(word)) wanted.delete(word)
      writers.set(name, await open(name))
    }
    expectTruth()
    await time.pass(() => false, Math.floor(random() * 8))
    expectTruth()
  }
  isDown = false
  const isDone = (): boolean => {
    const head = server.read()
    return [...writers.values()].every(
      (writer) =>
        !writer.session.hasUnsaved && writer.session.revision === head.revision && writer.status()?.kind === 'saved',
    )
  }
  const ended = await time.pass(() => {
    for (const writer of writers.values()) writer.session.remoteChanged(server.read().revision)
    return isDone()
  })
  const head = server.read()
  expect(ended, `session ${seed} comes to rest`).toBe(true)
  for (const [name, writer] of writers)
    expect(isEqual(writer.blocks(), head.blocks), `session ${seed}: ${name} holds what the server has`).toBe(true)
  const there = wordsOf(head.blocks)
  expect(
    [...wanted].filter((word) => !there.has(word)),
    `session ${seed}: nothing is lost`,
  ).toEqual([])
  return { words: wanted.size, crashes }
}

test(`${sessions} sessions of two writers over a faulty network end equal and lose nothing`, {
  timeout: 30_000 + sessions * 2_000,
}, async () => {
  let words = 0
  let crashes = 0
  for (let seed = 1; seed <= sessions; seed += 1) {
    const ended = await runSession(seed)
    words += ended.words
    crashes += ended.crashes
  }
  expect(words).toBeGreaterThan(sessions * 5)
  console.log(`${sessions} sessions: ${words} words written and kept, ${crashes} tabs died`)
})
