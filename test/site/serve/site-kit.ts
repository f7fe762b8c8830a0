/** A published site on a real socket: the kit's server listening, and readers who ask it. */
import type { AddressInfo } from 'node:net'
import { makeSpace, type PageGiven, type SiteParams } from '../../api/site-things.ts'
import type { Kit } from '../../kit/server.ts'

export interface Reading {
  status: number
  headers: Headers
  text: string
}

export type Ask = (path: string, options?: RequestInit & { headers?: Record<string, string> }) => Promise<Reading>

const listening = new WeakMap<object, Promise<string>>()

/** Where the kit's server listens; begun at the first call. */
export function originOf(kit: Kit): Promise<string> {
  const { app } = kit.server
  let known = listening.get(app)
  if (!known) {
    known = app.listen({ port: 0, host: '127.0.0.1' }).then(() => {
      const { port } = app.server.address() as AddressInfo
      return `http://127.0.0.1:${port}`
    })
    listening.set(app, known)
  }
  return known
}

/** Asks for a path of the server, redirects not followed. */
export async function asker(kit: Kit, base = ''): Promise<Ask> {
  const origin = await originOf(kit)
  return async (path, options) => {
    const response = await fetch(`${origin}${base}${path}`, { redirect: 'manual', ...options })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
}

export interface Published extends SiteParams {
  basename: string
  spaceId: string
  base: string
  ask: Ask
}

let serial = 0

/** A site of one space with these pages, published. */
export async function publishedSite(
  kit: Kit,
  pages: readonly PageGiven[],
  given: {
    visibility?: 'public' | 'unlisted' | 'share-link' | 'visitor-auth'
    title?: string
    isPublished?: boolean
  } = {},
): Promise<Published> {
  const spaceId = await makeSpace(kit, given.title ?? 'Manual', pages)
  const { visibility = 'public', title = `Readers ${++serial}`, isPublished = true } = given
  const body = { title, visibility, spaces: [spaceId] }
  const site = await kit.as.admin.createSite({ organizationId: kit.organization, body })
  const params = { organizationId: kit.organization, siteId: site.id }
  if (isPublished) await kit.as.admin.publishSite(params)
  const basename = site.basename ?? ''
  const base = `/sites/${basename}`
  return { ...params, basename, spaceId, base, ask: await asker(kit, base) }
}
