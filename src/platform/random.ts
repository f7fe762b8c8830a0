/** Randomness: ids and secrets. */
import { createHash, randomBytes } from 'node:crypto'
import { idBytes, idFromBytes } from '../core/ids.ts'

export function newId(): string {
  for (;;) {
    const id = idFromBytes(randomBytes(idBytes))
    if (id !== null) return id
  }
}

/** 256 random bits, in a form that can stand in a URL. */
export const newSecret = (): string => randomBytes(32).toString('base64url')

export const newToken = (): string => `lct_${newSecret()}`

/** The form in which secrets are kept: who reads the database cannot use them. */
export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('base64url')
