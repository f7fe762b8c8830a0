/** Every row of the contract with its handler, ready to run. */
import { contract } from '../../contract/index.ts'
import type { Operation } from '../../contract/operation.ts'
import { handlers } from '../../domain/index.ts'
import { makeRunner, type Parts, type Runner } from './dispatch.ts'

export function makeRunners(parts: Parts): Map<string, Runner> {
  const runners = new Map<string, Runner>()
  const rows = Object.entries(contract) as [string, Operation][]
  const readers = new Map(rows.filter(([, row]) => row.method === 'GET').map(([name, row]) => [row.path, name]))
  for (const [name, row] of rows) {
    const original = row.twinOf ? (rows.find(([, other]) => other === row.twinOf)?.[0] ?? name) : name
    const handler = (handlers as Record<string, unknown>)[original] as ((call: unknown) => Promise<unknown>) | undefined
    if (!handler) throw new Error(`The operation ${name} has no handler.`)
    const others = {
      reader: () => runners.get(readers.get(row.path) ?? ''),
      nameOne: rows.some(
        ([, { path }]) => path.startsWith(`${row.path}/{`) && path.lastIndexOf('/') === row.path.length,
      ),
    }
    runners.set(name, makeRunner(name, row, handler, parts, others))
  }
  return runners
}
