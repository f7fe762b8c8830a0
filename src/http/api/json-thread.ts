/** The inside of the thread that reads large bodies. */
import { ApiError } from '../../core/errors.ts'
import { answerTasks, yieldToOthers } from '../../threads/answer-tasks.ts'
import { parseCounted } from './json.ts'
import type { JsonRead } from './json-aside.ts'

/** So many values are handed over in a millisecond. */
const fewValues = 5000

// Who sends megabytes waits for them anyway; others should not.
yieldToOthers()

answerTasks((input): JsonRead => {
  try {
    const { value, values, isWhole } = parseCounted(Buffer.from(input as Uint8Array).toString())
    if (values <= fewValues) return { value }
    return isWhole ? { is: 'valid' } : { text: JSON.stringify(value) }
  } catch (error) {
    if (error instanceof ApiError) return { refused: error.code, message: error.message }
    throw error
  }
})
