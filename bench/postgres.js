// The rows of `api` on PostgreSQL: one server process, and two that share the database and the load.
import { rowsOf } from './api.js'
import { startPostgres } from './kit/postgres.js'
import { startLectern } from './kit/process.js'

export async function run() {
  const [one, two] = [await measure(1), await measure(2)]
  const rows = one.map((row, i) => ({ ...row, goal: undefined, twoProcesses: gainOf(row, two[i]) }))
  return { rows }
}

async function measure(count) {
  const postgres = await startPostgres()
  const servers = []
  try {
    for (let i = 0; i < count; i++) servers.push(await startLectern({ env: { DATABASE_URL: postgres.url } }))
    return await rowsOf(servers, { rounds: Number(process.env.ROUNDS ?? 5) })
  } finally {
    for (const server of servers) await server.stop()
    await postgres.stop()
  }
}

/**
 * What a second process gives. `perSecond` is what came out on this machine, where the load, the servers and PostgreSQL
 * share the cores; `capacity` is what two cores of their own would give: twice the requests per CPU-second of the two,
 * over those of the one.
 */
const gainOf = (one, two) => ({
  perSecond: two.perSecond / one.perSecond,
  capacity: (2 * two.perCpuSecond) / one.perCpuSecond,
  errors: two.errors,
})
