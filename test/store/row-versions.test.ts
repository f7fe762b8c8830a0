/** Which changes move the versions of which topics, whoever makes them: by statements on the tables themselves. */
import { beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../src/store/database.ts'
import { inserter } from '../../src/store/query.ts'
import { peopleOf } from '../../src/store/row-versions.ts'
import type { Tables } from '../../src/store/tables.ts'
import { eachBackend, useStore } from '../kit/backends.ts'

const at = '2026-01-01T00:00:00.000Z'
const statement = (sql: string) => ({ sql, name: '' })

const organization = (id: string): Tables['organization'] => ({
  ...{ id, title: id, emailDomains: '[]', hostname: null, type: 'business', useCase: null, communityType: null },
  ...{ defaultRole: null, defaultContent: null, logo: null, sso: 0, ai: 0, inviteLinks: 0, createdAt: at },
})
const user = (id: string): Tables['user'] => ({
  ...{ id, displayName: id, email: `${id}@lectern.test`, folded: id, photoURL: null, createdAt: at },
})
const member = (organizationId: string, userId: string): Tables['member'] => ({
  ...{ organizationId, userId, role: 'read', disabled: 0, sso: 0, joinedAt: at, lastSeenAt: null },
})
const space = (id: string, organizationId: string): Tables['space'] => ({
  ...{ id, organizationId, parentId: null, rank: 'a', title: id, emoji: '', editMode: 'live', defaultLevel: 'inherit' },
  ...{ language: null, revisionId: 'r', createdBy: 'ann', createdAt: at, updatedAt: at, deletedAt: null, comments: 0 },
  ...{ changeRequests: 0, changeRequestsOpen: 0, changeRequestsDraft: 0, indexedUpTo: null, gitSync: null },
})
const collection = (id: string, organizationId: string): Tables['collection'] => ({
  ...{ id, organizationId, parentId: null, rank: 'a', title: id, description: null, defaultLevel: null, createdAt: at },
})
const team = (id: string, organizationId: string): Tables['team'] => ({
  ...{ id, organizationId, title: id, folded: id, createdAt: at },
})
const site = (id: string, organizationId: string): Tables['site'] => ({
  ...{ id, organizationId, type: 'site', title: id, folded: id, basename: id, hostname: null, claimedHostname: null },
  ...{
    claimedAt: null,
    proxy: null,
    visibility: 'public',
    published: 1,
    agentsContext: 'excluded',
    adaptiveContent: 0,
  },
  ...{ adaptiveSchema: null, adaptiveUpdatedAt: null, customization: null, visitorKeyVersion: 1, fallbackURL: null },
  ...{ logoutURL: null, createdBy: 'ann', createdAt: at, updatedAt: at },
})
const siteSpace = (id: string, siteId: string, spaceId: string): Tables['siteSpace'] => ({
  ...{ id, siteId, sectionId: null, spaceId, rank: 'a', path: id, condition: null, isDefault: 0, customization: null },
  createdAt: at,
})

const spec: Tables['openapiSpec'] = {
  ...{ id: 'o', organizationId: 'A', slug: 'o', sourceURL: null, sourceBlob: null, visibility: 'private' },
  ...{ processingState: 'pending', lastVersionId: null, lastProcessedAt: null, errorCode: null, errors: null },
  ...{ createdBy: 'ann', createdAt: at, updatedAt: at },
}

/** A change, and the topics that it moves. Each is made on what the ones before it left. */
const changes: Record<string, { sql?: string; row?: (db: Database) => Promise<unknown>; moves: string[] }> = {
  'an organization is renamed': { sql: `update organization set title = 'A' where id = 'A'`, moves: ['A'] },
  'somebody joins': {
    row: (db) => inserter('member')(db, member('A', 'bob')),
    moves: ['A', peopleOf('A')],
  },
  'their role changes': {
    sql: `update member set role = 'edit' where "organizationId" = 'A' and "userId" = 'bob'`,
    moves: ['A', peopleOf('A')],
  },
  'they are shut out': {
    sql: `update member set disabled = 1 where "organizationId" = 'A' and "userId" = 'bob'`,
    moves: ['A', peopleOf('A')],
  },
  'they were seen': {
    sql: `update member set "lastSeenAt" = '${at}' where "organizationId" = 'A' and "userId" = 'bob'`,
    moves: [peopleOf('A')],
  },
  'they have another name': {
    sql: `update "user" set "displayName" = 'Bob' where id = 'bob'`,
    moves: [peopleOf('A'), peopleOf('B')],
  },
  'they leave': {
    sql: `delete from member where "organizationId" = 'A' and "userId" = 'bob'`,
    moves: ['A', peopleOf('A')],
  },
  'a team is made': { row: (db) => inserter('team')(db, team('t', 'A')), moves: ['A', peopleOf('A')] },
  'somebody joins it': {
    row: (db) => inserter('teamMember')(db, { teamId: 't', userId: 'ann', role: 'member', addedAt: at }),
    moves: ['A', peopleOf('A')],
  },
  'they own it': { sql: `update "teamMember" set role = 'owner' where "teamId" = 't'`, moves: ['A', peopleOf('A')] },
  'they leave it': { sql: `delete from "teamMember" where "teamId" = 't'`, moves: ['A', peopleOf('A')] },
  'somebody joins it again': {
    row: (db) => inserter('teamMember')(db, { teamId: 't', userId: 'ann', role: 'owner', addedAt: at }),
    moves: ['A', peopleOf('A')],
  },
  'it goes with its members': { sql: `delete from team where id = 't'`, moves: ['A', peopleOf('A')] },
  'something is given': {
    row: (db) =>
      inserter('accessGrant')(db, {
        ...{ thingKind: 'space', thingId: 's', subjectKind: 'user', subjectId: 'ann', role: 'edit' },
        ...{ organizationId: 'A', createdAt: at },
      }),
    moves: ['A', peopleOf('A')],
  },
  'it is given otherwise': { sql: `update "accessGrant" set role = 'read'`, moves: ['A', peopleOf('A')] },
  'it is taken away': { sql: `delete from "accessGrant"`, moves: ['A', peopleOf('A')] },
  'a collection is made': {
    row: (db) => inserter('collection')(db, collection('c', 'A')),
    moves: ['A', peopleOf('A')],
  },
  'a collection is opened': {
    sql: `update collection set "defaultLevel" = 'read' where id = 'c'`,
    moves: ['A', peopleOf('A')],
  },
  'a space is renamed': { sql: `update space set title = 'S' where id = 's'`, moves: ['s'] },
  'a space has another revision': { sql: `update space set "revisionId" = 'q' where id = 's'`, moves: ['s'] },
  'a space moves': { sql: `update space set "parentId" = 'c' where id = 's'`, moves: ['s', 'A', peopleOf('A')] },
  'a space is opened': {
    sql: `update space set "defaultLevel" = 'read' where id = 's'`,
    moves: ['s', 'A', peopleOf('A')],
  },
  'a space is deleted for now': {
    sql: `update space set "deletedAt" = '${at}' where id = 's'`,
    moves: ['s', 'A', peopleOf('A')],
  },
  'a space goes to another organization': {
    sql: `update space set "organizationId" = 'B', "parentId" = null where id = 's'`,
    moves: ['s', 'A', 'B', peopleOf('A'), peopleOf('B')],
  },
  'a collection goes': { sql: `delete from collection where id = 'c'`, moves: ['A', peopleOf('A')] },
  'a space is made': { row: (db) => inserter('space')(db, space('new', 'A')), moves: ['new', 'A', peopleOf('A')] },
  'a site shows a space': {
    row: (db) => inserter('siteSpace')(db, siteSpace('x', 'w', 'new')),
    moves: ['w', 'new'],
  },
  'it shows another in its stead': { sql: `update "siteSpace" set "spaceId" = 's'`, moves: ['w', 'new', 's'] },
  'the site is renamed': { sql: `update site set title = 'W' where id = 'w'`, moves: ['w', 's'] },
  'it has a section': {
    row: (db) =>
      inserter('siteSection')(db, {
        ...{ id: 'y', siteId: 'w', groupId: null, rank: 'a', title: 'y', description: null, icon: null, path: 'y' },
        ...{ condition: null, isDefault: 0, createdAt: at },
      }),
    moves: ['w', 's'],
  },
  'the section has another path': { sql: `update "siteSection" set path = 'z'`, moves: ['w', 's'] },
  'it has a group': {
    row: (db) => inserter('siteSectionGroup')(db, { id: 'g', siteId: 'w', rank: 'a', title: 'g', icon: null }),
    moves: ['w'],
  },
  'the group has another title': { sql: `update "siteSectionGroup" set title = 'h'`, moves: ['w'] },
  'the group goes': { sql: `delete from "siteSectionGroup"`, moves: ['w'] },
  'the site goes with its parts': { sql: `delete from site where id = 'w'`, moves: ['w', 's'] },
  'a spec comes': {
    row: (db) => inserter('openapiSpec')(db, spec),
    moves: ['A'],
  },
  'a spec has another version': { sql: `update "openapiSpec" set "updatedAt" = 'later'`, moves: ['A'] },
  'a spec goes': { sql: `delete from "openapiSpec"`, moves: ['A'] },
  'a space goes': { sql: `delete from space where id = 'new'`, moves: ['new', 'A', peopleOf('A')] },
  'an organization goes with its members': {
    sql: `delete from organization where id = 'B'`,
    moves: ['B', peopleOf('B'), 's'],
  },
}

eachBackend((backend) => {
  describe('versions', () => {
    const store = useStore(backend)
    const versions = async (): Promise<Map<string, unknown>> => {
      const rows = await store.db.all(statement('select topic, version from "rowVersion"'), [])
      return new Map(rows.map(({ topic, version }) => [String(topic), version]))
    }

    beforeAll(async () => {
      const { db } = store
      for (const id of ['ann', 'bob']) await inserter('user')(db, user(id))
      for (const id of ['A', 'B']) await inserter('organization')(db, organization(id))
      await inserter('member')(db, member('A', 'ann'))
      await inserter('member')(db, member('B', 'bob'))
      await inserter('space')(db, space('s', 'A'))
      await inserter('site')(db, site('w', 'A'))
    })

    for (const [name, { sql, row, moves }] of Object.entries(changes))
      test(`move when ${name}`, async () => {
        const before = await versions()
        await (row ? row(store.db) : store.db.run(statement(sql ?? ''), []))
        const after = await versions()
        expect([...after].flatMap(([topic, version]) => (before.get(topic) === version ? [] : [topic])).sort()).toEqual(
          [...moves].sort(),
        )
      })
  })
})
