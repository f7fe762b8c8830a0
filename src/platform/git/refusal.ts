/** Refusals of the thread that reads and writes repositories. */
import type { ErrorCode } from '../../core/errors.ts'

/** Why a repository is not read or written, in a sentence for whoever asked. */
export class GitRefusal extends Error {
  override name = 'GitRefusal'
  readonly code: ErrorCode

  constructor(code: ErrorCode, message: string) {
    super(message)
    this.code = code
  }
}
