/** Signs what we hand out and want to know again: page tokens, links, the claims of a ping. */
import { createCipheriv, createDecipheriv, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

export interface Signer {
  /** `<payload>.<mac>`, opaque to whoever carries it. `purpose` keeps one kind of token from passing for another. */
  seal(purpose: string, payload: string): string
  /** The payload, or undefined when the token was altered or made for another purpose. */
  open(purpose: string, token: string): string | undefined
  /** 256 secret bits that belong to this text, the same at each call: a key that need not be stored. */
  derive(purpose: string, text: string): string
  /** The same by the present key and by every former one that is still good, to compare with. */
  deriveAll(purpose: string, text: string): string[]
  /** Encrypts a secret of others that has to be stored and used again. */
  hide(purpose: string, text: string): string
  /** The secret, and whether only a former key still opens it; undefined when none does. */
  reveal(purpose: string, hidden: string): { text: string; isFormer: boolean } | undefined
  /** Whether two secrets are the same, in a time that does not tell where they differ. */
  same(one: string, other: string): boolean
  /** The claims of a JWT (HS256) that somebody signed with this key and that ends; undefined when it is anything else. */
  readJwt(token: string, options: { key: string; now: Date }): Promise<Record<string, unknown> | undefined>
  /** Why `readJwt` says no, in a sentence for whoever signs; undefined when it would not. */
  faultOfJwt(token: string, options: { key: string; now: Date }): Promise<string | undefined>
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
    hide: (purpose, text) => encrypt(text, derive(bytes, 'hide', purpose)),
    reveal: (purpose, hidden) => {
      for (const key of keys()) {
        const text = decrypt(hidden, derive(key, 'hide', purpose))
        if (text !== undefined) return { text, isFormer: key !== bytes }
      }
      return undefined
    },
    same: (one, other) => {
      const [a, b] = [Buffer.from(one), Buffer.from(other)]
      return a.length === b.length && timingSafeEqual(a, b)
    },
    readJwt: async (token, { key, now }) => {
      const read = await verifyJwt(token, Buffer.from(key), now)
      return 'claims' in read ? read.claims : undefined
    },
    faultOfJwt: async (token, { key, now }) => {
      const read = await verifyJwt(token, Buffer.from(key), now)
      if ('claims' in read) return undefined
      const decoded = await verifyJwt(token, Buffer.from(key, 'base64url'), now)
      return 'claims' in decoded
        ? 'It is signed with the key decoded from base64. Use the characters of the key as they are.'
        : read.fault
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

async function verifyJwt(
  token: string,
  key: Uint8Array,
  now: Date,
): Promise<{ claims: Record<string, unknown> } | { fault: string }> {
  if (token.length > longestToken) return { fault: 'It is longer than 16 KiB.' }
  const { errors, jwtVerify } = await jose()
  try {
    const { payload } = await jwtVerify(token, key, {
      // Whatever the token says of itself, the algorithm is ours to choose.
      algorithms: ['HS256'],
      requiredClaims: ['exp'],
      clockTolerance: 60,
      currentDate: now,
    })
    return { claims: payload }
  } catch (error) {
    if (error instanceof errors.JWTExpired) return { fault: 'It has ended: `exp` is past.' }
    if (error instanceof errors.JOSEAlgNotAllowed) return { fault: 'It is signed in another way than HS256.' }
    if (error instanceof errors.JWSSignatureVerificationFailed)
      return { fault: 'It is not signed with the key of this site.' }
    if (error instanceof errors.JWTClaimValidationFailed)
      return {
        fault: error.claim === 'exp' ? 'It has no end: `exp` is required.' : `Its \`${error.claim}\` does not hold.`,
      }
    return { fault: 'It is no JSON Web Token, or one of a kind that is not known here.' }
  }
}

/** AES-256-GCM: nonce, tag and ciphertext, one after the other. */
function encrypt(text: string, key: string): string {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', Buffer.from(key, 'base64url'), nonce)
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')
}

function decrypt(hidden: string, key: string): string | undefined {
  const bytes = Buffer.from(hidden, 'base64url')
  if (bytes.length < 28) return undefined
  try {
    const decipher = createDecipheriv('aes-256-gcm', Buffer.from(key, 'base64url'), bytes.subarray(0, 12), {
      authTagLength: 16,
    })
    decipher.setAuthTag(bytes.subarray(12, 28))
    return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8')
  } catch {
    return undefined
  }
}

// Loaded on demand: a server without visitors does not pay for it at start.
const jose = () => import('jose')
