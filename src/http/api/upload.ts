/**
 * An upload on its way to a handler, and what an Idempotency-Key means for it.
 *
 * Whether a repeated request is the same one is known only when its bytes have come: they are sent and read again, and then
 * the first answer is given again and nothing is written. With other bytes, names or types the key is refused. So a key makes
 * an upload safe to repeat, but does not save sending it.
 */
import { createHash } from 'node:crypto'
import type { Upload, UploadedFile } from '../../contract/operation.ts'
import type { Bytes } from '../../core/blobs.ts'
import { fail } from '../../core/errors.ts'
import { maxFileBytes } from '../../domain/content/write/files.ts'
import { maxFiles } from './multipart.ts'

/** The files that a request brings. A row that takes files takes nothing else. */
export function openUpload({ body, idempotencyKey }: { body: unknown; idempotencyKey?: string | undefined }): Upload {
  if (!isUpload(body)) throw needsForm()
  return idempotencyKey === undefined ? body : new WatchedUpload(body)
}

export const needsForm = () => fail('unsupported_media', 'Send the files as `Content-Type: multipart/form-data`.')

/** Reads what a request brings for nothing but its hash; no more of it than any request may bring. */
export async function readToEnd(body: unknown): Promise<void> {
  if (!isUpload(body)) return
  let read = 0
  for await (const { bytes } of body)
    for await (const chunk of bytes) {
      read += chunk.length
      if (read > mostBytes) throw fail('too_large')
    }
}

/** The most that the files of a request may hold together. */
const mostBytes = maxFiles * maxFileBytes

const isUpload = (body: unknown): body is Upload =>
  typeof body === 'object' && body !== null && Symbol.asyncIterator in body

/** Takes down the names and hashes of the files that go by: as JSON it is those, so that two uploads can be compared. */
class WatchedUpload implements Upload {
  readonly #upload: Upload
  readonly #seen: unknown[] = []

  constructor(upload: Upload) {
    this.#upload = upload
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<UploadedFile> {
    for await (const file of this.#upload) yield { ...file, bytes: this.#watch(file) }
  }

  toJSON(): unknown {
    return this.#seen
  }

  async *#watch({ name, contentType, bytes }: UploadedFile): Bytes {
    const hash = createHash('sha256')
    for await (const chunk of bytes) {
      hash.update(chunk)
      yield chunk
    }
    this.#seen.push([name, contentType ?? '', hash.digest('base64url')])
  }
}
