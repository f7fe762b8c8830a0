/** Brings the search index up to what specs say: see domain/openapi/search.ts. */
import { z } from 'zod'
import { indexSpecs } from '../../domain/openapi/search.ts'
import { defineJob } from '../kinds.ts'

export const specSearch = defineJob({
  payload: z.object({ space: z.string().optional(), organization: z.string().optional() }),
  milliseconds: 60 * 60 * 1000,
  run: ({ db, env, signal, payload }) => indexSpecs({ db, env, signal }, payload),
})
