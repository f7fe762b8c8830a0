/** Makes search and links of a copied space; whoever runs it again goes on where it stopped. */
import { z } from 'zod'
import { indexSpace } from '../domain/content/write/index-space.ts'
import { defineJob } from './kinds.ts'

export const index = defineJob({
  milliseconds: 60 * 60 * 1000,
  payload: z.object({ space: z.string() }),
  run: ({ db, env, signal, payload }) => indexSpace({ db, env, signal }, payload.space),
})
