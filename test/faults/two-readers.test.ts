/**
 * What one process has changed and acknowledged, another shows to whoever asks next, however often it was read there before:
 * titles, roles, grants, teams, collections, members and sites. `TWO_READER_ROUNDS` makes a longer run.
 */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { CallFailed, type Client } from '../../src/client/client.ts'
import { eachBackend, type Place } from '../kit/backends.ts'
import { type Running, startProcess } from './process.ts'

const rounds = Number(process.env.TWO_READER_ROUNDS ?? 30)
const main = fileURLToPath(new URL('../../bin/lectern.js', import.meta.url))

eachBackend((backend) => {
  test(`two processes, ${rounds} rounds of changes by one and reads by the other: what was before is never shown`, async () => {
    const place = await backend.make()
    const servers: Running[] = []
    try {
      for (const _ of ['a', 'b']) servers.push(await startProcess({ ...place, env: { LECTERN_RATE_LIMIT: '0' } }))
      const [one, two] = servers
      if (!one || !two) throw new Error('Two processes are running.')
      const { id: userId, token } = await addPerson(place)
      const ground = { userId, ...(await makeGround(one.client())) }
      const readers = watchers(two, ground, token)
      const busy = keepReading(Object.values(readers))
      for (let round = 0; round < rounds; round++)
        for (const [name, change] of Object.entries(changes)) {
          const expected = await change(one.client(), ground, round)
          for (const [what, value] of Object.entries(expected))
            expect({ round, name, [what]: await readers[what as keyof Seen]() }).toEqual({ round, name, [what]: value })
        }
      expect(await busy.stop()).toBeGreaterThan(10 * rounds)
      for (const server of servers) expect(server.output()).not.toContain('"level":50')
    } finally {
      await Promise.all(servers.map((server) => server.end('SIGTERM')))
      await place.drop()
    }
  }, 600_000)
})

interface Ground {
  organizationId: string
  spaceId: string
  collectionId: string
  teamId: string
  siteId: string
  basename: string
  userId: string
}

/** What the person is shown: nothing is null. */
interface Seen {
  title: string | null
  mayEdit: boolean | null
  /** Of them in the list of members, which the admin reads. */
  role: string | null
  siteTitle: string | null
}

type Change = (client: Client, ground: Ground, round: number) => Promise<Partial<Seen>>

/** Each tells what the other process must show from then on. */
const changes: Record<string, Change> = {
  'a role is given': async (client, { spaceId, userId }) => {
    await client.inviteToSpace({ spaceId, body: { role: 'edit', users: [userId] } })
    return { mayEdit: true }
  },
  'the space has another title': async (client, { spaceId }, round) => {
    await client.updateSpaceById({ spaceId, body: { title: `Space ${round}` } })
    return { title: `Space ${round}`, mayEdit: true }
  },
  'the role is a lesser one': async (client, { spaceId, userId }) => {
    await client.updateUserPermissionInSpace({ spaceId, userId, body: { role: 'read' } })
    return { mayEdit: false }
  },
  'the role is taken away': async (client, { spaceId, userId }) => {
    await client.removeUserFromSpace({ spaceId, userId })
    return { mayEdit: null, title: null }
  },
  'they join a team that has one': async (client, { organizationId, teamId, userId }) => {
    await client.addMemberToOrganizationTeamById({ organizationId, teamId, userId, body: {} })
    return { mayEdit: true }
  },
  'they leave it': async (client, { organizationId, teamId, userId }) => {
    await client.deleteMemberFromOrganizationTeamById({ organizationId, teamId, userId })
    return { mayEdit: null }
  },
  'the collection is opened': async (client, { collectionId }) => {
    await client.updateCollectionById({ collectionId, body: { defaultLevel: 'read' } })
    return { mayEdit: false }
  },
  'the collection is closed': async (client, { collectionId }) => {
    await client.updateCollectionById({ collectionId, body: { defaultLevel: null } })
    return { mayEdit: null }
  },
  'they become an admin': async (client, { organizationId, userId }) => {
    await client.updateMemberInOrganizationById({ organizationId, userId, body: { role: 'admin' } })
    return { mayEdit: true, role: 'admin' }
  },
  'they are one no more': async (client, { organizationId, userId }) => {
    await client.updateMemberInOrganizationById({ organizationId, userId, body: { role: 'read' } })
    return { mayEdit: null, role: 'read' }
  },
  'the site has another title': async (client, { organizationId, siteId }, round) => {
    await client.updateSiteById({ organizationId, siteId, body: { title: `Site ${round}` } })
    return { siteTitle: `Site ${round}` }
  },
  'the site is no longer published': async (client, { organizationId, siteId }) => {
    await client.unpublishSite({ organizationId, siteId })
    return { siteTitle: null }
  },
  'the site is published again': async (client, { organizationId, siteId }, round) => {
    await client.publishSite({ organizationId, siteId })
    return { siteTitle: `Site ${round}` }
  },
}

