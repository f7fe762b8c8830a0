/** What connections to PostgreSQL are set to. */
import { expect, test } from 'vitest'
import { openDatabase } from '../../src/store/database.ts'
import { postgres } from '../kit/backends.ts'

test('statements are not compiled, unless the address says so', async () => {
  const place = await postgres.make()
  const jitAt = async (location: string): Promise<unknown> => {
    const db = await openDatabase({ location, poolSize: 1 })
    try {
      return (await db.all({ sql: 'show jit', name: '' }, []))[0]?.jit
    } finally {
      await db.close()
    }
  }
  try {
    expect(await jitAt(place.location)).toBe('off')
    expect(await jitAt(`${place.location}&options=-c%20jit%3Don`)).toBe('on')
  } finally {
    await place.drop()
  }
})
