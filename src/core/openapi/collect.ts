/** Takes out of a spec what a page shows of it, with all that it refers to. */
import { isObject, type Json, type JsonObject, refsIn } from './json.ts'
import { type Span, type SpecIndex, schemaRef } from './pack.ts'
import { operationKey, type SpecPart } from './part.ts'

export interface OpenSpec {
  index: SpecIndex
  read(span: Span): Json
}

/** What one page may bring along of a spec: more than anybody reads, and little enough to be sent. */
const mostRefs = 3_000
const mostBytes = 3 * 1024 * 1024

export interface Wanted {
  operations: { method: string; path: string }[]
  webhooks: { method: string; name: string }[]
  schemas: string[]
}

/** The operations, webhooks and schemas, with all that they refer to. */
export async function partOf(
  { index, read }: OpenSpec,
  wanted: Wanted,
  breathe?: () => Promise<void>,
): Promise<SpecPart> {
  const operations = index.operations.flatMap((one): [string, JsonObject][] =>
    wanted.operations.some(({ method, path }) => method.toLowerCase() === one.method && path === one.path)
      ? [[operationKey(one.method, one.path), objectOf(read(one.span))]]
      : [],
  )
  const webhooks = index.webhooks.flatMap((one): [string, JsonObject][] =>
    wanted.webhooks.some(({ method, name }) => method.toLowerCase() === one.method && name === one.name)
      ? [[operationKey(one.method, one.name), objectOf(read(one.span))]]
      : [],
  )
  const names = new Set(wanted.schemas)
  const schemas = index.schemas.flatMap((name): [string, Json][] => {
    const span = names.has(name) ? index.refs[schemaRef(name)] : undefined
    return span ? [[name, read(span)]] : []
  })
  const { title, version, servers, security, securitySchemes, hidesTry } = index
  const shown = [...operations, ...webhooks, ...schemas].map(([, value]) => value)
  return {
    title,
    version,
    servers,
    security: [...security],
    securitySchemes,
    ...(hidesTry ? { hidesTry } : {}),
    operations: Object.fromEntries(operations),
    webhooks: Object.fromEntries(webhooks),
    schemas: Object.fromEntries(schemas),
    refs: await referredTo({ index, read }, [securitySchemes, ...shown], breathe),
  }
}

/** Level by level, so that what stands nearest is there when it is too much. */
async function referredTo(
  { index, read }: OpenSpec,
  values: readonly Json[],
  breathe?: () => Promise<void>,
): Promise<Record<string, Json>> {
  const found = new Map<string, Json>()
  let left = mostBytes
  let level = values
  while (level.length > 0) {
    const next: Json[] = []
    for (const ref of new Set(level.flatMap((value) => [...refsIn(value)]))) {
      const span = Object.hasOwn(index.refs, ref) ? index.refs[ref] : undefined
      if (!span || found.has(ref) || found.size >= mostRefs || span[1] > left) continue
      left -= span[1]
      await breathe?.()
      const value = read(span)
      found.set(ref, value)
      next.push(value)
    }
    level = next
  }
  return Object.fromEntries(found)
}

const objectOf = (value: Json): JsonObject => (isObject(value) ? value : {})
