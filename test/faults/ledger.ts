/**
 * Writers that go on while the database comes and goes, and the ledger of what they were told.
 *
 * Every second writer sends no Idempotency-Key: it repeats a write only when the server said that nothing was changed, and
 * gives up one whose outcome is unknown. So a write that is there twice, or not there though acknowledged, is the server's.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { walk } from '../../src/client/walk.ts'
import { adminToken, type Running } from './process.ts'

export interface Ledger {
  acknowledged: Set<string>
  /** Whether it happened, nobody can tell. */
  unsure: Set<string>
  /** How often each answer was given. */
  outcomes: Map<string, number>
  /** The longest that a request waited for its answer, in milliseconds. */
  slowest: number
  /** When the last write was acknowledged. */
  lastAt: number
  stop(): Promise<void>
}

export function startWriters(
  servers: readonly Running[],
  { organizationId, count = 8, pause = 0 }: { organizationId: string; count?: number; pause?: number },
): Ledger {
  let isOver = false
  const ledger: Ledger = {
    acknowledged: new Set(),
    unsure: new Set(),
    outcomes: new Map(),
    slowest: 0,
    lastAt: 0,
    stop: async () => {
      isOver = true
      await Promise.all(writers)
    },
  }
  const write = async (writer: number): Promise<void> => {
    const server = servers[writer % servers.length]
    const isKeyed = writer % 2 === 0
    for (let i = 0; !isOver; i++) {
      const title = `w${writer} n${i}`
      for (;;) {
        const started = performance.now()
        const outcome = await post(`${server?.url}/v1/orgs/${organizationId}/collections`, title, isKeyed)
        ledger.slowest = Math.max(ledger.slowest, performance.now() - started)
        ledger.outcomes.set(outcome, (ledger.outcomes.get(outcome) ?? 0) + 1)
        if (outcome === '201') {
          ledger.acknowledged.add(title)
          ledger.lastAt = performance.now()
          break
        }
        const isKnown = /^(overloaded|storage_unavailable)$/.test(outcome)
        if (!isKnown && !isKeyed) {
          ledger.unsure.add(title)
          break
        }
        await sleep(30)
      }
      if (pause > 0) await sleep(pause)
    }
  }
  const writers = Array.from({ length: count }, (_, writer) => write(writer))
  return ledger
}

async function post(url: string, title: string, isKeyed: boolean): Promise<string> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${adminToken}`,
        'content-type': 'application/json',
        ...(isKeyed ? { 'idempotency-key': title } : {}),
      },
      body: JSON.stringify({ title }),
      signal: AbortSignal.timeout(60_000),
    })
    const body = (await response.json()) as { error?: { type: string } }
    return response.status === 201 ? '201' : (body.error?.type ?? String(response.status))
  } catch (error) {
    return `no answer: ${String(error)}`
  }
}

/** What is wrong with what is stored, held against what was told. */
export async function faultsIn(server: Running, organizationId: string, ledger: Ledger): Promise<string[]> {
  const found = new Map<string, number>()
  const list = server.client().listCollectionsInOrganizationById
  for await (const { title } of walk(list, { organizationId, query: { limit: 1000 } }))
    found.set(title, (found.get(title) ?? 0) + 1)
  return [
    ...[...ledger.acknowledged].filter((title) => !found.has(title)).map((title) => `lost: ${title}`),
    ...[...found].filter(([, times]) => times > 1).map(([title]) => `doubled: ${title}`),
    ...[...found.keys()]
      .filter((title) => !ledger.acknowledged.has(title) && !ledger.unsure.has(title))
      .map((title) => `never acknowledged: ${title}`),
    ...[...ledger.outcomes.keys()].filter((outcome) => !expected.has(outcome)),
  ]
}

const expected = new Set(['201', 'overloaded', 'storage_unavailable', 'outcome_unknown'])
