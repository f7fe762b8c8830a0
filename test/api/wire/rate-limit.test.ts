import { describe, expect, test } from 'vitest'
import { sqlite } from '../../kit/backends.ts'
import { useKit } from '../../kit/server.ts'

describe('the rate limit', () => {
  const kit = useKit(sqlite, { rateLimit: 5 })
  const get = (as: 'read' | 'edit' | 'nobody', headers = {}) =>
    kit.request({ as, method: 'GET', url: `/v1/orgs/${kit.organization}`, headers })

  test('counts down, then answers 429, for each token', async () => {
    for (let left = 4; left >= 0; left--) {
      const { statusCode, headers } = await get('read')
      expect(statusCode).toBe(200)
      expect([Number(headers['x-ratelimit-limit']), Number(headers['x-ratelimit-remaining'])]).toEqual([5, left])
      expect(Number(headers['x-ratelimit-reset'])).toBeGreaterThanOrEqual(Math.floor(Date.now() / 1000))
    }
    const refused = await get('read')
    expect(refused.statusCode).toBe(429)
    expect(refused.json().error.type).toBe('rate_limited')
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60)
    expect(Number(refused.headers['x-ratelimit-remaining'])).toBe(0)
    expect((await get('edit')).statusCode).toBe(200)
  })

  test('is told on refusals too', async () => {
    const bad = await kit.request({
      as: 'comment',
      method: 'PATCH',
      url: `/v1/orgs/${kit.organization}`,
      headers: { 'content-type': 'application/json' },
      payload: '{',
    })
    expect([bad.statusCode, Number(bad.headers['x-ratelimit-limit'])]).toEqual([400, 5])
    expect(Number((await get('nobody')).headers['x-ratelimit-limit'])).toBeGreaterThan(0)
  })

  test('stops guessing, and not the neighbours', async () => {
    let last = 0
    for (let i = 0; i < 610 && last !== 429; i++)
      last = (await get('nobody', { authorization: `Bearer guess${i}` })).statusCode
    expect(last).toBe(429)
    expect((await kit.request({ as: 'review', method: 'GET', url: '/v1/user' })).statusCode).toBe(200)
  })
})

describe('no rate limit', () => {
  const kit = useKit(sqlite, { rateLimit: 0 })

  test('says nothing about one', async () => {
    const { headers } = await kit.request({ as: 'read', method: 'GET', url: '/v1/user' })
    expect(headers['x-ratelimit-limit']).toBeUndefined()
  })
})
