/**
 * Scenario tables: for one operation, who asks for what in which state, and what they get.
 *
 * Rows stand in the order in which the server decides: 401 · 404 · 403 · 400 · 409 and its kin · success. A refused or
 * reading request must leave every table as it was; a successful write may say which tables it touches.
 */
import { describe, expect, test } from 'vitest'
import type { OperationName } from '../../src/contract/index.ts'
import { isRead } from '../../src/contract/operation.ts'
import type { ErrorCode } from '../../src/core/errors.ts'
import type { Tables } from '../../src/store/tables.ts'
import { notNoted } from './not-noted.ts'
import { type Json, type Kit, rowOf, type Someone } from './server.ts'
import { changed, snapshotOf } from './snapshot.ts'

export interface Scenario {
  as: Someone
  /** Brings the world into the state the scenario starts from; what it returns is added to the input. */
  given?: (kit: Kit) => Promise<Input | undefined> | Promise<void>
  params?: Given<Record<string, string>>
  query?: Given<Record<string, unknown>>
  body?: Given<unknown>
  headers?: Given<Record<string, string>>
  answers: number
  /** The `type` of the error. */
  code?: ErrorCode
  /** The field that a 400 must name. */
  field?: string
  /** A part of the answer's body; or a look at all of it, which may return such a part. */
  gives?: object | ((kit: Kit, body: Json) => object | undefined | Promise<void>)
  /** The tables it writes to, exactly, beside `event`, to which all that write do. A refusal and a GET write to none, said or unsaid. */
  writes?: readonly (keyof Tables)[]
}

interface Input {
  params?: Record<string, string>
  query?: Record<string, unknown>
  body?: unknown
}

type Given<T> = T | ((kit: Kit) => T)

export function scenarios(
  kit: Kit,
  name: OperationName,
  table: Record<string, Scenario>,
  common: { params?: Given<Record<string, string>>; body?: Given<unknown> } = {},
): void {
  describe(name, () => {
    test('has its scenarios in order', () => {
      const order = Object.values(table).map((scenario) => placeOf(scenario.answers))
      expect(order).toEqual(order.toSorted((a, b) => a - b))
    })
    for (const [title, scenario] of Object.entries(table)) {
      test(`${scenario.answers} ${title}`, () => play(kit, name, { ...common, ...scenario }))
    }
  })
}

const places = [401, 404, 403, 400, 409]
const placeOf = (status: number): number =>
  status < 300 ? places.length + 1 : places.includes(status) ? places.indexOf(status) : places.length

async function play(kit: Kit, name: OperationName, scenario: Scenario): Promise<void> {
  const extra = (await scenario.given?.(kit)) ?? undefined
  const input = {
    ...givenOf(scenario.params, kit),
    ...extra?.params,
    query: { ...givenOf(scenario.query, kit), ...extra?.query },
    body: extra?.body ?? givenOf(scenario.body, kit),
  }
  const before = await snapshotOf(kit.db)
  const answer = await kit.call(scenario.as, name, input, givenOf(scenario.headers, kit))
  const after = await snapshotOf(kit.db)

  expect(answer.status, JSON.stringify(answer.body)).toBe(scenario.answers)
  if (scenario.code) expect(answer.body.error?.type).toBe(scenario.code)
  if (scenario.field) expect(fieldsOf(answer.body)).toContain(scenario.field)
  const silent = answer.status >= 400 || isRead(rowOf(name))
  const writes = silent ? [] : scenario.writes
  if (writes) expect(changed(before, after)).toEqual(withEvent(name, writes))
  await checkBody(scenario.gives, answer.body, kit)
}

const withEvent = (name: OperationName, writes: readonly string[]): string[] =>
  [...new Set([...writes, ...(writes.length === 0 || name in notNoted ? [] : ['event'])])].sort()

async function checkBody(gives: Scenario['gives'], body: Json, kit: Kit): Promise<void> {
  if (gives === undefined) return
  const part =
    typeof gives === 'function' ? await (gives as (kit: Kit, body: Json) => object | undefined)(kit, body) : gives
  if (part !== undefined) expect(body).toMatchObject(part)
}

const fieldsOf = (body: Json): unknown[] =>
  ((body.error?.details ?? []) as { field: string }[]).map((detail) => detail.field)

const givenOf = <T>(given: Given<T> | undefined, kit: Kit): T | undefined =>
  typeof given === 'function' ? (given as (kit: Kit) => T)(kit) : given
