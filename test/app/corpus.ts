/** Pages to try things on: the guide always, and the corpus of others' pages where it lies beside the repository. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { inflateRawSync } from 'node:zlib'
import { fromMarkdown } from '../../src/core/document/read/from-markdown.ts'
import { assignKeys } from '../../src/core/document/tree/keys.ts'
import type { JSONDocument } from '../../src/core/document/tree/nodes.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

export interface CorpusPage {
  name: string
  document: JSONDocument
}

/** Every page with content, as it would be stored. */
export function corpusPages(): CorpusPage[] {
  const guide = readdirSync(`${root}docs/guide`, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name): [string, string] => [name, readFileSync(`${root}docs/guide/${name}`, 'utf8')])
  const zip = [`${root}../shared/corpus/docs-repository.zip`, process.env.LECTERN_CORPUS ?? ''].find(existsSync)
  const others = zip === undefined ? [] : markdownIn(readFileSync(zip))
  return [...guide, ...others].flatMap(([name, text]) => {
    const { document } = fromMarkdown(text)
    return document.nodes.length === 0 ? [] : [{ name, document: assignKeys(document) }]
  })
}

/** The Markdown files of a zip archive, by its central directory. */
function markdownIn(zip: Buffer): [string, string][] {
  const files: [string, string][] = []
  const end = zip.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'))
  let at = zip.readUInt32LE(end + 16)
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    const [size, nameLength, extra, comment] = [20, 28, 30, 32].map((field, place) =>
      place === 0 ? zip.readUInt32LE(at + field) : zip.readUInt16LE(at + field),
    ) as [number, number, number, number]
    const name = zip.toString('utf8', at + 46, at + 46 + nameLength)
    const local = zip.readUInt32LE(at + 42)
    if (name.endsWith('.md')) {
      const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
      const bytes = zip.subarray(start, start + size)
      files.push([name, (zip.readUInt16LE(at + 10) === 8 ? inflateRawSync(bytes) : bytes).toString('utf8')])
    }
    at += 46 + nameLength + extra + comment
  }
  return files
}
