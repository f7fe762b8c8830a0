/** What somebody who waits for a job is told when it has failed, so that they know what to do. */
import { ApiError, statusOf } from '../core/errors.ts'
import { JobFailed } from './kinds.ts'

/** Whether the job would fail in the same way again: what is wrong is what was asked for, and not the server. */
export const isFinal = (error: unknown): error is ApiError =>
  error instanceof ApiError && statusOf(error.code) < 500 && error.code !== 'rate_limited'

export function failureOf(what: string, error: Error, jobId: string): ApiError {
  return new ApiError(error instanceof ApiError ? error.code : 'internal_error', {
    message: `${reasonOf(what, error)} Nothing was changed. Start it again; if it fails again, the log of the server tells more of job ${jobId}.`,
  })
}

function reasonOf(what: string, error: Error): string {
  if (error instanceof JobFailed) return `The server was stopped or held up each time the ${what} ran.`
  const message = error.message.trim() || error.name
  return `A fault of the server ended the ${what}: ${message}${/[.!?]$/.test(message) ? '' : '.'}`
}
