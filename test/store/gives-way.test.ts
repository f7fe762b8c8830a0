/** What is derived gives way on SQLite, where there is one writer: counted in transactions, not by the clock. */
import { expect, test } from 'vitest'
import { commitsBeforeDerived } from '../../src/store/engines/sqlite.ts'
import { sqlite, useStore } from '../kit/backends.ts'

const store = useStore(sqlite)

/** As many as share one commit at most. */
const mostTogether = 128

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
  expect(before).toBeGreaterThan(commitsBeforeDerived)
  expect(before).toBeLessThanOrEqual(most)
})
