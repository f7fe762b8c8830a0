/** What happened is told once: every write notes an event, which the audit log shows with who, what, from where and by which key. */
import { describe, expect, test } from 'vitest'
import { operations } from '../../src/contract/index.ts'
import { isRead } from '../../src/contract/operation.ts'
import type { Database } from '../../src/store/database.ts'
import { eachBackend } from '../kit/backends.ts'
import { notNoted } from '../kit/not-noted.ts'
import { type Kit, useKit } from '../kit/server.ts'
import { inputFor } from './fixtures.ts'

const writing = operations.filter(([, row]) => !isRead(row))

const eventsIn = async (db: Database) =>
  (await db.all({ sql: 'select * from "event" order by "xact", "seq"', name: 'test_events' }, [])) as Record<
    string,
    string | number | null
  >[]

/** Where the input that merely succeeds changes nothing: a body that does. */
const bodies: Record<string, unknown> = {
  updateTranslation: {
    instructions: {
      object: 'document',
      data: {},
      nodes: [
        {
          object: 'block',
          type: 'paragraph',
          isVoid: false,
          data: {},
          nodes: [{ object: 'text', leaves: [{ object: 'leaf', text: 'Be brief.', marks: [] }] }],
        },
      ],
    },
  },
  updateSpaceById: { title: 'Renamed' },
  updateChangeRequestById: { subject: 'Renamed' },
  updateMemberInOrganizationById: { role: 'edit' },
  updateSiteById: { title: 'Renamed' },
  updateSitePublishingAuthById: { backend: 'custom', fallbackURL: 'https://example.org/sign-in' },
  updateSiteShareLinkById: { active: false },
  updateSiteSectionById: { title: 'Renamed' },
  updateSiteSpaceById: { path: 'renamed' },
  updateSiteSectionGroupById: { title: 'Renamed' },
  updateMembersInOrganizationTeam: { add: ['read@lectern.test'] },
}

/** What must be there before, for the operation to have something to do. */
const given: Record<string, (kit: Kit, params: Record<string, string>) => Promise<unknown>> = {
  deleteApiToken: async (kit, params) => {
    params.tokenId = (await kit.as.admin.createApiToken({ body: { label: 'To go' } })).id
  },
  updateChangeRequest: (kit, { spaceId = '' }) =>
    kit.as.admin.updateSpaceContent({
      spaceId,
      body: { changes: [{ operation: 'insert_page', title: 'Main', document: { markdown: 'Main.' } }] },
    }),
  moveSiteSection: (kit, site) => addSection(kit, site),
  moveSiteSpace: async (kit, { organizationId = '', siteId = '' }) =>
    kit.as.admin.addSpaceToSite({ organizationId, siteId, body: { spaceId: await newSpace(kit) } }),
  moveSiteSectionGroup: (kit, site) => addSection(kit, site),
  sortSiteStructure: (kit, site) => addSection(kit, site),
  deleteSiteSpaceCustomizationById: (kit, { organizationId = '', siteId = '', siteSpaceId = '' }) =>
    kit.as.admin.overrideSiteSpaceCustomizationById({
      ...{ organizationId, siteId, siteSpaceId },
      body: { pdf: { enabled: true } },
    }),
}

const newSpace = async (kit: Kit): Promise<string> =>
  (await kit.as.admin.createSpace({ organizationId: kit.organization, body: { title: 'Other' } })).id

const addSection = async (kit: Kit, { organizationId = '', siteId = '' }: Record<string, string>) =>
  kit.as.admin.addSectionToSite({ organizationId, siteId, body: { spaceId: await newSpace(kit) } })

eachBackend((backend) => {
  const kit = useKit(backend)

  describe('every writing operation notes an event', () => {
    for (const [name, operation] of writing) {
      test(name, async () => {
        const { params, query, body, headers } = await inputFor(kit, name, operation)
        await given[name]?.(kit, params)
        const before = new Set((await eventsIn(kit.db)).map((event) => event.id))
        // Whoever joins is somebody who is not in yet.
        const as = name === 'joinOrganizationWithInvite' ? 'edit' : 'admin'
        const { status } = await kit.call(as, name, { ...params, query, body: bodies[name] ?? body }, headers)
        expect(status).toBeLessThan(300)
        const events = (await eventsIn(kit.db)).filter((event) => !before.has(event.id))
        if (name in notNoted) return expect(events).toEqual([])
        expect(events.length).toBeGreaterThan(0)
        for (const event of events) {
          expect(event).toMatchObject({
            // Whoever signs in acts by the session that they get.
            ...(name === 'createSession'
              ? { credentialKind: 'session' }
              : { actorId: kit.people[as].id, credentialKind: 'token' }),
            address: '127.0.0.1',
          })
          expect(event.credentialId).not.toBeNull()
        }
      })
    }

    test('and no other stands on the list of those that do not', () => {
      expect(Object.keys(notNoted).filter((name) => !writing.some(([known]) => known === name))).toEqual([])
    })
  })

  describe('the audit log', () => {
    const log = async (action: string, target: string) => {
      const { items } = await kit.as.admin.listOrganizationAuditEvents({
        organizationId: kit.organization,
        query: { action, target },
      })
      return items[0]
    }

    test('tells access before and after, from which address and by which credential', async () => {
      const organizationId = kit.organization
      const person = await kit.addPerson({ email: 'promoted@lectern.test', role: 'read' })
      await kit.as.admin.updateMemberInOrganizationById({ organizationId, userId: person.id, body: { role: 'edit' } })
      const { items: tokens } = await kit.as.admin.listApiTokens({})
      expect(await log('member_updated', person.id)).toMatchObject({
        actor: { id: kit.people.admin.id },
        target: { type: 'member', id: person.id },
        credential: { type: 'token', id: expect.stringMatching(new RegExp(tokens.map(({ id }) => id).join('|'))) },
        address: '127.0.0.1',
        data: { before: { role: 'read' }, after: { role: 'edit' } },
      })
      const { id: spaceId } = await kit.as.admin.createSpace({ organizationId, body: { title: 'Shared' } })
      await kit.as.admin.inviteToSpace({ spaceId, body: { role: 'read', users: [person.id] } })
      await kit.as.admin.updateUserPermissionInSpace({ spaceId, userId: person.id, body: { role: 'edit' } })
      expect(await log('space_permissions_updated', spaceId)).toMatchObject({
        data: { grants: [{ user: person.id, before: 'read', after: 'edit' }] },
      })
      await kit.as.admin.updateSpaceById({ spaceId, body: { defaultLevel: 'edit' } })
      expect(await log('space_updated', spaceId)).toMatchObject({
        data: { before: { defaultLevel: 'inherit' }, after: { defaultLevel: 'edit' } },
      })
      await kit.as.admin.deleteSpaceById({ spaceId })
      expect(await log('space_deleted', spaceId)).toMatchObject({ data: { title: 'Shared' } })
    })
  })
})
