/**
 * A server in memory: the real one, without a port, on a database of its own, with an organization and one person for
 * each role. Every answer it gives is held against its row; a wrong one fails the call that got it.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import { beforeAll } from 'vitest'
import { type Answered, type Call, type Client, makeClient } from '../../src/client/client.ts'
import { addressOf, answerOf, headersOf, payloadOf } from '../../src/client/http.ts'
import { inProcessTransport } from '../../src/client/in-process.ts'
import { operations } from '../../src/contract/index.ts'
import type { Operation } from '../../src/contract/operation.ts'
import { type Role, roles } from '../../src/core/permissions.ts'
import type { Environment } from '../../src/domain/environment.ts'
import { addUser, makeToken, setUp } from '../../src/domain/setup.ts'
import { makeServer, type Server } from '../../src/http/serve.ts'
import { open } from '../../src/open.ts'
import { readConfig } from '../../src/platform/config.ts'
import { type Log, makeLog } from '../../src/platform/log.ts'
import type { Database } from '../../src/store/database.ts'
import { updateMember } from '../../src/store/people/members.ts'
import { findTokenOwner, insertUser } from '../../src/store/people/users.ts'
import type { Backend } from './backends.ts'
import { errorShapeFault, faultOf } from './check-answer.ts'

/** Everyone a permission test meets, from least to most. `nobody` has no token; `stranger` belongs elsewhere. */
export const cast = ['nobody', 'stranger', 'disabled', 'guest', ...roles] as const
export type Someone = (typeof cast)[number]

export interface Person {
  id: string
  email: string
  token: string
}

export interface Clock {
  now(): Date
  /** Sets the time; from here it moves on by a millisecond with each look, so that no two requests share one. */
  set(time: Date | string): void
  advance(milliseconds: number): void
}

export interface KitOptions {
  rateLimit?: number
  /** Milliseconds of delay at which the server calls itself overloaded; never, unless said. */
  delayLimit?: number
  clock?: Clock
  /** Settings that are not those of every kit, such as `LECTERN_URL`. */
  settings?: Record<string, string>
  /** Where its log goes; nowhere, unless said. */
  log?: Log
}

export interface Kit {
  /** What `DATABASE_URL` would say. */
  location: string
  /** What `LECTERN_DATA` would say. */
  folder: string
  backend: Backend
  db: Database
  env: Environment
  server: Server
  clock: Clock
  /** The organization of everyone but the stranger. */
  organization: string
  /** The stranger's own. */
  otherOrganization: string
  people: Record<Exclude<Someone, 'nobody'>, Person>
  /** The typed client of each of them. */
  as: Record<Someone, Client>
  client(token?: string): Client
  /** The client that skips HTTP. */
  inProcess(someone: Someone): Promise<Client>
  /** One more person, with a token. */
  addPerson(person: { email: string; name?: string; role: Role | null; organization?: string }): Promise<Person>
  /** A raw request; only its answer's form is checked. */
  request(options: InjectOptions & { as?: Someone | undefined }): Promise<LightMyRequestResponse>
  /** What Prometheus would be told. */
  metrics(): Promise<string>
  /** A call by its row, whatever the answer. */
  call(as: Someone, name: string, input: Record<string, unknown>, headers?: Record<string, string>): Promise<CallAnswer>
}

export interface CallAnswer {
  status: number
  // Tests read all kinds of answers; each asserts what it needs.
  body: Json
  headers: LightMyRequestResponse['headers']
}

/** Anything an answer may hold; reading on from a leaf gives undefined, as it does at run time. */
export interface Json {
  [key: string]: Json
}

/** A kit for the tests of a `describe`: made before them, gone after them. */
export function useKit(backend: Backend, options: KitOptions = {}): Kit {
  let made: Kit | undefined
  beforeAll(async () => {
    const { kit, close } = await makeKit(backend, options)
    made = kit
    return close
  })
  return new Proxy({} as Kit, {
    get: (_, name) => {
      if (!made) throw new Error('The kit is there while tests run, not while they are collected.')
      return made[name as keyof Kit]
    },
  })
}