type Watchers = { [What in keyof Seen]: () => Promise<Seen[What]> }

function watchers(
  { url, client }: Running,
  { organizationId, spaceId, userId, basename }: Ground,
  token: string,
): Watchers {
  const [admin, person] = [client(), client(token)]
  const space = () => person.getSpaceById({ spaceId }).catch(nothing)
  return {
    title: async () => (await space())?.title ?? null,
    mayEdit: async () => (await space())?.permissions.edit ?? null,
    role: async () => {
      const { items } = await admin.listMembersInOrganizationById({ organizationId })
      return items.find(({ id }) => id === userId)?.role ?? null
    },
    siteTitle: async () => {
      const response = await fetch(`${url}/sites/${basename}/`)
      const html = await response.text()
      return response.status === 404 ? null : (/Site \d+/.exec(html)?.[0] ?? html)
    },
  }
}

const nothing = (error: unknown): undefined => {
  if (error instanceof CallFailed && error.status === 404) return undefined
  throw error
}

/** Reads without end, so that whatever can be in memory is. */
function keepReading(readers: readonly (() => Promise<unknown>)[]): { stop(): Promise<number> } {
  let isOver = false
  let count = 0
  const loops = readers.map(async (read) => {
    while (!isOver) {
      await read()
      count++
    }
  })
  return {
    stop: async () => {
      isOver = true
      await Promise.all(loops)
      return count
    },
  }
}

async function makeGround(client: Client): Promise<Omit<Ground, 'userId'>> {
  const organizationId = (await client.listOrganizationsForAuthenticatedUser()).items[0]?.id ?? ''
  const { id: collectionId } = await client.createCollection({ organizationId, body: { title: 'Closed' } })
  await client.updateCollectionById({ collectionId, body: { defaultLevel: null } })
  const { id: spaceId } = await client.createSpace({ organizationId, body: { title: 'Space', parent: collectionId } })
  await client.updateSpaceById({ spaceId, body: { defaultLevel: 'inherit' } })
  await client.updateSpaceContent({
    spaceId,
    body: { changes: [{ operation: 'insert_page', title: 'Page', document: { markdown: 'Words.' } }] },
  })
  const { id: teamId } = await client.createOrganizationTeam({ organizationId, body: { title: 'Team' } })
  await client.inviteToSpace({ spaceId, body: { role: 'edit', teams: [teamId] } })
  const site = await client.createSite({ organizationId, body: { title: 'Site 0', spaces: [spaceId] } })
  await client.publishSite({ organizationId, siteId: site.id })
  return { organizationId, spaceId, collectionId, teamId, siteId: site.id, basename: site.basename ?? '' }
}

/** Somebody who may read the organization, with a token. */
async function addPerson({ location, folder }: Place): Promise<{ id: string; token: string }> {
  const env = { PATH: process.env.PATH, DATABASE_URL: location, LECTERN_DATA: folder }
  const args = [main, 'user', 'add', '--email', 'reader@lectern.test', '--role', 'read', '--json']
  const { stdout } = await promisify(execFile)(process.execPath, args, { env })
  const { id, token } = JSON.parse(stdout)
  return { id, token }
}
