/** The inside of the thread that reads specs: one document at a time, then all of a spec together. */
import { addressesIn, bundle, type ResolveAddress } from '../../core/openapi/bundle.ts'
import { problemsOf } from '../../core/openapi/check.ts'
import type { JsonObject } from '../../core/openapi/json.ts'
import { packSpec } from '../../core/openapi/pack.ts'
import { readSpecText, SpecError } from '../../core/openapi/read.ts'
import { upgrade } from '../../core/openapi/upgrade.ts'
import { answerTasks, Handover, yieldToOthers } from '../../threads/answer-tasks.ts'
import type { BuiltSpec, ReadDocument, SpecFile, SpecTask } from './process.ts'

yieldToOthers()
answerTasks((input) => {
  const task = input as SpecTask
  try {
    return 'bytes' in task ? read(task) : build(task.files.map(parsed))
  } catch (error) {
    if (error instanceof SpecError) return { problems: [error.message] }
    throw error
  }
})

/** A document; or the whole spec, when it is all in one. */
function read({ bytes, address, isRoot }: Extract<SpecTask, { bytes: unknown }>): ReadDocument | Handover {
  const document = readSpecText(decode(Buffer.concat(bytes)))
  const problems = isRoot ? problemsOf(document) : []
  if (problems.length > 0) return { problems }
  const json = new TextEncoder().encode(JSON.stringify(document))
  const addresses = addressesIn({ address, document }, resolve)
  if (isRoot && addresses.length === 0) return build([parsed({ address, json })])
  return new Handover({ json, addresses } satisfies ReadDocument, [json])
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new SpecError('It is not text in UTF-8.')
  }
}

interface ParsedFile extends SpecFile {
  document: JsonObject
}

/** What was read before, and printed by us. */
const parsed = (file: SpecFile): ParsedFile => ({ ...file, document: JSON.parse(Buffer.from(file.json).toString()) })

function build(files: ParsedFile[]): Handover {
  const { index, parts } = packSpec(upgrade(bundle(files, resolve)), (text) => Buffer.from(text))
  const head = Buffer.from(JSON.stringify(index))
  // How long the index is stands before it, in as many digits as any index needs.
  const size = Buffer.from(String(head.length).padStart(12, '0'))
  const packed = joined([size, head, ...parts])
  const { content, root } = contentOf(files)
  return new Handover({ parts: packed, content, root } satisfies BuiltSpec, [packed, content])
}

/** All documents in one, by their addresses, and where the first of them lies in it. */
function contentOf(files: SpecFile[]): { content: Uint8Array<ArrayBuffer>; root: { start: number; end: number } } {
  const named = files.map(({ address, json }, i) => [Buffer.from(`${i ? ',' : '{'}${JSON.stringify(address)}:`), json])
  const start = named[0]?.[0]?.length ?? 0
  const end = start + (files[0]?.json.length ?? 0)
  return { content: joined([...named.flat(), Buffer.from('}')]), root: { start, end } }
}

/** In memory of its own, which can be handed over. */
function joined(parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

const resolve: ResolveAddress = (from, ref) => {
  if (ref === '') return from
  if (!URL.canParse(ref, URL.canParse(from) ? from : undefined)) return ref
  const url = new URL(ref, URL.canParse(from) ? from : undefined)
  url.hash = ''
  return url.href
}
