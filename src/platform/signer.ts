/** Signs what we hand out and want to know again: page tokens, links, the claims of a ping. */
import { createHmac, timingSafeEqual } from 'node:crypto'

export interface Signer {
  /** `<payload>.<mac>`, opaque to whoever carries it. `purpose` keeps one kind of token from passing for another. */
  seal(purpose: string, payload: string): string
  /** The payload, or undefined when the token was altered or made for another purpose. */
  open(purpose: string, token: string): string | undefined
  /** 256 secret bits that belong to this text, the same at each call: a key that need not be stored. */
  derive(purpose: string, text: string): string
  /** The same by the present key and by every former one that is still good, to compare with. */
  deriveAll(purpose: string, text: string): string[]
  /** Whether two secrets are the same, in a time that does not tell where they differ. */
  same(one: string, other: string): boolean
  /** The claims of a JWT (HS256) that somebody signed with this key and that ends; undefined when it is anything else. */
  readJwt(token: string, options: { key: string; now: Date }): Promise<Record<string, unknown> | undefined>
  /** A JWT (HS256) with these claims, signed with this key or else with our own. */
  jwt(claims: Record<string, unknown>, options: { subject: string; seconds: number; key?: string }): Promise<string>
}

/** Claims are a few words about a visitor; more is an attack on whoever parses them. */
const longestToken = 16_384

/** Keys in base64url; a former one verifies until its time is over. */
export interface SigningKeys {
  present: string
  former: readonly { key: string; until?: string | undefined }[]
}

/** The key that is made of a secret which somebody chose. */
export const keyOfSecret = (secret: string): string =>
  createHmac('sha256', 'lectern signing key').update(secret).digest('base64url')

export function makeSigner({ present, former }: SigningKeys): Signer {
  const bytes = Buffer.from(present, 'base64url')
  const old = former.map(({ key, until }) => ({ bytes: Buffer.from(key, 'base64url'), until }))
  const keys = (): Buffer[] => {
    if (old.length === 0) return [bytes]
    const now = new Date().toISOString()
    return [bytes, ...old.filter(({ until }) => until === undefined || until > now).map((entry) => entry.bytes)]
  }
  const mac = (key: Buffer, purpose: string, payload: string) =>
    createHmac('sha256', key).update(`${purpose}\n${payload}`).digest('base64url').slice(0, 22)
  const derive = (key: Buffer, purpose: string, text: string) =>
    createHmac('sha256', key).update(`derive\n${purpose}\n${text}`).digest('base64url')

  return {
    seal: (purpose, payload) => `${Buffer.from(payload).toString('base64url')}.${mac(bytes, purpose, payload)}`,
    open: (purpose, token) => {
      const [body, given, ...rest] = token.split('.')
      if (!body || !given || rest.length > 0) return undefined
      const payload = Buffer.from(body, 'base64url').toString()
      // Decoding forgives characters that mean nothing; a token that is not exactly ours was altered.
      if (Buffer.from(payload).toString('base64url') !== body) return undefined
      const actual = Buffer.from(given)
      const isOurs = keys().some((key) => {
        const expected = Buffer.from(mac(key, purpose, payload))
        return expected.length === actual.length && timingSafeEqual(expected, actual)
      })
      return isOurs ? payload : undefined
    },
    derive: (purpose, text) => derive(bytes, purpose, text),
    deriveAll: (purpose, text) => keys().map((key) => derive(key, purpose, text)),
    same: (one, other) => {
      const [a, b] = [Buffer.from(one), Buffer.from(other)]
      return a.length === b.length && timingSafeEqual(a, b)
    },
    readJwt: async (token, { key, now }) => {
      if (token.length > longestToken) return undefined
      const { jwtVerify } = await jose()
      try {
        const { payload } = await jwtVerify(token, Buffer.from(key), {
          // Whatever the token says of itself, the algorithm is ours to choose.
          algorithms: ['HS256'],
          requiredClaims: ['exp'],
          clockTolerance: 60,
          currentDate: now,
        })
        return payload
      } catch {
        return undefined
      }
    },
    jwt: async (claims, { subject, seconds, key }) => {
      const { SignJWT } = await jose()
      return new SignJWT(claims)
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .setSubject(subject)
        .setIssuedAt()
        .setExpirationTime(`${seconds}s`)
        .sign(key === undefined ? bytes : Buffer.from(key))
    },
  }
}

// Loaded on demand: a server without visitors does not pay for it at start.
const jose = () => import('jose')
