/** A space in memory: content, documents and blobs, to import into and export from without a database. */
import { createHash } from 'node:crypto'
import type { Bytes } from '../../../src/core/blobs.ts'
import type { JSONDocument } from '../../../src/core/document/tree/nodes.ts'
import type { ImportedFile } from '../../../src/core/import/tree.ts'
import { lineOf } from '../../../src/core/repository/summary.ts'
import { allPages, type Content, emptyContent } from '../../../src/core/revision/content.ts'
import type { Environment } from '../../../src/domain/environment.ts'
import { type Applying, applyTree, type Imported } from '../../../src/domain/import/apply.ts'
import { readRepository } from '../../../src/domain/import/read-repository.ts'
import { exportRepository } from '../../../src/domain/repository/export.ts'
import type { ContentWriter } from '../../../src/store/content/content.ts'
import { unpack } from '../../../src/store/packed/pack.ts'
import { Threads } from '../../../src/threads/supervisor.ts'
import { memoryNodes } from '../revision/memory.ts'

export type Folder = ReadonlyMap<string, string>

export interface Memory {
  writer: ContentWriter
  env: Environment
  content: Content
  put(bytes: string): string
  import(files: Folder, options?: { replace?: boolean; keep?: boolean }): Promise<Imported>
  export(): Promise<Map<string, string>>
}

let ids = 0

export function makeMemory(): Memory {
  const documents = new Map<string, string>()
  const blobs = new Map<string, Buffer>()
  const keep = (bytes: Buffer): string => {
    const hash = createHash('sha256').update(bytes).digest('hex')
    blobs.set(hash, bytes)
    return hash
  }
  const keepText = (text: string): string => {
    const hash = createHash('sha1').update(text).digest('hex')
    documents.set(hash, text)
    return hash
  }
  const writer: ContentWriter = {
    threads: new Threads(),
    ...memoryNodes().nodes,
    async document(hash) {
      return JSON.parse(documents.get(hash) ?? '') as JSONDocument
    },
    documentText: async (hash) => documents.get(hash),
    saveDocument: async (document) => keepText(JSON.stringify(document)),
    savePacked: ({ hash, packed }) => void documents.set(hash, unpack(packed)),
    async documentsAhead() {},
    async flush() {},
    async storeAhead() {},
  }
  const env = {
    newId: () => `id${(ids++).toString(36)}`,
    blobs: {
      async put(source: Bytes) {
        const bytes = await whole(source)
        return { hash: keep(bytes), size: bytes.length }
      },
      async open(hash: string) {
        const bytes = blobs.get(hash)
        return bytes && streamed(bytes)
      },
    },
  } as unknown as Environment
  const steps = { begin() {}, advance() {} }
  const memory: Memory = {
    writer,
    env,
    content: emptyContent(writer),
    put: (bytes) => keep(Buffer.from(bytes)),
    async import(files, { replace = false, keep = false } = {}) {
      const now = '2026-01-01T00:00:00.000Z'
      const remove = replace ? 'all' : keep ? 'none' : 'own'
      const options: Applying = { writer, before: memory.content, remove, steps }
      const { content, ...imported } = await applyTree(
        { env, now },
        options,
        await readRepository([...files].map(fileOf), { threads: writer.threads }),
      )
      memory.content = content
      return imported
    },
    async export() {
      const found = new Map<string, string>()
      const { files } = await exportRepository({ reader: writer, blobs: env.blobs }, memory.content)
      for await (const { path, content } of files) {
        if (found.has(path)) throw new Error(`${path} was written twice.`)
        found.set(path, typeof content === 'string' ? content : (await whole(content)).toString())
      }
      return found
    },
  }
  return memory
}

const fileOf = ([path, text]: readonly [string, string]): ImportedFile => {
  const bytes = Buffer.from(text)
  return { path, size: bytes.length, open: () => streamed(bytes) }
}

async function* streamed(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield bytes
}

async function whole(source: Bytes): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of source) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** All pages of a memory's content, by their paths of slugs, `~` for those without. */
export async function pagesOf({ writer, content }: Memory) {
  const tree = await allPages(writer, content)
  const found = new Map<string, NonNullable<ReturnType<typeof tree.get>>[number]>()
  const visit = (parent: string | undefined, path: string): void => {
    for (const page of tree.get(parent) ?? []) {
      const here = `${path}${page.slug ?? `~${lineOf(page.title)}`}`
      found.set(here, page)
      visit(page.id, `${here}/`)
    }
  }
  visit(undefined, '')
  return found
}
