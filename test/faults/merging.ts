/** A space whose pages many change requests edit at once, each in a paragraph of its own. */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import type { Client } from '../../src/client/client.ts'

export interface Ground {
  spaceId: string
  pages: string[]
  /** What the paragraphs say now, as far as this test knows. */
  parts: string[]
}

/** `parts` paragraphs on each page, every one with a link to the page beside it. */
export async function makeGround(client: Client, size: { pages: number; parts: number }): Promise<Ground> {
  const organizationId = (await client.listOrganizationsForAuthenticatedUser()).items[0]?.id ?? ''
  const { id: spaceId } = await client.createSpace({ organizationId, body: { title: 'Ground' } })
  const parts = Array.from({ length: size.parts }, (_, part) => `Part ${part} stands as it was.`)
  const titles = Array.from({ length: size.pages }, (_, page) => `Page ${page}`)
  const made = await client.updateSpaceContent({
    spaceId,
    body: {
      changes: titles.map((title) => ({ operation: 'insert_page', title, document: { markdown: parts.join('\n\n') } })),
    },
  })
  const pages = made.changes.flatMap((change) => (change.object === 'created_page' ? [change.page.id] : []))
  return { spaceId, pages, parts }
}

/** A change request that puts a word of its own into one paragraph of every page, and links from there. */
export async function propose(client: Client, ground: Ground, { part, word }: { part: number; word: string }) {
  const { spaceId, pages } = ground
  const { id, number } = await client.createChangeRequest({ spaceId, body: { subject: word } })
  const text = `Part ${part} says [${word}](/pages/${pages[0]}) now.`
  const parts = ground.parts.map((old, place) => (place === part ? text : old))
  await client.updateChangeRequestContent({
    spaceId,
    changeRequestId: id,
    body: {
      changes: pages.map((page) => ({
        operation: 'update_page',
        page,
        document: { markdown: parts.join('\n\n') },
      })),
    },
  })
  return { id, number, part, word, text }
}

/** The words that stand on every page of main; a word that stands on some pages only is a merge torn apart. */
export async function wordsInMain(client: Client, { spaceId, pages }: Ground, words: readonly string[]) {
  const texts: string[] = []
  for (const pageId of pages) {
    const page = await client.getPageById({ spaceId, pageId, query: { format: 'markdown' } })
    texts.push('markdown' in page ? String(page.markdown) : '')
  }
  return words.filter((word) => {
    const count = texts.filter((text) => text.includes(`[${word}]`)).length
    expect([0, pages.length], `pages with ${word}`).toContain(count)
    return count > 0
  })
}

/** From main back to the first revision, by first parents. */
export async function historyOf(client: Client, spaceId: string): Promise<string[]> {
  const line: string[] = []
  let id: string | undefined = (await client.getSpaceById({ spaceId })).revision
  while (id !== undefined) {
    line.push(id)
    id = (await client.getRevisionById({ spaceId, revisionId: id })).parents[0]
  }
  return line
}

const main = fileURLToPath(new URL('../../bin/lectern.js', import.meta.url))

/** What `lectern check --content` has to say against the database. */
export async function problemsIn({ location, folder }: { location: string; folder: string }): Promise<string[]> {
  const env = { PATH: process.env.PATH, DATABASE_URL: location, LECTERN_DATA: folder }
  const child = spawn(process.execPath, [main, 'check', '--content', '--json'], { env })
  let [out, err] = ['', '']
  child.stdout.on('data', (bytes) => (out += bytes))
  child.stderr.on('data', (bytes) => (err += bytes))
  await new Promise((resolve) => child.once('close', resolve))
  if (!out.startsWith('{')) throw new Error(`lectern check failed: ${err}`)
  return JSON.parse(out).problems
}
