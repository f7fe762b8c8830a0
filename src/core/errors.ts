/** Every error the API answers with: its code, its status, its sentence. The only place where a status is chosen. */
// biome-ignore format: a table reads best as one.
const errors = {
  invalid_input:         [400, 'The request does not have the form that this operation takes.'],
  malformed_json:        [400, 'The body is not valid JSON.'],
  too_deep:              [400, 'The body is nested more deeply than 512 levels.'],
  invalid_cursor:        [400, 'The page token was not issued for this list, or was altered. Start again without `page`.'],
  invalid_document:      [400, 'The document does not have the form of a document tree.'],
  invalid_condition:     [400, 'The condition is not an expression that Lectern can evaluate.'],
  unauthenticated:       [401, 'The request carries no valid API token. Send `Authorization: Bearer <token>`.'],
  wrong_credentials:     [401, 'The e-mail address or the password is not right.'],
  forbidden:             [403, 'You may see this, but your role does not allow this operation.'],
  not_own_origin:        [403, 'Only pages of this installation may do this. Send `X-Lectern-App: 1` from its own origin.'],
  sso_required:          [403, 'This organization asks you to sign in with single sign-on.'],
  not_found:             [404, 'There is no such resource, or you may not see it.'],
  method_not_allowed:    [405, 'This path does not take that method.'],
  request_timeout:       [408, 'The request did not arrive in time: its headers within 30 seconds.'],
  conflict:              [409, 'The request does not fit the present state of the resource.'],
  last_admin:            [409, 'An organization always keeps at least one admin. Make someone else an admin first.'],
  already_exists:        [409, 'There already is one of that name.'],
  cycle:                 [409, 'A thing cannot be moved into itself or into something it contains.'],
  same_organization:     [409, 'It already belongs to that organization.'],
  space_locked:          [409, 'The space is locked: its content changes only by merging a change request.'],
  space_translated:      [409, 'The space is a translation: its content follows the space it is translated from. Change that one, or the instructions of the translation.'],
  change_request_closed: [409, 'The change request is merged or archived and takes no more edits.'],
  edit_conflict:         [409, 'Somebody changed the same words meanwhile. `details` has both versions of each block.'],
  unresolved_conflicts:  [409, 'Blocks with both versions are still marked in the change request. Resolve them, then merge.'],
  invite_used:           [409, 'You already belong to this organization.'],
  base_gone:             [410, 'The revision that the edit was made from is not kept any more. Read the page again and send the edit with its revision.'],
  restore_expired:       [410, 'It was deleted more than seven days ago and is gone for good.'],
  precondition_failed:   [412, 'The resource has changed since you read it. Read it again and repeat the request.'],
  shown_on_site:         [412, 'A site of the present organization shows this space. Remove it from the site first.'],
  too_large:             [413, 'The body is larger than this operation takes.'],
  unsupported_media:     [415, 'Send the body as `Content-Type: application/json`.'],
  range_not_satisfiable: [416, 'The file has no bytes in the range that was asked for.'],
  idempotency_mismatch:  [422, 'This Idempotency-Key was used before with a different request.'],
  pdf_failed:            [422, 'This could not be set as a book. Print a part of it: name a page.'],
  headers_too_large:     [431, 'The address and the headers of a request may take 16 KiB together.'],
  rate_limited:          [429, 'Too many requests. Wait for the seconds named in Retry-After.'],
  internal_error:        [500, 'Something went wrong on our side. The request id names it in the server log.'],
  overloaded:            [503, 'The server is busy. Try again in a moment.'],
  storage_unavailable:   [503, 'The database cannot be reached just now. Nothing was changed; try again in a moment.'],
  outcome_unknown:       [503, 'The connection to the database broke while the change was being stored, so it may or may not have happened. Look, or repeat a POST with the same Idempotency-Key: it then happens once.'],
  storage_full:          [507, 'There is no space left to store this. Nothing was changed.'],
} as const satisfies Record<string, readonly [status: number, sentence: string]>

export type ErrorCode = keyof typeof errors

export const isErrorCode = (text: string): text is ErrorCode => Object.hasOwn(errors, text)

export const statusOf = (code: ErrorCode): number => errors[code][0]
export const sentenceOf = (code: ErrorCode): string => errors[code][1]

/** One thing that is wrong with the input: where, and what to do about it. */
export interface Detail {
  field: string
  message: string
  /** Of an edit that met another: what both sides made of it. */
  conflict?: EditConflict
}

/** Something that two edits of one page want differently: a block, by its key, or a field of the page. */
export interface EditConflict {
  page: string
  block?: string
  field?: string
  /** What is stored now: the blocks, none where it was deleted; or the value of the field. */
  ours: unknown
  /** What was sent. */
  theirs: unknown
}

/** What a domain function throws; `http` turns it into `{ error: { code: status, type: code, message, details } }`. */
export class ApiError extends Error {
  override name = 'ApiError'
  readonly status: number
  readonly code: ErrorCode
  readonly details: readonly Detail[]
  /** Seconds after which it may be tried again. */
  readonly retryAfter: number | undefined

  /** `cause` is for the log, and for whoever typed a command: callers are told the sentence. */
  constructor(
    code: ErrorCode,
    options: { message?: string; details?: readonly Detail[]; retryAfter?: number; cause?: unknown } = {},
  ) {
    super(options.message ?? sentenceOf(code), options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.status = statusOf(code)
    this.details = options.details ?? []
    this.retryAfter = options.retryAfter
  }
}

/** Refuses a value the caller sent: 400, naming the field. */
export const invalid = (field: string, message: string): ApiError =>
  new ApiError('invalid_input', {
    message: `\`${field}\` ${message.replace(/\.?$/, '.')}`,
    details: [{ field, message }],
  })

/** Refuses a document inside what the caller sent: 400, naming the place in it. */
export const invalidDocument = (field: string, { path, message }: { path: string; message: string }): ApiError =>
  new ApiError('invalid_document', {
    message: `\`${field}\`: ${message}`,
    details: [{ field: [field, dotted(path)].filter((part) => part !== '').join('.'), message }],
  })

/** Refuses a page token that is none of the list it was sent to. */
export const invalidCursor = (): ApiError =>
  new ApiError('invalid_cursor', { details: [{ field: 'page', message: 'was not issued for this list' }] })

export const fail = (code: ErrorCode, message?: string): ApiError => new ApiError(code, message ? { message } : {})

/** A place inside a document as the details of errors name it: `nodes[3].data` → `nodes.3.data`. */
const dotted = (path: string): string => path.replace(/\[(\d+)\]/g, '.$1').replace(/^\./, '')
