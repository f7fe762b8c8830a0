/** Randomness: ids and secrets. */
import { createHash, randomBytes, randomFillSync } from 'node:crypto'
import { idBytes, idFromBytes } from '../core/ids.ts'

// Asking for random bytes costs the same whether they are few or many.
const pool = Buffer.alloc(4096)
let used = pool.length

export function newId(): string {
  for (;;) {
    if (used + idBytes > pool.length) {
      randomFillSync(pool)
      used = 0
    }
    const id = idFromBytes(pool.subarray(used, used + idBytes))
    used += idBytes
    if (id !== null) return id
  }
}

/** 256 random bits, in a form that can stand in a URL. */
export const newSecret = (): string => randomBytes(32).toString('base64url')

export const newToken = (): string => `lct_${newSecret()}`

/** The form in which secrets are kept: who reads the database cannot use them. */
export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('base64url')
