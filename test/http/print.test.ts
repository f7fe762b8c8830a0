import { describe, expect, it } from 'vitest'
import { printed } from '../../src/http/api/print.ts'
import { etagOf } from '../../src/http/etag.ts'

describe('a large answer', () => {
  const pages = Array.from({ length: 4000 }, (_, i) => ({
    id: `page-${i}`,
    title: `“${i}”\n`,
    pages: Array.from({ length: 40 }, (_, n) => ({ id: `${i}/${n}`, hidden: undefined, layout: { outline: true } })),
  }))

  it('is the same text with the same tag, and others have turns while it is printed', async () => {
    const body = { count: 1, pages }
    let turns = 0
    let isDone = false
    const count = (): void => {
      turns++
      if (!isDone) setImmediate(count)
    }
    setImmediate(count)
    const making = printed(body)
    expect(making).toBeInstanceOf(Promise)
    const print = await making
    isDone = true
    expect(turns).toBeGreaterThan(2)
    const text = JSON.stringify(body)
    expect(String(print.bytes) === text).toBe(true)
    expect(print.etag).toBe(etagOf(text))
    expect(printed(body)).toBe(print)
  })

  it('is told from a small one', () => {
    expect(printed({ pages: pages.slice(0, 10) })).not.toBeInstanceOf(Promise)
  })
})
