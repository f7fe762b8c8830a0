/**
 * Two people save the same page of one change request at the same moment, each through a process of their own, again and again
 * with random edits: what one of them wrote is there afterwards, or stands beside the other's version as a conflict that an answer
 * told of. `TWO_WRITER_ROUNDS` makes a longer run.
 */
import { expect, test } from 'vitest'
import { pageRemote } from '../../src/app/saving/remote.ts'
import type { Client } from '../../src/client/client.ts'
import { toText } from '../../src/core/document/text/to-text.ts'
import { makeDocument, paragraph, text } from '../../src/core/document/tree/make.ts'
import type { Block, Paragraph } from '../../src/core/document/tree/nodes.ts'
import { type Random, randomFrom } from '../app/writer.ts'
import { eachBackend } from '../kit/backends.ts'
import { type Running, startProcess } from './process.ts'

const rounds = Number(process.env.TWO_WRITER_ROUNDS ?? 24)
/** Pages grow with every round; a new one is taken after so many. */
const roundsOfAPage = 20

eachBackend((backend) => {
  test(`two writers of one page, ${rounds} times at once: no edit lost, every conflict told`, async () => {
    const place = await backend.make()
    const servers: Running[] = []
    const counts = { merged: 0, conflicts: 0, words: 0 }
    try {
      for (const _ of ['a', 'b']) servers.push(await startProcess({ ...place, env: { LECTERN_RATE_LIMIT: '0' } }))
      const clients = servers.map((server) => server.client())
      const random = randomFrom(7)
      let ground: Ground | undefined
      for (let round = 0; round < rounds; round++) {
        if (!ground || round % roundsOfAPage === 0) ground = await makeGround(clients)
        await saveAtOnce(clients, ground, { round, random, counts })
      }
      for (const server of servers) expect(server.output()).not.toContain('"level":50')
    } finally {
      await Promise.all(servers.map((server) => server.end('SIGTERM')))
      await place.drop()
    }
    console.log(
      `${backend.name}: ${rounds} rounds of two saves at once, ${counts.words} words written, ${counts.merged} saves merged, ` +
        `${counts.conflicts} conflicts told and settled`,
    )
    // Otherwise the saves never crossed, and this has shown nothing.
    expect(counts.merged).toBeGreaterThan(rounds / 4)
    if (rounds >= 200) expect(counts.conflicts).toBeGreaterThan(0)
  }, 3_600_000)
})

interface Ground {
  spaceId: string
  changeRequestId: string
  page: string
  /** The words that must be there. */
  words: Set<string>
}

async function makeGround([client]: readonly Client[]): Promise<Ground> {
  if (!client) throw new Error('There is no client.')
  const organizationId = (await client.listOrganizationsForAuthenticatedUser()).items[0]?.id ?? ''
  const { id: spaceId } = await client.createSpace({ organizationId, body: { title: 'Two writers' } })
  const markdown = ['One', 'Two', 'Three', 'Four'].map((name) => `${name} has a first and a second half.`).join('\n\n')
  const made = await client.updateSpaceContent({
    spaceId,
    body: { changes: [{ operation: 'insert_page', title: 'Page', document: { markdown } }] },
  })
  const [change] = made.changes
  const page = change?.object === 'created_page' ? change.page.id : ''
  const { id: changeRequestId } = await client.createChangeRequest({ spaceId, body: { subject: 'Together' } })
  return { spaceId, changeRequestId, page, words: new Set() }
}

/** Two words typed at one place stand side by side without a space. */
const wordsOf = (blocks: readonly Block[]): Set<string> =>
  new Set(JSON.stringify(blocks, (name, value) => (name === 'key' ? undefined : value)).match(/w\d+[ab]/g) ?? [])

interface Round {
  round: number
  random: Random
  counts: { merged: number; conflicts: number; words: number }
}

