import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Base } from '../../src/domain/handler.ts'
import { listOfArray } from '../../src/domain/lists.ts'
import { makeSigner } from '../../src/platform/signer.ts'

interface Row {
  id: string
  rank: string
}

/** A page is shown, and then this happens. */
interface Step {
  limit: number
  gone: number[]
  added: string[]
}

const rank = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f')
const steps = fc.array(
  fc.record({ limit: fc.integer({ min: 1, max: 4 }), gone: fc.array(fc.nat(30)), added: fc.array(rank) }),
  { maxLength: 12 },
)
// Of all that a handler is given, a list asks for the signer of its tokens.
const base = { env: { signer: makeSigner({ present: 'a-key', former: [] }) } } as unknown as Base

describe('a list that is at hand as a whole', () => {
  test('shows what was there all the time exactly once, whatever comes and goes during a walk', () => {
    fc.assert(
      fc.property(fc.array(rank), steps, fc.constantFrom('asc' as const, 'desc' as const), (ranks, plan, order) => {
        let serial = 0
        const make = (at: string): Row => ({ id: String(serial++), rank: at })
        let rows = ranks.map(make)
        const list = (limit: number, page?: string) =>
          listOfArray<Row, string>({
            base,
            name: 'law',
            query: { limit, page },
            order,
            rows,
            keyOf: (row) => [row.rank, row.id],
            present: (row) => row.id,
          })
        const first = new Set(rows.map(({ id }) => id))
        const shown: string[] = []
        let page: string | undefined
        const walk = ({ limit, gone, added }: Step): boolean => {
          const { items, next } = list(limit, page)
          expect(items.length).toBeLessThanOrEqual(limit)
          shown.push(...items)
          rows = [...rows.filter((_, index) => !gone.includes(index)), ...added.map(make)]
          page = next?.page
          return page !== undefined
        }
        const ended = plan.some((step) => !walk(step))
        while (!ended && walk({ limit: 3, gone: [], added: [] }));
        expect(new Set(shown).size).toBe(shown.length)
        for (const { id } of rows) if (first.has(id)) expect(shown).toContain(id)
      }),
    )
  })
})
