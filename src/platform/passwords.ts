/** Passwords as argon2id hashes. Hashing is made to be slow: it runs beside the event loop, and few at a time. */
import { fail } from '../core/errors.ts'

export interface Passwords {
  hash(password: string): Promise<string>
  /** Takes as long with no hash (an account without a password, or no account) as with one. */
  matches(password: string, hash: string | undefined): Promise<boolean>
}

/** As OWASP recommends for argon2id: 19 MiB, two passes. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const atOnce = 2
const waitingAtMost = 50

export function makePasswords(): Passwords {
  const enqueue = makeQueue()
  let nobody: Promise<string> | undefined
  // Native code, loaded when somebody first signs in.
  const argon2 = () => import('@node-rs/argon2')
  return {
    hash: (password) => enqueue(async () => (await argon2()).hash(written(password), cost)),
    matches: (password, known) =>
      enqueue(async () => {
        const { hash, verify } = await argon2()
        nobody ??= hash('nobody has this password', cost)
        const isRight = await verify(known ?? (await nobody), written(password))
        return isRight && known !== undefined
      }),
  }
}

/** One password however a keyboard composes its letters. */
const written = (password: string): string => password.normalize('NFKC')

function makeQueue(): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let running = 0
  return async (work) => {
    if (running >= atOnce) {
      if (waiting.length >= waitingAtMost) throw fail('overloaded')
      await new Promise<void>((resolve) => waiting.push(resolve))
    } else running++
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}