async function saveAtOnce(clients: readonly Client[], ground: Ground, { round, random, counts }: Round) {
  const { spaceId, changeRequestId, page, words } = ground
  const read = (client: Client) => pageRemote(client, { space: spaceId, changeRequest: changeRequestId, page }).read()
  const [first, second] = clients
  if (!first || !second) throw new Error('There are two clients.')
  const opened = await read(first)
  const edits = ['a', 'b'].map((name) => edit(opened.blocks, { word: `w${round}${name}`, random }))
  const answers = await Promise.all(
    [first, second].map((client, i) =>
      client.updateChangeRequestContent({
        spaceId,
        changeRequestId,
        query: { compat: false },
        body: {
          changes: [
            { operation: 'update_page', page, base: opened.revision, document: edits[i]?.patch ?? { put: [] } },
          ],
        },
      }),
    ),
  )
  for (const { word, removed } of edits) {
    for (const gone of removed) words.delete(gone)
    words.add(word)
  }
  counts.words += edits.length
  const reported: string[] = []
  for (const answer of answers) {
    if (!('changes' in answer)) throw new Error('A save was answered with something else.')
    for (const change of answer.changes) {
      if (change.object !== 'updated_page') continue
      if (change.merged) counts.merged += 1
      for (const { block } of change.conflicts ?? []) reported.push(block ?? '')
    }
  }
  // Both processes show the same, with every word in it.
  const [seenByFirst, seenBySecond] = await Promise.all([read(first), read(second)])
  expect(seenBySecond).toEqual(seenByFirst)
  const there = wordsOf(seenByFirst.blocks)
  expect([...words].filter((word) => !there.has(word))).toEqual([])
  // A version marked as one of two was told of, and the other way round.
  const marked = seenByFirst.blocks.filter(({ data }) => data && 'conflict' in data)
  expect(marked.length > 0).toBe(reported.length > 0)
  for (const block of reported) {
    counts.conflicts += 1
    await first.updateChangeRequestContent({
      spaceId,
      changeRequestId,
      body: { changes: [{ operation: 'resolve_conflict', page, block, keep: 'both' }] },
    })
  }
  const settled = wordsOf((await read(first)).blocks)
  expect([...words].filter((word) => !settled.has(word))).toEqual([])
}

type Sent = Paragraph & { key: string; [field: string]: unknown }

interface Edit {
  word: string
  /** Words of earlier rounds that went with a paragraph. */
  removed: string[]
  patch: { put: Sent[]; gone?: string[]; order?: string[] }
}

/** Writes a word of its own somewhere: in a paragraph, over a word, where it splits one, as a new one, or in place of one. */
function edit(blocks: readonly Block[], { word, random }: { word: string; random: Random }): Edit {
  const below = (count: number) => Math.floor(random() * count)
  // Near the top, where the other one writes as well.
  const place = below(Math.min(blocks.length, 3))
  const block = blocks[place]
  if (!block) throw new Error('The page is empty.')
  const keys = blocks.map(({ key }) => key ?? '')
  const words = toText(makeDocument([block]))
    .split(/\s+/)
    .filter(Boolean)
  const at = below(words.length + 1)
  const withWords = (texts: readonly string[]): Sent => ({
    ...paragraph([text(texts.join(' '))]),
    key: block.key ?? '',
  })
  const added: Sent = { ...paragraph(`${word} is new.`), key: `${word}-key` }
  const removed: string[] = []
  switch (below(5)) {
    case 0:
      return { word, removed, patch: { put: [withWords(words.toSpliced(at, 0, word))] } }
    case 1: {
      const own = words.findIndex((one) => !/w\d/.test(one))
      return { word, removed, patch: { put: [withWords(words.toSpliced(Math.max(0, own), own < 0 ? 0 : 1, word))] } }
    }
    case 2: {
      const half = { ...withWords([word, ...words.slice(at)]), key: `${word}-half` }
      const order = keys.toSpliced(place + 1, 0, half.key)
      return { word, removed, patch: { put: [withWords(words.slice(0, at)), half], order } }
    }
    case 3:
      return { word, removed, patch: { put: [added], order: keys.toSpliced(place + 1, 0, `${word}-key`) } }
    default: {
      if (blocks.length < 3) return { word, removed, patch: { put: [withWords([...words, word])] } }
      removed.push(...wordsOf([block]))
      const order = keys.toSpliced(place, 1, `${word}-key`)
      return { word, removed, patch: { put: [added], gone: [block.key ?? ''], order } }
    }
  }
}
