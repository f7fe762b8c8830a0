/**
 * Takes out of a spec what the blocks of a page show of it. What they show is worked out here once, and whatever was read for
 * it is the part: a page reads as much of a large spec as it shows.
 */
import { type BlockSource, type SpecBlock, viewBlock } from './block-view.ts'
import { isObject, type Json, type JsonObject } from './json.ts'
import { type Span, type SpecIndex, schemaRef } from './pack.ts'
import { operationKey, type SpecPart } from './part.ts'

export interface OpenSpec {
  index: SpecIndex
  read(span: Span): Json
}

/** What one page may bring along of a spec: more than anybody reads, and little enough to be sent. */
const mostBytes = 3 * 1024 * 1024

/** `breathe` is called between two blocks. `blocksOnPage` counts also those that show other specs. */
export async function partOf(
  spec: OpenSpec,
  blocks: readonly SpecBlock[],
  { blocksOnPage = blocks.length, breathe }: { blocksOnPage?: number; breathe?: () => Promise<void> } = {},
): Promise<SpecPart> {
  const { source, part } = recorder(spec)
  for (const block of blocks) {
    await breathe?.()
    viewBlock(source, block, blocksOnPage)
  }
  return part
}

/** The spec as blocks read it. */
export const openSource = (spec: OpenSpec): BlockSource => recorder(spec).source

/** Reads from the spec, and puts what was read into the part. */
function recorder({ index, read }: OpenSpec): { source: BlockSource; part: SpecPart } {
  const { title, version, servers, security, securitySchemes, hidesTry } = index
  const about = { title, version, servers, security: [...security], securitySchemes, ...(hidesTry ? { hidesTry } : {}) }
  const operations: Record<string, JsonObject> = {}
  const webhooks: Record<string, JsonObject> = {}
  const schemas: Record<string, Json> = {}
  const refs: Record<string, Json> = {}
  let left = mostBytes

  const taken = <Value extends Json>(into: Record<string, Value>, key: string, found: () => Value | undefined) => {
    if (Object.hasOwn(into, key)) return into[key]
    const value = found()
    // A name may be one that objects have by nature.
    if (value !== undefined) Object.defineProperty(into, key, { value, enumerable: true })
    return value
  }
  const spanned = (span: Span | undefined): Json | undefined => {
    if (span === undefined || span[1] > left) return undefined
    left -= span[1]
    return read(span)
  }
  const objectOf = (span: Span | undefined): JsonObject | undefined => {
    const value = spanned(span)
    return isObject(value) ? value : undefined
  }
  const refSpan = (ref: string): Span | undefined => (Object.hasOwn(index.refs, ref) ? index.refs[ref] : undefined)

  const source: BlockSource = {
    ...about,
    operation: (key) =>
      taken(operations, key, () =>
        objectOf(index.operations.find(({ method, path }) => operationKey(method, path) === key)?.span),
      ),
    webhook: (key) =>
      taken(webhooks, key, () =>
        objectOf(index.webhooks.find(({ method, name }) => operationKey(method, name) === key)?.span),
      ),
    schema: (name) => taken(schemas, name, () => spanned(refSpan(schemaRef(name)))),
    readRef: (ref) => taken(refs, ref, () => spanned(refSpan(ref))),
  }
  return { source, part: { ...about, operations, webhooks, schemas, refs } }
}