export async function makeKit(backend: Backend, options: KitOptions = {}) {
  const place = await backend.make()
  const clock = options.clock ?? makeClock()
  const config = readConfig({
    DATABASE_URL: place.location,
    LECTERN_DATA: place.folder,
    LECTERN_URL: 'http://lectern.test',
    LECTERN_LOG_LEVEL: 'silent',
    LECTERN_HOSTNAME_PROOF: '0',
    // Jobs run where a test starts a worker: a request that waits for one would wait for nobody.
    LECTERN_IMPORT_WAIT: '0',
    LECTERN_CREATE_ORGANIZATIONS: 'anyone',
    ...options.settings,
  })
  const opened = await open(config)
  const { db, env } = opened
  db.caches.checksCachedRows = true
  const server = await makeServer({
    ...opened,
    log: options.log ?? makeLog('silent'),
    rateLimit: options.rateLimit ?? 0,
    delayLimit: options.delayLimit ?? 0,
    metrics: config.metrics,
    clock: () => clock.now(),
  })
  await server.app.ready()
  const { organization, otherOrganization, people } = await makePeople(db, env, server)
  const tokenOf = (someone: Someone) => (someone === 'nobody' ? undefined : people[someone].token)
  const client = (token?: string) => makeClient((call) => carry(server, call, token))
  const kit: Kit = {
    backend,
    location: place.location,
    folder: place.folder,
    db,
    env,
    server,
    clock,
    organization,
    otherOrganization,
    people,
    as: Object.fromEntries(cast.map((someone) => [someone, client(tokenOf(someone))])) as Kit['as'],
    client,
    inProcess: async (someone) => {
      const token = tokenOf(someone)
      const row = token === undefined ? undefined : await findTokenOwner(db, { hash: env.hashSecret(token) })
      if (!row) return makeClient(inProcessTransport(server.runners))
      const { tokenId, lastUsedAt: _, ...user } = row
      return makeClient(inProcessTransport(server.runners, { user, credential: { kind: 'token', id: tokenId } }))
    },
    addPerson: async (person) => {
      const { user, token } = await addUser(db, env, { organization, ...person })
      return { id: user.id, email: user.email, token }
    },
    request: async ({ as, ...request }) => {
      const token = as && tokenOf(as)
      const headers = { ...(token === undefined ? {} : { authorization: `Bearer ${token}` }), ...request.headers }
      const response = await server.app.inject({ ...request, headers })
      const fault = response.statusCode >= 400 && errorShapeFault(response.statusCode, bodyOf(response))
      if (fault && request.method !== 'HEAD') throw new Error(`${request.method} ${String(request.url)}: ${fault}`)
      return response
    },
    metrics: () => server.edge.metrics.registry.metrics(),
    call: async (as, name, input, headers) => {
      const operation = rowOf(name)
      const { ifMatch, idempotencyKey, query = {}, body, ...params } = input
      const call = { name, operation, params, query, body, ifMatch, idempotencyKey } as Call
      const response = await send(server, call, tokenOf(as), headers)
      return { status: response.statusCode, body: bodyOf(response) as Json, headers: response.headers }
    },
  }
  const close = async () => {
    await closeServer(server)
    await db.close()
    await place.drop()
  }
  return { kit, close }
}

/**
 * Requests under way are answered; then connections are ended. Those that browsers open ahead and do not use hold up a close
 * until the browser gives them up, after a minute.
 */
async function closeServer({ app }: Server): Promise<void> {
  const ending = setInterval(() => app.server.closeAllConnections(), 100)
  try {
    await app.close()
  } finally {
    clearInterval(ending)
  }
}

export function makeClock(start: Date | string = new Date()): Clock {
  let time = new Date(start).getTime()
  return {
    now: () => new Date(time++),
    set: (to) => {
      time = new Date(to).getTime()
    },
    advance: (milliseconds) => {
      time += milliseconds
    },
  }
}

export const rowOf = (name: string): Operation => {
  const row = operations.find(([known]) => known === name)?.[1]
  if (!row) throw new Error(`There is no operation ${name}.`)
  return row
}

async function carry(server: Server, call: Call, token: string | undefined): Promise<Answered> {
  const response = await send(server, call, token)
  return answerOf(response.statusCode, response.payload, (name) => {
    const value = response.headers[name]
    return value === undefined ? undefined : String(value)
  })
}

async function send(server: Server, call: Call, token: string | undefined, headers: Record<string, string> = {}) {
  const response = await server.app.inject({
    method: call.operation.method,
    url: addressOf(call),
    headers: { ...headersOf(call, token), ...headers },
    ...(call.body === undefined ? {} : { payload: payloadOf(call.body) }),
  })
  const fault =
    faultOf(call.name, call.operation, response.statusCode, bodyOf(response)) ??
    (response.statusCode === 201 && response.headers.location === undefined
      ? `${call.name} answered 201 without saying where it is.`
      : undefined)
  if (fault) throw new Error(fault)
  return response
}

function bodyOf(response: LightMyRequestResponse): unknown {
  if (response.payload === '') return undefined
  try {
    return JSON.parse(response.payload)
  } catch {
    return response.payload
  }
}

async function makePeople(db: Database, env: Environment, server: Server) {
  const first = await setUp(db, env, { email: 'admin@lectern.test' })
  if (!first) throw new Error('The database of a kit is empty.')
  const { organization } = first
  const member = async (name: string, role: Role | null): Promise<Person> => {
    const { user, token } = await addUser(db, env, { email: `${name}@lectern.test`, name, organization, role })
    return { id: user.id, email: user.email, token }
  }
  const disabled = await member('disabled', 'create')
  await updateMember(db, { organizationId: organization, userId: disabled.id }, { disabled: 1 })
  // Members who join in one millisecond are in the order of their ids, which is nobody's.
  await sleep(2)
  const people: Kit['people'] = {
    stranger: await makeStranger(db, env),
    disabled,
    guest: await member('guest', null),
    read: await member('read', 'read'),
    comment: await member('comment', 'comment'),
    edit: await member('edit', 'edit'),
    review: await member('review', 'review'),
    create: await member('create', 'create'),
    admin: { id: first.user, email: 'admin@lectern.test', token: first.token },
  }
  const stranger = makeClient((call) => carry(server, call, people.stranger.token))
  const other = await stranger.createOrganization({ body: { title: 'Elsewhere' } })
  return { organization, otherOrganization: other.id, people }
}

async function makeStranger(db: Database, env: Environment): Promise<Person> {
  const now = new Date().toISOString()
  const id = env.newId()
  const email = 'stranger@elsewhere.test'
  return db.transaction(async (tx) => {
    await insertUser(tx, { id, displayName: 'stranger', email, createdAt: now })
    return { id, email, token: await makeToken(tx, env, { userId: id, label: 'test', now }) }
  })
}
