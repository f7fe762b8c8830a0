/** Holds every answer against its row: nothing undeclared, nothing missing, no error code that the row does not name. */
import { isDeepStrictEqual } from 'node:util'
import { isRead, type Operation, successOf } from '../../src/contract/operation.ts'
import { type ErrorCode, statusOf } from '../../src/core/errors.ts'

/** What any operation may answer with: about who calls, the form of the request, and the state of the server. */
const common: readonly ErrorCode[] = [
  'invalid_input',
  'malformed_json',
  'too_deep',
  'unauthenticated',
  'forbidden',
  'sso_required',
  'not_found',
  'too_large',
  'unsupported_media',
  'rate_limited',
  'overloaded',
  'storage_unavailable',
  'outcome_unknown',
  'storage_full',
]

const commonFor = (operation: Operation): readonly ErrorCode[] => [
  ...common,
  ...(operation.fields.query && 'page' in operation.fields.query ? (['invalid_cursor'] as const) : []),
  ...(isRead(operation) ? [] : (['precondition_failed'] as const)),
  ...(operation.method === 'POST' ? (['idempotency_mismatch'] as const) : []),
]

/** A sentence for what is wrong with an answer; undefined when nothing is. */
export function faultOf(name: string, operation: Operation, status: number, body: unknown): string | undefined {
  if (status >= 400) return errorFault(name, operation, status, body)
  const expected = successOf(operation.fields)
  if (status === 304 || operation.fields.stream) return undefined
  // Deleting answers 204 whatever there was; the one 205 is a translation's.
  const statuses =
    operation.method === 'DELETE'
      ? [expected.status, 204, 205]
      : [expected.status, ...(operation.fields.orCreated ? [201] : [])]
  if (!statuses.includes(status)) return `${name} answered ${status}; its row says ${expected.status}.`
  if (expected.shape === undefined || status === 204 || status === 205) {
    return body === undefined ? undefined : `${name} answered ${status} with a body: ${JSON.stringify(body)}.`
  }
  const sent: unknown = body === undefined ? undefined : JSON.parse(JSON.stringify(body))
  const parsed = expected.shape.safeParse(sent)
  if (!parsed.success)
    return `${name} answered what its row does not allow: ${parsed.error.message}\n${JSON.stringify(sent)}`
  // Parsing drops what the shape does not name, so a difference is an undeclared field.
  const kept: unknown = JSON.parse(JSON.stringify(parsed.data))
  return isDeepStrictEqual(kept, sent)
    ? undefined
    : `${name} answered with fields its row does not declare (or lacks defaults it does): ${JSON.stringify(sent)} against ${JSON.stringify(kept)}.`
}

function errorFault(name: string, operation: Operation, status: number, body: unknown): string | undefined {
  const shape = errorShapeFault(status, body)
  if (shape) return `${name}: ${shape}`
  const { type } = (body as { error: { type: ErrorCode } }).error
  const allowed = [...commonFor(operation), ...(operation.fields.fails ?? [])]
  return allowed.includes(type) ? undefined : `${name} failed with ${type}, which its row does not name.`
}

/** The error body of decisions.md, wherever it comes from. */
export function errorShapeFault(status: number, body: unknown): string | undefined {
  const error = (body as { error?: Record<string, unknown> } | undefined)?.error
  if (!error) return `${status} without an error body: ${JSON.stringify(body)}.`
  const { code, message, type, details, ...rest } = error
  const extra = Object.keys(rest).filter((key) => key !== 'requestId')
  if (extra.length > 0) return `the error body has ${extra.join(', ')}.`
  if (code !== status) return `the error body says ${code} and the status ${status}.`
  if (typeof message !== 'string' || message === '') return `the error body of ${status} has no message.`
  if (typeof type !== 'string' || statusOf(type as ErrorCode) !== status) return `${type} is no type of ${status}.`
  if (details !== undefined && !isDetails(details)) return `the details of ${type} are ${JSON.stringify(details)}.`
  return undefined
}

const isDetails = (details: unknown): boolean =>
  Array.isArray(details) &&
  details.length > 0 &&
  details.every((item) => isDotted(item.field) && typeof item.message === 'string' && item.message !== '')

const isDotted = (field: unknown): boolean => typeof field === 'string' && !/\[\d+\]/.test(field)
