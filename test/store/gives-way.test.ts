/** What is derived gives way: on SQLite, where there is one writer, to those who wait; on PostgreSQL to all that is under way. */
import { describe, expect, test } from 'vitest'
import { derivedPatience } from '../../src/store/engines/postgres.ts'
import { Precedence } from '../../src/store/engines/precedence.ts'
import { commitsBeforeDerived } from '../../src/store/engines/sqlite.ts'
import { postgres, sqlite, useStore } from '../kit/backends.ts'

/** As many as share one commit at most. */
const mostTogether = 128

describe('sqlite', () => {
  const store = useStore(sqlite)

  test('a derived transaction lets those go first that wait, and nobody waits for its commit', async () => {
    const seen: string[] = []
    const begin = (name: string) => async () => void seen.push(`${name} begins`)
    const submit = async (name: string, options?: { derived: boolean }) => {
      await store.db.transaction(begin(name), options)
      seen.push(`${name} is committed`)
    }
    await Promise.all([
      submit('step', { derived: true }),
      submit('other step', { derived: true }),
      submit('first'),
      submit('second'),
    ])
    expect(seen).toEqual([
      'first begins',
      'second begins',
      'first is committed',
      'second is committed',
      'step begins',
      'step is committed',
      'other step begins',
      'other step is committed',
    ])
  })

  test('a derived transaction gets its turn where others never stop writing', async () => {
    const most = mostTogether * (commitsBeforeDerived + 1)
    let isStepDone = false
    let others = 0
    const writing: Promise<unknown>[] = []
    // The next one waits before this one is over: there is always somebody who waits.
    const write = (): Promise<unknown> =>
      store.db.transaction(async () => {
        others += 1
        if (!isStepDone && others <= 2 * most) writing.push(write())
      })
    writing.push(write())
    const step = async (): Promise<void> => {
      isStepDone = true
    }
    await store.db.transaction(step, { derived: true })
    const before = others
    while (writing.length > 0) await writing.pop()
    expect(before).toBeGreaterThanOrEqual(commitsBeforeDerived)
    expect(before).toBeLessThanOrEqual(most)
  })
})

describe('postgres', () => {
  const store = useStore(postgres)
  const ask = { name: 'gives_way', sql: 'select 1 as "one"' }

  test('a derived transaction lets those go first that came after it', async () => {
    let isLast = false
    // On a busy machine its patience may end before those that it lets go first.
    for (let attempt = 0; attempt < 20 && !isLast; attempt++) {
      const seen: string[] = []
      const submit = (name: string, options?: { derived: boolean }) =>
        store.db.transaction(async (tx) => {
          await tx.all(ask, [])
          seen.push(name)
        }, options)
      await Promise.all([submit('step', { derived: true }), submit('first'), submit('second'), submit('third')])
      isLast = seen.at(-1) === 'step'
    }
    expect(isLast).toBe(true)
  })

  test('a derived transaction gets its turn where another never ends', async () => {
    const { done, end } = later()
    const other = store.db.transaction(() => done)
    const waited = await store.db.transaction(
      async (tx) => {
        expect(await tx.all(ask, [])).toEqual([{ one: 1 }])
        return tx.waitedForOthers?.()
      },
      { derived: true },
    )
    expect(waited).toBeGreaterThanOrEqual(derivedPatience)
    end()
    await other
  })
})

describe('precedence', () => {
  test('what is derived waits for all that is under way, also for what began meanwhile', async () => {
    const precedence = new Precedence()
    const seen: string[] = []
    const [first, second] = [later(), later()]
    const all = [precedence.first(() => first.done)]
    const waiting = precedence
      .patience(60_000)
      .giveWay()
      .then(() => seen.push('step'))
    all.push(precedence.first(() => second.done))
    for (const { end } of [first, second]) {
      await new Promise(setImmediate)
      seen.push('one ends')
      end()
    }
    await Promise.all([...all, waiting])
    expect(seen).toEqual(['one ends', 'one ends', 'step'])
  })

  test('its patience counts for all of its statements together', async () => {
    const precedence = new Precedence()
    const other = later()
    const underWay = precedence.first(() => other.done)
    const { giveWay, waited } = precedence.patience(20)
    expect(waited()).toBe(0)
    await giveWay()
    expect(waited()).toBeGreaterThanOrEqual(20)
    let isWaiting = true
    const next = giveWay().then(() => {
      isWaiting = false
    })
    await new Promise(setImmediate)
    expect(isWaiting).toBe(false)
    other.end()
    await Promise.all([underWay, next])
  })
})

function later(): { done: Promise<void>; end: () => void } {
  let end = () => {}
  const done = new Promise<void>((resolve) => {
    end = resolve
  })
  return { done, end }
}
