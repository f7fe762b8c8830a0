/**
 * `~mcp`: the site for assistants, by the Model Context Protocol over streamable HTTP. Each request stands for itself; no
 * session is kept. What they search and read is what this visitor sees.
 */
import { createMcpHandler, type McpHttpHandler, McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { decodeSegment } from '../../../core/url-paths.ts'
import { absolute } from '../addresses.ts'
import { type Profile, profileOf } from '../profile.ts'
import { searchPages } from '../search.ts'
import type { Answered, Asked, Visiting } from '../visiting.ts'
import { markdownOf, pageAt } from './markdown.ts'
import { nothingHere } from './text-answer.ts'

const mostResults = 20
/** An answer that takes longer is cut off: nothing here waits for anything. */
const longestMilliseconds = 10_000

export async function answerMcp(visiting: Visiting, { method, json, path }: Asked): Promise<Answered> {
  const profile = await profileOf(visiting)
  const isHere = path.length === 1 || (path.length === 2 && path[1] === 'mcp')
  if (!profile.forAgents || !isHere) return nothingHere
  if (method !== 'POST' || json === undefined) return onlyPosts
  const handler = createMcpHandler(() => serverOf(visiting, profile), {
    // Streams of what changes would never end; who wants to know asks again.
    maxSubscriptions: 0,
    keepAliveMs: 0,
  })
  try {
    return await answerOf(handler, visiting, json)
  } finally {
    await handler.close()
  }
}

/** Pages of other origins may ask too: they are let in by the token they send, never by a cookie. */
const forAllOrigins = { 'access-control-allow-origin': '*' } as const

const onlyPosts: Answered = {
  status: 405,
  headers: { allow: 'POST', 'content-type': 'text/plain; charset=utf-8', ...forAllOrigins },
  body: 'This address speaks the Model Context Protocol: send it JSON by POST.\n',
  lasts: 'never',
}

async function answerOf(
  handler: McpHttpHandler,
  { site }: { site: Pick<Visiting['site'], 'root'> },
  json: NonNullable<Asked['json']>,
): Promise<Answered> {
  const signal = AbortSignal.timeout(longestMilliseconds)
  const request = new Request(`${site.root}/~mcp`, { method: 'POST', headers: json.headers, body: json.text, signal })
  const response = await handler.fetch(request)
  return {
    status: response.status,
    headers: { 'content-type': response.headers.get('content-type') ?? 'application/json', ...forAllOrigins },
    body: await response.text(),
    lasts: 'never',
  }
}

/** A first question, asked by nobody: what the library makes only when it is asked is made before a client waits for it. */
export async function prepareMcp(): Promise<void> {
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: 'None', version: '1.0.0' })
    server.registerTool('none', { inputSchema: z.object({ page: z.string() }) }, () => textOf(''))
    return server
  })
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'none', arguments: { page: '' } } }
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  const site = { root: 'http://localhost' }
  await answerOf(handler, { site }, { headers, text: JSON.stringify(call) })
  await handler.close()
}

function serverOf(visiting: Visiting, profile: Profile): McpServer {
  const { site } = visiting
  const server = new McpServer(
    { name: profile.title, version: '1.0.0' },
    { instructions: `Searches and reads the documentation "${profile.title}" at ${site.root}.` },
  )
  server.registerTool(
    'search',
    {
      title: 'Search',
      description: `Finds pages of ${profile.title} by the words they contain.`,
      inputSchema: z.object({
        query: z.string().min(1).max(200).describe('Words to look for.'),
        limit: z.number().int().min(1).max(mostResults).default(10).describe('How many pages at most.'),
      }),
      annotations: { readOnlyHint: true },
    },
    async ({ query, limit }) => {
      const found = await searchPages(visiting, query, limit)
      const results = found.map((page) => ({
        title: page.title.join(''),
        url: absolute(site.root, site.basePath, page.href),
        text: [page.snippet, ...page.sections.map((section) => section.snippet)]
          .map((snippet) => snippet.join(''))
          .filter((text) => text !== '')
          .join('\n'),
      }))
      return textOf(results.length === 0 ? 'Nothing was found.' : JSON.stringify(results, null, 2))
    },
  )
  server.registerTool(
    'read_page',
    {
      title: 'Read a page',
      description: `Reads one page of ${profile.title} as Markdown.`,
      inputSchema: z.object({
        page: z.string().max(2048).describe('Its address, or its path on the site. Empty for the first page.'),
      }),
      annotations: { readOnlyHint: true },
    },
    async ({ page }) => {
      const found = await pageAt(visiting, profile, pathOf(visiting, page))
      if (!found) return { ...textOf('There is no such page.'), isError: true }
      return textOf(await markdownOf(visiting, { profile, ...found }))
    },
  )
  return server
}

const textOf = (text: string) => ({ content: [{ type: 'text' as const, text }] })

/** The path on the site, from whatever names a page: an address, a path, either as Markdown. */
function pathOf({ site }: Visiting, named: string): string[] {
  const plain = named.replace(/[?#].*$/, '').replace(/\.md$/, '')
  const below = plain.startsWith(site.root)
    ? plain.slice(site.root.length)
    : site.basePath !== '' && (plain === site.basePath || plain.startsWith(`${site.basePath}/`))
      ? plain.slice(site.basePath.length)
      : plain
  return below
    .split('/')
    .filter((segment) => segment !== '')
    .map(decodeSegment)
}
