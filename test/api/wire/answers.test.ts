/** Answers that are sent again without being worked out again: over real sockets, because they are sent before routing. */
import { beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../../../src/store/database.ts'
import { eachBackend } from '../../kit/backends.ts'
import { makeKit, useKit } from '../../kit/server.ts'

eachBackend((backend) => {
  const kit = useKit(backend)
  let url = ''
  let path = ''
  let spaceId = ''

  beforeAll(async () => {
    url = await kit.server.app.listen({ port: 0, host: '127.0.0.1' })
    const space = await kit.as.admin.createSpace({ organizationId: kit.organization, body: { title: 'First' } })
    spaceId = space.id
    path = `/v1/spaces/${spaceId}`
  })

  const get = (token: string, headers: Record<string, string> = {}, at = path) =>
    fetch(`${url}${at}`, { headers: { authorization: `Bearer ${token}`, ...headers } })

  /** Asked for twice, an answer is kept. */
  const getKept = async (token: string) => {
    await get(token)
    await get(token)
  }

  const titleFor = async (token: string) => ((await (await get(token)).json()) as { title?: string }).title

  test('gives the same answer again, headers and all', async () => {
    const { token } = kit.people.admin
    await get(token)
    const [one, two] = [await get(token), await get(token)]
    expect(await two.text()).toBe(await one.text())
    const without = (response: Response) =>
      Object.fromEntries([...response.headers].filter(([name]) => name !== 'x-request-id' && name !== 'date'))
    expect(without(two)).toEqual(without(one))
    expect(two.headers.get('x-request-id')).not.toBe(one.headers.get('x-request-id'))
    expect((await get(token, { 'x-request-id': 'mine' })).headers.get('x-request-id')).toBe('mine')
    const held = await get(token, { 'if-none-match': one.headers.get('etag') ?? '' })
    expect([held.status, await held.text()]).toEqual([304, ''])
  })

  test('shows a change in the next answer', async () => {
    for (let round = 0; round < 20; round++) {
      await getKept(kit.people.admin.token)
      await kit.as.admin.updateSpaceById({ spaceId, body: { title: `Title ${round}` } })
      expect(await titleFor(kit.people.admin.token)).toBe(`Title ${round}`)
    }
  })

  test('shows what another connection to the database wrote', async () => {
    await getKept(kit.people.admin.token)
    const other = await openDatabase({ location: kit.location })
    await other.run(
      { sql: `update "space" set "title" = 'Elsewhere' where "id" = '${spaceId}'`, name: 'elsewhere' },
      [],
    )
    await other.close()
    expect(await titleFor(kit.people.admin.token)).toBe('Elsewhere')
  })

  test('is for the token it was made for', async () => {
    await getKept(kit.people.admin.token)
    expect((await get(kit.people.stranger.token)).status).toBe(404)
    expect((await fetch(`${url}${path}`)).status).toBe(401)
  })

  test('ends with the token', async () => {
    const person = await kit.addPerson({ email: `leaver@lectern.test`, role: 'admin' })
    const tokens = await kit.client(person.token).listApiTokens()
    await getKept(person.token)
    expect((await get(person.token)).status).toBe(200)
    await kit.client(person.token).deleteApiToken({ tokenId: tokens.items[0]?.id ?? '' })
    if (backend.name === 'postgres') await new Promise((resolve) => setTimeout(resolve, 1000))
    expect((await get(person.token)).status).toBe(401)
  })

  test('counts for metrics and for the limit', async () => {
    const { kit: limited, close } = await makeKit(backend, { rateLimit: 8 })
    const at = await limited.server.app.listen({ port: 0, host: '127.0.0.1' })
    const headers = { authorization: `Bearer ${limited.people.read.token}` }
    const seen = []
    for (let i = 0; i < 10; i++) {
      const { status, headers: answered } = await fetch(`${at}/v1/user`, { headers })
      seen.push([status, answered.get('x-ratelimit-remaining')])
    }
    expect(seen.slice(0, 8)).toEqual([7, 6, 5, 4, 3, 2, 1, 0].map((left) => [200, String(left)]))
    expect(seen.slice(8)).toEqual([
      [429, '0'],
      [429, '0'],
    ])
    const metrics = await limited.metrics()
    expect(metrics).toMatch(
      /lectern_http_request_seconds_count\{surface="api",method="GET",route="\/v1\/user",status="200"\} 8/,
    )
    await close()
  })
})
