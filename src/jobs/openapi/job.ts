/**
 * Fetches a spec, reads it, and keeps what it became as a version when it is another than the one before. A spec with an
 * address is looked at again every six hours; one that could not be read keeps its last version, and says what was wrong.
 */

import { z } from 'zod'
import { cutTo } from '../../core/text.ts'
import type { Environment } from '../../domain/environment.ts'
import { dropUnnamed } from '../../domain/openapi/named.ts'
import { searchSpecsOfOrganization } from '../../domain/openapi/search.ts'
import { findSpecById, findVersion, insertVersion, type SpecRow, updateSpec } from '../../store/content/openapi.ts'
import type { Connection } from '../../store/database.ts'
import { enqueue } from '../../store/jobs.ts'
import { ByteParts } from '../../threads/byte-parts.ts'
import { defineJob, type JobRun } from '../kinds.ts'
import { fetchParts, type Processed, type ProcessFailure, processSpec, type SpecSource } from './process.ts'

const refetchMilliseconds = 6 * 60 * 60 * 1000

const Payload = z.object({ spec: z.string() })

export const openapi = defineJob({
  payload: Payload,
  milliseconds: 5 * 60 * 1000,
  async run(job) {
    const spec = await begin(job)
    if (!spec) return
    const outcome = await processSpec(
      { ...job.env, threads: job.db.threads },
      sourceOf(job.env, spec, job.signal),
      job.signal,
    )
    await job.finish((tx) => end(tx, job, spec, outcome), { lock: spec.organizationId })
  },
  async failed(tx, { payload }, error) {
    const now = new Date().toISOString()
    const failure: ProcessFailure = { code: 'PARSE_ERROR', messages: [`It could not be processed: ${error.message}`] }
    if (await findSpecById(tx, { id: payload.spec })) await updateSpec(tx, payload.spec, failedFields(failure, now))
  },
})

async function begin({ db, payload }: JobRun<z.output<typeof Payload>>): Promise<SpecRow | undefined> {
  const spec = await findSpecById(db, { id: payload.spec })
  if (!spec || (await dropUnnamed(db, spec))) return undefined
  // A regular look at an address changes nothing for who watches the spec, unless it finds something.
  if (spec.processingState !== 'complete') await updateSpec(db, spec.id, { processingState: 'progress' })
  return spec
}

/** What was sent as text has a name in place of an address, below which nothing can be found. */
const textName = 'openapi.json'

function sourceOf(env: Environment, { sourceURL, sourceBlob }: SpecRow, signal: AbortSignal): SpecSource {
  if (sourceURL !== null) return { address: sourceURL, bytes: () => fetchParts(env.fetch, sourceURL, { signal }) }
  return {
    address: textName,
    bytes: async () => {
      const bytes = new ByteParts()
      for await (const part of (await env.blobs.open(sourceBlob ?? '')) ?? []) bytes.add(part)
      return bytes
    },
  }
}

async function end(
  tx: Connection,
  { env }: JobRun<unknown>,
  begun: SpecRow,
  outcome: Processed | ProcessFailure,
): Promise<void> {
  const spec = await findSpecById(tx, { id: begun.id })
  if (!spec) return
  // Another source came meanwhile, and with it a job that waits for this one: what was found is out of date.
  if (spec.sourceURL !== begun.sourceURL || spec.sourceBlob !== begun.sourceBlob) return
  const now = new Date()
  if (spec.sourceURL !== null) {
    const runAt = new Date(now.getTime() + refetchMilliseconds)
    await enqueue(tx, { kind: 'openapi', payload: { spec: spec.id }, uniqueKey: spec.id, runAt })
  }
  if ('code' in outcome) return void (await updateSpec(tx, spec.id, failedFields(outcome, now.toISOString())))
  const done = {
    processingState: 'complete' as const,
    lastProcessedAt: now.toISOString(),
    errorCode: null,
    errors: null,
  }
  const last = spec.lastVersionId && (await findVersion(tx, { id: spec.lastVersionId, specId: spec.id }))
  if (last && last.contentBlob === outcome.content && last.partsBlob === outcome.parts)
    return void (await updateSpec(tx, spec.id, done))
  const id = env.newId()
  await insertVersion(tx, {
    id,
    specId: spec.id,
    url: spec.sourceURL ?? `${env.urls.spec(spec.organizationId, spec.slug).location}/versions/${id}/content`,
    contentBlob: outcome.content,
    rootBlob: outcome.root,
    partsBlob: outcome.parts,
    createdAt: now.toISOString(),
  })
  await updateSpec(tx, spec.id, { ...done, lastVersionId: id, updatedAt: now.toISOString() })
  await searchSpecsOfOrganization(tx, spec.organizationId)
}

const failedFields = ({ code, messages }: ProcessFailure, now: string) => ({
  processingState: 'complete' as const,
  lastProcessedAt: now,
  errorCode: code,
  errors: JSON.stringify(messages.map((message) => cutTo(message, 1000))),
})
