/** The inside of the thread that reads specs: one document at a time, then all of a spec together. */
import { addressesIn, bundle, type ResolveAddress } from '../../core/openapi/bundle.ts'
import { problemsOf } from '../../core/openapi/check.ts'
import { packSpec } from '../../core/openapi/pack.ts'
import { readSpecText, SpecError } from '../../core/openapi/read.ts'
import { upgrade } from '../../core/openapi/upgrade.ts'
import { answerTasks, yieldToOthers } from '../../threads/answer-tasks.ts'
import type { BuiltSpec, ReadDocument, SpecTask } from './process.ts'

yieldToOthers()
answerTasks((input) => {
  const task = input as SpecTask
  try {
    return 'bytes' in task ? read(task) : build(task)
  } catch (error) {
    if (error instanceof SpecError) return { problems: [error.message] }
    throw error
  }
})

function read({ bytes, address, isRoot }: Extract<SpecTask, { bytes: Uint8Array }>): ReadDocument {
  const document = readSpecText(decode(bytes))
  const problems = isRoot ? problemsOf(document) : []
  if (problems.length > 0) return { problems }
  return { json: JSON.stringify(document), addresses: addressesIn({ address, document }, resolve) }
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new SpecError('It is not text in UTF-8.')
  }
}

function build({ files }: Extract<SpecTask, { files: unknown }>): BuiltSpec {
  const documents = files.map(({ address, json }) => ({ address, document: JSON.parse(json) }))
  const { index, parts } = packSpec(upgrade(bundle(documents, resolve)), (text) => Buffer.from(text))
  const head = Buffer.from(JSON.stringify(index))
  // How long the index is stands before it, in as many digits as any index needs.
  const size = Buffer.from(String(head.length).padStart(12, '0'))
  const content = `{${files.map(({ address, json }) => `${JSON.stringify(address)}:${json}`).join(',')}}`
  return { parts: Buffer.concat([size, head, ...parts]), content: Buffer.from(content) }
}

const resolve: ResolveAddress = (from, ref) => {
  if (ref === '') return from
  if (!URL.canParse(ref, URL.canParse(from) ? from : undefined)) return ref
  const url = new URL(ref, URL.canParse(from) ? from : undefined)
  url.hash = ''
  return url.href
}
