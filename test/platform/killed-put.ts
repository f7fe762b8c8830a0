/** Puts files until it is killed, and says what was acknowledged. Arguments: the folder. */
import { createHash, randomBytes } from 'node:crypto'
import { openBlobFolder } from '../../src/platform/blobs.ts'

const blobs = openBlobFolder(process.argv[2] ?? '')

async function* pieces(bytes: Buffer) {
  for (let start = 0; start < bytes.length; start += 64 * 1024) {
    yield bytes.subarray(start, start + 64 * 1024)
    await new Promise(setImmediate)
  }
}

async function putForever(): Promise<void> {
  for (;;) {
    const bytes = randomBytes(1 + Math.floor(Math.random() * 1024 * 1024))
    const { hash } = await blobs.put(pieces(bytes), { limit: 2 ** 30 })
    if (hash !== createHash('sha256').update(bytes).digest('hex')) throw new Error('The hash is not that of the bytes.')
    process.stdout.write(`put ${hash}\n`)
  }
}

await Promise.all([putForever(), putForever(), putForever(), putForever()])
