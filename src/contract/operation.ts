/**
 * One row an operation: method, path, permission, input, success, failures.
 *
 * Routing, validation, permission checks, the OpenAPI document, the typed client and the coverage tests are readings of
 * these rows; nothing about an operation is said anywhere else. The types below carry a row's path and fields to the
 * function that implements it, so that a permission on a thing the path does not name, or a handler that returns another
 * shape, does not compile.
 */
import type { z } from 'zod'
import type { Bytes } from '../core/blobs.ts'
import type { ErrorCode } from '../core/errors.ts'
import type { Kind, Permission } from '../core/permissions.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** The names in braces: `ParamsOf<'/v1/spaces/{spaceId}'>` is `'spaceId'`. */
export type ParamsOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamsOf<Rest>
  : never

/** The kind of thing a parameter names. A user inside an organization is its member. */
export type KindOf<Param extends string, Path extends string> = Param extends 'userId'
  ? Path extends `${string}{organizationId}${string}`
    ? 'member'
    : 'user'
  : Param extends `${infer Thing}Id` | `${infer Thing}Slug`
    ? Thing
    : never

/** The abilities a path can ask for: only those on something it names. `account` is any valid token, `anyone` needs none. */
type Needs<Path extends string> =
  | Extract<Permission, `${Extract<KindOf<ParamsOf<Path>, Path>, Kind>}.${string}`>
  | 'account'
  | 'anyone'

export interface Fields {
  query?: z.ZodRawShape
  body?: z.ZodType
  /** Takes files as multipart/form-data instead of a JSON body; its handler receives them as they arrive. */
  upload?: true
  /** 200 with this shape. */
  ok?: z.ZodType
  /** 201 with this shape and a `Location`. Neither `ok` nor `created`: 204. */
  created?: z.ZodType
  /** With `ok`: 201 instead of 200, with the same shape, when the thing was not there before. */
  orCreated?: true
  /** Of a DELETE: 205 when there was something to delete. */
  reset?: true
  /** The kind of a thing that the path names and the handler looks for itself, because it may have to make it. */
  unloaded?: 'spec'
  /** The body is stored as JSON and sent as it is; `mostly`: unless the query asks for something else. */
  stored?: true | 'mostly'
  /** 201 with no body. */
  createdEmpty?: true
  /** 200 with events of this shape for as long as the caller listens (`text/event-stream`). */
  stream?: z.ZodType
  /** Codes this operation may answer with, beyond those every operation has. */
  fails?: readonly ErrorCode[]
  /**
   * Writes under one path-named root take turns; an operation that only appends says `false` and waits for no lock, but may share
   * a transaction with others that do. `tree` is the one lock of all that change where spaces and collections stand, so that no two moves can make a cycle.
   */
  lock?: false | 'tree'
  /** Gives rights on a space or collection, or binds it to something, of its organization: none moves or is transferred meanwhile. */
  placed?: true
  /** A POST that writes nothing, because its question is too long for an address: no transaction, no lock, no event. */
  reads?: true
  /** A POST whose answer is a cookie too, which is not kept: it is carried out each time, whatever its Idempotency-Key. */
  setsCookie?: true
  /** Also for things that are deleted and can still be restored; for every other row they are not there. */
  evenDeleted?: true
  /** Also for visitors of a published site, who see of it what its conditions admit them to. */
  visitors?: true
  /**
   * What `If-Match` names: the tag of what a GET of the path answers, or the id of the revision that the content is at,
   * which costs no rendering.
   */
  match?: 'revision'
  deprecated?: true
  /** One line for the API document where the name is not enough. */
  summary?: string
}

/** A file of a form, while it arrives. */
export interface UploadedFile {
  /** The name it has with the sender; empty when it was sent without one. */
  name: string
  contentType?: string | undefined
  bytes: Bytes
}

/** The files of a form, in order. The bytes of one are read to their end before the next is asked for. */
export type Upload = AsyncIterable<UploadedFile>

export interface Operation<Path extends string = string, F extends Fields = Fields> {
  method: Method
  path: Path
  needs: Permission | 'account' | 'anyone'
  fields: F
  /** The row this one repeats at another path; they share one handler. */
  twinOf?: Operation
}

const row =
  (method: Method) =>
  <const Path extends string, const F extends Fields = Record<never, never>>(
    path: Path,
    needs: Needs<Path>,
    fields?: F,
  ): Operation<Path, F> => ({ method, path, needs, fields: (fields ?? {}) as F })

export const GET = row('GET')
export const POST = row('POST')
export const PUT = row('PUT')
export const PATCH = row('PATCH')
export const DELETE = row('DELETE')

/** The same operation mounted at a second path: comments and content stand under a space and under a change request alike. */
export const twin = <const Path extends string, F extends Fields>(
  path: Path,
  of: Operation<string, F>,
): Operation<Path, F> & { twinOf: Operation } => ({
  method: of.method,
  path,
  needs: of.needs,
  fields: of.fields,
  twinOf: of as Operation,
})

export type QueryOf<F extends Fields> = F['query'] extends z.ZodRawShape
  ? z.output<z.ZodObject<F['query']>>
  : Record<never, never>
export type BodyOf<F extends Fields> = F['upload'] extends true
  ? Upload
  : F['body'] extends z.ZodType
    ? z.output<F['body']>
    : undefined

/** What a caller sends, before defaults are filled in. */
export type QueryInput<F extends Fields> = F['query'] extends z.ZodRawShape
  ? z.input<z.ZodObject<F['query']>>
  : Record<never, never>
export type BodyInput<F extends Fields> = F['body'] extends z.ZodType ? z.input<F['body']> : undefined

/** What the operation answers with: the shape behind `ok` or `created`, or nothing. */
export type ResultOf<F extends Fields> = F['ok'] extends z.ZodType
  ? z.output<F['ok']>
  : F['created'] extends z.ZodType
    ? z.output<F['created']>
    : F['stream'] extends z.ZodType
      ? AsyncIterable<z.output<F['stream']>>
      : undefined

export const successOf = (fields: Fields): { status: number; shape?: z.ZodType } => {
  if (fields.ok) return { status: 200, shape: fields.ok }
  if (fields.created) return { status: 201, shape: fields.created }
  if (fields.stream) return { status: 200, shape: fields.stream }
  if (fields.createdEmpty) return { status: 201 }
  return { status: 204 }
}

/** The parameters of a path, left to right. */
export const paramsOf = (path: string): string[] => Array.from(path.matchAll(/\{(\w+)\}/g), (match) => match[1] ?? '')

export const isRead = ({ method, fields }: Operation): boolean => method === 'GET' || fields.reads === true

/** Whether it is carried out once for each Idempotency-Key. */
export const honoursKeys = (operation: Operation): boolean =>
  operation.method === 'POST' && !isRead(operation) && operation.fields.setsCookie !== true

/** What a call of an operation brings with it, however it travels: parameters of the path, query, body, and two headers. */
export interface CallInput {
  params: Record<string, string>
  query: Record<string, unknown>
  body: unknown
  ifMatch?: string | undefined
  idempotencyKey?: string | undefined
}
