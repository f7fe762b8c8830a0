/** Notes a sign-in that failed in the audit logs of whoever's account it was aimed at, if it is anybody's. */
import { RefusedSignIn, writeRefusedSignIn } from '../domain/sessions/notes.ts'
import { defineJob } from './kinds.ts'

export const refusedSignIn = defineJob<RefusedSignIn>({
  payload: RefusedSignIn,
  attempts: 5,
  milliseconds: 60_000,
  async run({ id, env, payload, finish }) {
    await finish((tx) => writeRefusedSignIn({ db: tx, env, jobId: id }, payload))
  },
})
