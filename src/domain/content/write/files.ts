/** Bytes that people hand over become files: stored once under their hash, their type looked at, images measured. */
import type { Upload } from '../../../contract/operation.ts'
import type { Bytes } from '../../../core/blobs.ts'
import { ApiError, fail, invalid } from '../../../core/errors.ts'
import type { FileRecord } from '../../../core/revision/records.ts'
import { cleanFileName } from '../../files/delivery.ts'
import { dimensionsOf } from '../../files/dimensions.ts'
import { typeOf } from '../../files/sniff.ts'
import type { Base } from '../../handler.ts'

/** The largest file. */
export const maxFileBytes = 100 * 1024 * 1024

/** How much of the beginning is kept to tell the type and the size of an image: photographs carry thumbnails before it. */
const headBytes = 256 * 1024

export interface NewFile {
  name: string
  ref?: string | undefined
  contentType?: string | undefined
  url?: string | undefined
  base64?: string | undefined
}

/** A file given by address or as base64. Its bytes are stored before any transaction; the record is all that is left to write. */
export async function storeFile(
  base: Base,
  file: NewFile,
  field: string,
): Promise<{ ref?: string | undefined; file: FileRecord }> {
  const bytes =
    file.url === undefined
      ? decode(file.base64 ?? '', `${field}.base64`)
      : await download(base, file.url, `${field}.url`)
  const record = await storeBytes(base, [bytes], { name: file.name, contentType: file.contentType })
  return { ref: file.ref, file: record }
}

/**
 * The files of a form, one after the other as they arrive. When one is refused, those before it are stored already and
 * belong to nobody: like those of an edit that is not committed, they are left to the sweep.
 */
export async function storeUpload(base: Base, upload: Upload): Promise<FileRecord[]> {
  const records: FileRecord[] = []
  for await (const { name, contentType, bytes } of upload) {
    const record = await storeBytes(base, bytes, { name, contentType })
    // A form sends an input in which nothing was chosen as a file without a name and without bytes.
    if (name !== '' || record.size > 0) records.push(record)
  }
  if (records.length === 0) throw invalid('files', 'holds no file')
  return records
}

export async function storeBytes(
  { env, now }: Pick<Base, 'env' | 'now'>,
  bytes: Bytes | Iterable<Uint8Array>,
  { name, contentType }: { name: string; contentType?: string | undefined },
): Promise<FileRecord> {
  const head = new Head()
  const clean = cleanFileName(name)
  const { hash, size } = await env.blobs.put(head.watch(bytes), { limit: maxFileBytes }).catch((error: unknown) => {
    if (!(error instanceof ApiError) || error.code !== 'too_large') throw error
    throw fail('too_large', `The file ${clean} is larger than ${maxFileBytes / 1024 / 1024} MiB.`)
  })
  const beginning = head.bytes()
  const type = await typeOf(beginning, { name: clean, claimed: contentType })
  const dimensions = dimensionsOf(type, beginning)
  return {
    id: env.newId(),
    name: clean,
    contentType: type,
    size,
    blob: hash,
    ...(dimensions ? { dimensions } : {}),
    createdAt: now,
  }
}

/** Watches bytes go by and keeps the first of them. */
class Head {
  readonly #chunks: Uint8Array[] = []
  #length = 0

  async *watch(bytes: Bytes | Iterable<Uint8Array>): Bytes {
    for await (const chunk of bytes) {
      if (this.#length < headBytes) {
        const part = chunk.subarray(0, headBytes - this.#length)
        this.#chunks.push(part)
        this.#length += part.length
      }
      yield chunk
    }
  }

  bytes(): Buffer {
    return Buffer.concat(this.#chunks)
  }
}

function decode(base64: string, field: string): Uint8Array {
  if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(base64)) throw invalid(field, 'is not base64')
  const bytes = Buffer.from(base64, 'base64')
  if (bytes.length > 1024 * 1024)
    throw invalid(field, 'holds more than 1 MiB: send larger files as multipart/form-data')
  return bytes
}

async function download({ env }: Base, url: string, field: string): Promise<Uint8Array> {
  try {
    return (await env.fetch(url)).bytes
  } catch (error) {
    throw fail(
      'invalid_input',
      `\`${field}\` cannot be fetched: ${error instanceof Error ? error.message : 'the server did not answer'}`,
    )
  }
}
