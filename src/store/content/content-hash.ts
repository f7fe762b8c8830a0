/** The name under which a text is stored, for whoever makes one away from the database too. */
import { hash } from 'node:crypto'

/** 162 bits of SHA-256: nobody finds two texts for one. */
export const contentHash = (text: string): string => hash('sha256', text, 'base64url').slice(0, 27)
