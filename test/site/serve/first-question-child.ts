/** Asks what an assistant asks, after `prepareMcp` if it is told so, and prints how much processor time it took, in milliseconds. */
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { prepareMcp } from '../../../src/site/serve/machines/mcp.ts'

async function ask(): Promise<number> {
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: 'Docs', version: '1.0.0' })
    const inputSchema = z.object({ query: z.string(), limit: z.number().int().default(10) })
    server.registerTool('search', { inputSchema }, ({ query }) => ({ content: [{ type: 'text', text: query }] }))
    return server
  })
  const params = { name: 'search', arguments: { query: 'word' } }
  const request = new Request('http://localhost/~mcp', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  })
  const from = process.cpuUsage()
  const text = await (await handler.fetch(request)).text()
  const { user, system } = process.cpuUsage(from)
  await handler.close()
  if (!text.includes('"word"')) throw new Error(text)
  return (user + system) / 1000
}

if (process.argv[2] === 'prepared') await prepareMcp()
console.log(await ask())
