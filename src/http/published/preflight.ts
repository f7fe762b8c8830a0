/** Browsers ask before a page of another origin speaks to the MCP server of a site. */
import type { ServerResponse } from 'node:http'

export const isMcpPreflight = (method: string | undefined, path: string): boolean =>
  method === 'OPTIONS' && /\/~mcp(?:\/mcp)?$/.test(path)

export function sendPreflight(response: ServerResponse): void {
  response.writeHead(204, {
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'POST, GET, OPTIONS',
    'access-control-allow-headers': 'authorization, content-type, accept, mcp-protocol-version, mcp-session-id',
    'access-control-max-age': '86400',
  })
  response.end()
}
