/** More work than the process can do: newcomers are told so, a lone client never is. */
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { WriteQueue } from '../../../src/http/edge/overload.ts'
import { eachBackend, sqlite } from '../../kit/backends.ts'
import { useKit } from '../../kit/server.ts'

describe('an event loop that is late', () => {
  const kit = useKit(sqlite, { delayLimit: 100 })
  const get = (url: string) => kit.request({ as: 'read', method: 'GET', url })
  const getMany = () => Promise.all(Array.from({ length: 12 }, () => get('/v1/user')))
  /** Holds the loop up, as a starved machine does. */
  const hold = async () => {
    const end = Date.now() + 300
    while (Date.now() < end);
    await sleep(10)
  }

  test('refuses some of many, nobody who comes alone, and recovers', async () => {
    const until = Date.now() + 20_000
    let refused = (await getMany()).find((answer) => answer.statusCode !== 200)
    while (!refused && Date.now() < until) {
      await hold()
      // Alone, one after the other, at the worst moment.
      expect((await get('/v1/user')).statusCode).toBe(200)
      refused = (await getMany()).find((answer) => answer.statusCode !== 200)
    }
    expect(refused?.statusCode).toBe(503)
    expect(refused?.json().error.type).toBe('overloaded')
    expect(refused?.headers['retry-after']).toBe('1')
    const watched = await Promise.all([...Array(12)].map((_, i) => get(i % 2 === 0 ? '/healthz' : '/readyz')))
    expect(new Set(watched.map((answer) => answer.statusCode))).toEqual(new Set([200]))
    expect(await kit.metrics()).toMatch(/lectern_http_refused_total\{reason="loop"\} [1-9]/)
    let again = await getMany()
    while (again.some((answer) => answer.statusCode !== 200) && Date.now() < until) {
      await sleep(200)
      again = await getMany()
    }
    expect(again.every((answer) => answer.statusCode === 200)).toBe(true)
  }, 40_000)
})

describe('writes that wait', () => {
  const make = (options: { mostWaiting?: number; longestMilliseconds?: number } = {}) => {
    const time = { now: 0 }
    const queue = new WriteQueue({ ...options, now: () => time.now })
    const waiting: (() => void)[] = []
    const enter = () =>
      queue.wait(
        (begun) =>
          new Promise<void>((resolve) => {
            waiting.push(() => {
              begun()
              resolve()
            })
          }),
      )
    return { time, queue, enter, finishOne: () => waiting.shift()?.() }
  }

  test('are refused when too many wait, with a time that follows from their rate', async () => {
    const { time, queue, enter, finishOne } = make({ mostWaiting: 40, longestMilliseconds: 60_000 })
    const entered = Array.from({ length: 40 }, enter)
    // Four a second, for long enough that the rate is known.
    for (let i = 0; i < 80; i++) {
      time.now += 250
      finishOne()
      entered.push(enter())
    }
    const refusal = await enter().catch((error) => error)
    expect(refusal).toMatchObject({ code: 'overloaded', status: 503 })
    expect(refusal.retryAfter).toBeGreaterThanOrEqual(9)
    expect(refusal.retryAfter).toBeLessThanOrEqual(12)
    for (let i = 0; i < 120; i++) finishOne()
    await Promise.all(entered)
    expect(queue.size).toBe(0)
  })

  test('are refused when the oldest has waited too long, unless they are few', async () => {
    const { time, queue, enter, finishOne } = make({ longestMilliseconds: 1_000 })
    const few = Array.from({ length: 10 }, enter)
    time.now += 60_000
    const more = Array.from({ length: 6 }, enter)
    await expect(enter()).rejects.toMatchObject({ code: 'overloaded' })
    for (let i = 0; i < 16; i++) finishOne()
    await Promise.all([...few, ...more])
    const later = enter()
    finishOne()
    await later
    expect(queue.size).toBe(0)
  })

  test('leave when they fail before they began', async () => {
    const { queue } = make()
    await expect(queue.wait(() => Promise.reject(new Error('away')))).rejects.toThrow('away')
    expect(queue.size).toBe(0)
  })
})

eachBackend((backend) => {
  const kit = useKit(backend)

  test('many writers at once: each is done or told to come again, and the loop is never held for long', async () => {
    const { organization } = kit
    let longest = 0
    let isDone = false
    const watching = (async () => {
      while (!isDone) {
        const asked = performance.now()
        expect((await kit.request({ method: 'GET', url: '/healthz' })).statusCode).toBe(200)
        longest = Math.max(longest, performance.now() - asked)
        await sleep(5)
      }
    })()
    const put = (_: unknown, i: number) =>
      kit.call('admin', 'createOrganizationTeam', { organizationId: organization, body: { title: `Team ${i}` } })
    const began = performance.now()
    const answers = await Promise.all(Array.from({ length: 1_100 }, put))
    const whole = performance.now() - began
    isDone = true
    await watching
    const statuses = answers.map((answer) => answer.status)
    const made = statuses.filter((status) => status === 201).length
    expect(new Set(statuses)).toEqual(new Set(made === 1_100 ? [201] : [201, 503]))
    for (const { status, headers } of answers)
      if (status === 503) expect(Number(headers['retry-after'])).toBeGreaterThan(0)
    const { count } = await kit.as.admin.listTeamsInOrganizationById({ organizationId: organization })
    expect(count).toBe(made)
    expect(made).toBeGreaterThanOrEqual(1_000)
    // Before, one turn of the loop worked off the whole queue.
    expect(longest).toBeLessThan(whole * 0.75)
  }, 120_000)
})
