/** Sends a message with a link that sets a password. The link is made here, so that no secret waits in the queue. */
import { Letter, writeLetter } from '../domain/sessions/letters.ts'
import { defineJob } from './kinds.ts'

export const letter = defineJob<Letter>({
  payload: Letter,
  attempts: 5,
  milliseconds: 60_000,
  async run({ db, env, payload }) {
    if (!env.mail) return
    const message = await writeLetter({ db, env, now: new Date().toISOString() }, payload)
    if (message) await env.mail.send(message)
  },
})
