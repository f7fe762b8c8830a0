/** Spaces and sites for the tests of sites: each test works on its own. */

import { type Client, makeClient } from '../../../src/client/client.ts'
import { inProcessTransport } from '../../../src/client/in-process.ts'
import type { Base } from '../../../src/domain/handler.ts'
import { visitorActor } from '../../../src/domain/sites/access/visitors.ts'
import { resolveUrl } from '../../../src/domain/sites/reading/resolve.ts'
import type { Kit } from '../../kit/server.ts'

let serial = 0

export interface PageGiven {
  title: string
  markdown?: string
  condition?: string
}

export async function makeSpace(kit: Kit, title: string, pages: readonly PageGiven[] = [{ title: 'Start' }]) {
  const space = await kit.as.admin.createSpace({ organizationId: kit.organization, body: { title } })
  const changes = pages.map(({ title, markdown = 'Words.', condition }) => ({
    operation: 'insert_page' as const,
    title,
    document: { markdown },
    ...(condition === undefined ? {} : { condition }),
  }))
  if (changes.length > 0) await kit.as.admin.updateSpaceContent({ spaceId: space.id, body: { changes } })
  return space.id
}

/** A space of the stranger's organization. */
export const foreignSpace = async (kit: Kit): Promise<string> =>
  (await kit.as.stranger.createSpace({ organizationId: kit.otherOrganization, body: { title: 'Foreign' } })).id

export type SiteParams = { organizationId: string; siteId: string }

export async function makeSite(
  kit: Kit,
  given: { spaces?: string[]; title?: string; visibility?: 'public' | 'unlisted' | 'share-link' | 'visitor-auth' } = {},
): Promise<SiteParams> {
  const body = { title: given.title ?? `Site ${++serial}`, ...given }
  const site = await kit.as.admin.createSite({ organizationId: kit.organization, body })
  return { organizationId: kit.organization, siteId: site.id }
}

export async function published(kit: Kit, given: Parameters<typeof makeSite>[1] = {}): Promise<SiteParams> {
  const site = await makeSite(kit, given)
  await kit.as.admin.publishSite(site)
  return site
}

/** A client for someone who reads a site at an address, and what the address shows them. */
export async function visitAt(
  kit: Kit,
  url: string,
  shown: { jwtToken?: string; unsignedClaims?: Record<string, unknown> } = {},
): Promise<{ client: Client; answer: Awaited<ReturnType<typeof resolveUrl>>['answer'] }> {
  const actor = visitorActor({
    siteId: '',
    organizationId: '',
    spaces: new Set(),
    scope: { visitor: {}, page: {}, space: {} },
  })
  const base: Base = { db: kit.db, slow: kit.db.slow, env: kit.env, actor, now: kit.clock.now().toISOString() }
  const { answer, visit } = await resolveUrl(base, url, shown)
  if (!visit) throw new Error('The visitor was not let in.')
  return { answer, client: makeClient(inProcessTransport(kit.server.runners, visitorActor(visit))) }
}
