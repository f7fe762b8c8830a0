/** What the client does about a POST whose outcome the server does not know: it asks once more, with the same key. */
import { expect, test } from 'vitest'
import { makeClient } from '../../src/client/client.ts'
import { httpTransport } from '../../src/client/http.ts'

function answering(...answers: [status: number, body: unknown][]) {
  const keys: (string | null)[] = []
  const client = makeClient(
    httpTransport({
      url: 'http://lectern.test',
      fetch: async (_, init) => {
        keys.push(new Headers(init?.headers).get('idempotency-key'))
        const [status, body] = answers.shift() ?? [500, {}]
        return new Response(JSON.stringify(body), { status })
      },
    }),
  )
  return { client, keys }
}

const unknown: [number, unknown] = [503, { error: { code: 503, type: 'outcome_unknown', message: 'Who knows.' } }]

test('repeats it with the key of the first attempt', async () => {
  const { client, keys } = answering(unknown, unknown, [201, { id: 'x' }])
  expect(await client.createOrganization({ body: { title: 'One' } })).toEqual({ id: 'x' })
  expect(keys).toHaveLength(3)
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
  expect(new Set(keys).size).toBe(1)
})

test('each POST has a key of its own, unless it is given one; nothing else has one', async () => {
  const { client, keys } = answering([201, {}], [201, {}], [201, {}], [200, {}])
  await client.createOrganization({ body: { title: 'One' } })
  await client.createOrganization({ body: { title: 'One' } })
  await client.createOrganization({ body: { title: 'One' }, idempotencyKey: 'mine' })
  await client.getAuthenticatedUser()
  expect(new Set(keys.slice(0, 2)).size).toBe(2)
  expect(keys.slice(2)).toEqual(['mine', null])
})

test('what is not a POST is not repeated', async () => {
  const { client, keys } = answering(unknown, [200, {}])
  await expect(client.deleteApiToken({ tokenId: 'x' })).rejects.toMatchObject({ type: 'outcome_unknown' })
  expect(keys).toHaveLength(1)
})
