import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { eachBackend } from '../../kit/backends.ts'
import { scenarios } from '../../kit/scenarios.ts'
import { useKit } from '../../kit/server.ts'

eachBackend((backend) => {
  const kit = useKit(backend)

  // biome-ignore format: a table reads best as one.
  scenarios(kit, 'getAuthenticatedUser', {
    'needs a token':              { as: 'nobody',   answers: 401 },
    'refuses a token of nobody':  { as: 'nobody',   headers: { authorization: 'Bearer lct_wrong' }, answers: 401 },
    'refuses another scheme':     { as: 'nobody',   headers: (k) => ({ authorization: `Basic ${k.people.admin.token}` }), answers: 401 },
    'refuses two tokens':         { as: 'nobody',   headers: (k) => ({ authorization: `Bearer ${k.people.admin.token} ${k.people.read.token}` }), answers: 401 },
    'refuses an empty token':     { as: 'nobody',   headers: { authorization: 'Bearer ' }, answers: 401 },
    'refuses a huge token':       { as: 'nobody',   headers: { authorization: `Bearer ${'x'.repeat(5000)}` }, answers: 401 },
    'takes any case of Bearer':   { as: 'nobody',   headers: (k) => ({ authorization: `bearer ${k.people.read.token}` }), answers: 200 },
    'tells a member who they are':{ as: 'read',     answers: 200, gives: (k) => ({ object: 'user', id: k.people.read.id, email: 'read@lectern.test', displayName: 'read', urls: { location: `http://lectern.test/v1/users/${k.people.read.id}` } }) },
    'tells a disabled member too':{ as: 'disabled', answers: 200 },
  })

  // biome-ignore format: a table reads best as one.
  scenarios(kit, 'getUserById', {
    'needs a token':                     { as: 'nobody',   answers: 401 },
    'hides people of other organizations': { as: 'stranger', answers: 404 },
    'hides colleagues from the disabled':{ as: 'disabled', answers: 404 },
    'has no such user':                  { as: 'admin',    params: { userId: 'nobodyatall000000000' }, answers: 404 },
    'takes no odd id':                   { as: 'admin',    params: { userId: 'a\0b' }, answers: 404 },
    'takes no huge id':                  { as: 'admin',    params: { userId: 'x'.repeat(3000) }, answers: 404 },
    'shows a colleague':                 { as: 'guest',    answers: 200, gives: (k) => ({ id: k.people.edit.id }) },
    'shows the caller':                  { as: 'stranger', params: (k) => ({ userId: k.people.stranger.id }), answers: 200 },
  }, { params: (k) => ({ userId: k.people.edit.id }) })

  // biome-ignore format: a table reads best as one.
  scenarios(kit, 'updateAuthenticatedUser', {
    'needs a token':           { as: 'nobody', body: { displayName: 'Ann' }, answers: 401 },
    'needs a name':            { as: 'read', body: {}, answers: 400, field: 'displayName' },
    'takes no blank name':     { as: 'read', body: { displayName: '  ' }, answers: 400, field: 'displayName' },
    'takes no 101st character':{ as: 'read', body: { displayName: 'x'.repeat(101) }, answers: 400, field: 'displayName' },
    'has nothing to do':       { as: 'read', body: { displayName: 'read' }, answers: 200, writes: [] },
    'changes the name only':   { as: 'comment', body: { displayName: ' Äda Byron ', email: 'else@lectern.test' }, answers: 200, writes: ['user', 'event'], gives: (k) => ({ id: k.people.comment.id, displayName: 'Äda Byron', email: 'comment@lectern.test' }) },
  })

  test('whoever changes their name is found by the new one', async () => {
    await kit.as.edit.updateAuthenticatedUser({ body: { displayName: 'Grace Hopper' } })
    const organizationId = kit.organization
    const found = await kit.as.admin.listMembersInOrganizationById({ organizationId, query: { search: 'grace' } })
    expect(found.items.map(({ user }) => user.displayName)).toEqual(['Grace Hopper'])
    await kit.as.edit.updateAuthenticatedUser({ body: { displayName: 'edit' } })
  })

  // biome-ignore format: a table reads best as one.
  scenarios(kit, 'createApiToken', {
    'needs a token':            { as: 'nobody', body: { label: 'ci' }, answers: 401 },
    'needs a body':             { as: 'read', answers: 400, field: '' },
    'needs a label':            { as: 'read', body: {}, answers: 400, field: 'label' },
    'takes no number':          { as: 'read', body: { label: 7 }, answers: 400, field: 'label' },
    'takes no empty label':     { as: 'read', body: { label: '' }, answers: 400, field: 'label' },
    'takes no 51st character':  { as: 'read', body: { label: 'x'.repeat(51) }, answers: 400, field: 'label' },
    'takes fifty':              { as: 'read', body: { label: 'x'.repeat(50) }, answers: 201, writes: ['apiToken'] },
    'makes one':                { as: 'read', body: { label: 'ci', id: 'mine', token: 'mine', admin: true }, answers: 201, writes: ['apiToken'], gives: (_, body) => { expect(body.token).toMatch(/^lct_[\w-]{43}$/); return { object: 'api-token', label: 'ci' } } },
  })

  // biome-ignore format: a table reads best as one.
  scenarios(kit, 'listApiTokens', {
    'needs a token':     { as: 'nobody', answers: 401 },
    'takes no limit 0':  { as: 'read', query: { limit: 0 }, answers: 400, field: 'limit' },
    'shows no secrets':  { as: 'read', answers: 200, gives: (k, body) => { expect(JSON.stringify(body)).not.toContain('lct_'); expect(JSON.stringify(body)).not.toContain(k.env.hashSecret(k.people.read.token)); return undefined } },
  })

  // biome-ignore format: a table reads best as one.
  scenarios(kit, 'deleteApiToken', {
    'needs a token':                 { as: 'nobody', params: { tokenId: 'x' }, answers: 401 },
    'has nothing to do':             { as: 'read', params: { tokenId: 'none' }, answers: 204, writes: [] },
    'has nothing to do for odd ids': { as: 'read', params: { tokenId: 'a\0b' }, answers: 204, writes: [] },
    'leaves others’ tokens alone':   { as: 'read', given: async (k) => ({ params: { tokenId: (await k.as.edit.createApiToken({ body: { label: 'theirs' } })).id } }), answers: 204, writes: [] },
    'revokes one':                   { as: 'read', given: async (k) => ({ params: { tokenId: (await k.as.read.createApiToken({ body: { label: 'mine' } })).id } }), answers: 204, writes: ['apiToken'] },
  })

  describe('a token', () => {
    test('works until it is revoked, and not a second longer', async () => {
      const made = await kit.as.comment.createApiToken({ body: { label: 'short' } })
      const client = kit.client(made.token)
      expect((await client.getAuthenticatedUser()).id).toBe(kit.people.comment.id)
      await client.deleteApiToken({ tokenId: made.id })
      await sleep(600)
      await expect(client.getAuthenticatedUser()).rejects.toMatchObject({ status: 401, type: 'unauthenticated' })
    })
  })
})
