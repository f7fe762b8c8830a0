/** The inside of the thread that reads large bodies. */
import { ApiError } from '../../core/errors.ts'
import { answerTasks, Handover, yieldToOthers } from '../../threads/answer-tasks.ts'
import { parseCounted } from './json.ts'
import type { JsonRead } from './json-aside.ts'

/** So many values are handed over in a millisecond. */
const fewValues = 5000

// Who sends megabytes waits for them anyway; others should not.
yieldToOthers()

answerTasks((input): JsonRead | Handover => {
  try {
    const text = Buffer.concat(input as Uint8Array[]).toString()
    const { value, values, isWhole } = parseCounted(text)
    if (values <= fewValues) return { value }
    const bytes = new TextEncoder().encode(isWhole ? text : JSON.stringify(value))
    return new Handover({ bytes } satisfies JsonRead, [bytes])
  } catch (error) {
    if (error instanceof ApiError) return { refused: error.code, message: error.message, details: error.details }
    throw error
  }
})
