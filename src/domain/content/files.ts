/** Bytes that people hand over become files: stored once under their hash, their type looked at, images measured. */
import { fileTypeFromBuffer } from 'file-type'
import { imageSize } from 'image-size'
import type { Bytes } from '../../core/blobs.ts'
import { fail, invalid } from '../../core/errors.ts'
import type { FileRecord } from '../../core/revision/records.ts'
import type { Base } from '../scope.ts'

/** The largest file. */
export const maxFileBytes = 100 * 1024 * 1024

/** How much of the beginning tells the type and the size of an image. */
const headBytes = 128 * 1024

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

export async function storeBytes(
  { env, now }: Base,
  bytes: Bytes | Iterable<Uint8Array>,
  { name, contentType }: { name: string; contentType?: string | undefined },
): Promise<FileRecord> {
  const head = new Head()
  const { hash, size } = await env.blobs.put(head.watch(bytes), { limit: maxFileBytes })
  const type = await head.typeOf(contentType)
  const dimensions = type.startsWith('image/') ? head.dimensions() : undefined
  return {
    id: env.newId(),
    name: cleanName(name),
    contentType: type,
    size,
    blob: hash,
    ...(dimensions ? { dimensions } : {}),
    createdAt: now,
  }
}

/** Watches bytes go by and keeps the first of them. */
class Head {
  #chunks: Uint8Array[] = []
  #length = 0

  async *watch(bytes: Bytes | Iterable<Uint8Array>): Bytes {
    for await (const chunk of bytes) {
      if (this.#length < headBytes) {
        this.#chunks.push(chunk.subarray(0, headBytes - this.#length))
        this.#length += Math.min(chunk.length, headBytes - this.#length)
      }
      yield chunk
    }
  }

  /** What the bytes are; what the sender said counts only where the bytes do not tell. */
  async typeOf(claimed: string | undefined): Promise<string> {
    const bytes = Buffer.concat(this.#chunks)
    const sniffed = await fileTypeFromBuffer(bytes)
    if (sniffed && sniffed.mime !== 'application/xml') return sniffed.mime
    const text = bytes.subarray(0, 1024).toString('utf8').trimStart().toLowerCase()
    if (/^(<\?xml[^>]*>\s*)?(<!--[\s\S]*?-->\s*)*(<!doctype svg[^>]*>\s*)?<svg[\s>]/.test(text)) return 'image/svg+xml'
    if (/^(<!doctype html|<html[\s>])/.test(text)) return 'text/html'
    return /^[\w.+-]+\/[\w.+-]+$/.test(claimed ?? '') ? (claimed ?? '').toLowerCase() : 'application/octet-stream'
  }

  dimensions(): { width: number; height: number } | undefined {
    try {
      const { width, height } = imageSize(Buffer.concat(this.#chunks))
      return { width, height }
    } catch {
      return undefined // Not an image we can read, or one whose size stands further back.
    }
  }
}

/** A name without folders or anything a header could trip over. */
const cleanName = (name: string): string =>
  name
    .replace(/^.*[/\\]/, '')
    .replace(/[\x00-\x1f\x7f"]/g, '')
    .slice(0, 256) || 'file'

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
