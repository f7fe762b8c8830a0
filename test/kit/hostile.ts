/** Pages made to hold up a server: what they are made of costs the most where it is read, checked, written or drawn. */

import { once } from 'node:events'
import { createServer } from 'node:http'

const times = (count: number, make: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => make(index)).join('')

export const hostilePages: Readonly<Record<string, string>> = {
  formulas: times(20_000, (i) => `$$x_{${i}}^2 + \\frac{1}{${i}}$$ `),
  'a table': `| a | b | c |\n|---|---|---|\n${times(2_000, (i) => `| ${i} | **two** | \`three\` |\n`)}`,
  embeds: times(3_000, (i) => `{% embed url="https://www.youtube.com/watch?v=aaaaaaaa${i}" %}\n\n`),
  'long lines': times(10, (i) => `${`word${i} *stress* `.repeat(2_000)}\n\n`),
  code: times(400, (i) => `\`\`\`js\n${`const a${i} = { b: "c" } // d\n`.repeat(40)}\`\`\`\n\n`),
}

/** The ways to such a page, in an order in which each finds what it needs; each answers the status. */
export function waysTo(server: Reached): Record<string, () => Promise<number>> {
  const { markdown, spaceId, pageId, site } = server
  const space = `${server.url}/v1/spaces/${spaceId}`
  const page = `${space}/content/page/${pageId}`
  const headers = { authorization: `Bearer ${server.token}` }
  const read = async (url: string, init: RequestInit = {}): Promise<number> => {
    const response = await fetch(
      url,
      url.startsWith(site) ? init : { ...init, headers: { ...headers, ...init.headers } },
    )
    await response.arrayBuffer()
    return response.status
  }
  const send = (url: string, body: unknown): Promise<number> =>
    read(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
  const edit = (document: object) => ({ changes: [{ operation: 'update_page', page: pageId, document }] })
  const json = async (url: string): Promise<Record<string, unknown>> =>
    (await fetch(url, { headers })).json() as Promise<Record<string, unknown>>
  let change = ''
  return {
    'written as Markdown': () => send(`${space}/content`, edit({ markdown })),
    'read on the site': () => read(`${site}/hostile`),
    'read on the site as Markdown': () => read(`${site}/hostile.md`),
    'read with all pages of the site': () => read(`${site}/llms-full.txt`),
    'read as a document': () => read(`${page}?format=document`),
    'read as Markdown': () => read(`${page}?format=markdown`),
    'asked for its links': () => read(`${page}/links`),
    'written as a document': async () => {
      const { document } = (await json(`${page}?format=document`)) as { document: { nodes: unknown[] } }
      const leaves = [{ object: 'leaf', text: 'Another.', marks: [] }]
      const last = { object: 'block', type: 'paragraph', nodes: [{ object: 'text', leaves }] }
      return send(`${space}/content`, edit({ document: { ...document, nodes: [...document.nodes, last] } }))
    },
    'written in a change request': async () => {
      const made = await fetch(`${space}/change-requests`, { method: 'POST', headers })
      change = `${space}/change-requests/${((await made.json()) as { id: string }).id}`
      return send(`${change}/content`, edit({ markdown: `${markdown}\n\nOther words.` }))
    },
    'compared block by block': () => read(`${change}/changes?blocks=true`),
    merged: () => send(`${change}/merge`, {}),
    searched: () => read(`${space}/search?query=words`),
    'searched on the site': () => read(`${site}/~search?q=words`),
    'read by an assistant': () =>
      read(`${site}/~mcp`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: 'read_page', arguments: { page: 'hostile' } },
        }),
      }),
    'made into a book': async () => read(String((await json(`${space}/pdf?page=${pageId}&only=true`)).url)),
    imported: async () => {
      const source = await serveText(markdown)
      try {
        return await send(`${space}/content/import`, { url: source.url, source: 'markdown' })
      } finally {
        await source.close()
      }
    },
  }
}

async function serveText(text: string): Promise<{ url: string; close: () => Promise<void> }> {
  const server = createServer((_request, response) => response.setHeader('content-type', 'text/markdown').end(text))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  return {
    url: `http://127.0.0.1:${port}/hostile.md`,
    close: async () => {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

export interface Reached {
  url: string
  token: string
  spaceId: string
  pageId: string
  /** The address of a published site that shows the space, without a slash at its end. */
  site: string
  markdown: string
}

/** A space with a page called “Hostile”, on a published site. */
export async function placeHostile({ url, token }: { url: string; token: string }): Promise<Omit<Reached, 'markdown'>> {
  const call = async <Of>(method: string, path: string, body?: unknown): Promise<Of> => {
    const response = await fetch(`${url}/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`)
    return response.json() as Promise<Of>
  }
  const { items } = await call<{ items: { id: string }[] }>('GET', '/orgs')
  const O = `/orgs/${items[0]?.id}`
  const { id: spaceId } = await call<{ id: string }>('POST', `${O}/spaces`, { title: 'Space' })
  const insert = (title: string) => ({ operation: 'insert_page', title, document: { markdown: 'Words.' } })
  await call('POST', `/spaces/${spaceId}/content`, { changes: ['Start', 'Hostile'].map(insert) })
  const { pages } = await call<{ pages: { id: string; title: string }[] }>('GET', `/spaces/${spaceId}/content/pages`)
  const pageId = pages.find(({ title }) => title === 'Hostile')?.id ?? ''
  const site = await call<{ id: string }>('POST', `${O}/sites`, { title: 'Site', visibility: 'public' })
  await call('POST', `${O}/sites/${site.id}/site-spaces`, { spaceId })
  const { urls } = await call<{ urls: { published: string } }>('POST', `${O}/sites/${site.id}/publish`)
  const address = urls.published.replace(/\/$/, '')
  await (await fetch(`${address}/start`)).arrayBuffer()
  return { url, token, spaceId, pageId, site: address }
}
