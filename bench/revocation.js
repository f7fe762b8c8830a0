// How long a token or session that was ended on one process is still taken by another: two processes on one database, and
// a client that uses the credential all the time. `ROUNDS` (30) of each. Counted from the answer to whoever ended it.
import { caller } from './kit/call.js'
import { startPostgres } from './kit/postgres.js'
import { startLectern, token } from './kit/process.js'

const rounds = Number(process.env.ROUNDS ?? 30)
const own = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', 'x-lectern-app': '1' }

export async function run() {
  const rows = []
  const one = await startLectern()
  rows.push(...(await rowsOf('SQLite', one, await startLectern({ folder: one.folder }))))
  const postgres = await startPostgres()
  try {
    const start = () => startLectern({ env: { DATABASE_URL: postgres.url } })
    rows.push(...(await rowsOf('PostgreSQL', await start(), await start())))
  } finally {
    await postgres.stop()
  }
  return { rows }
}

async function rowsOf(engine, one, two) {
  try {
    const rows = []
    for (const [what, open] of [
      ['token', openToken],
      ['session', openSession],
    ]) {
      const times = []
      for (let round = 0; round < rounds; round++) times.push(await timeOf(one, two, open))
      times.sort((a, b) => a - b)
      const most = 1000
      rows.push({ name: `${engine}, ${what}: median of ${rounds}`, value: times[rounds >> 1], unit: 'ms', most })
      rows.push({ name: `${engine}, ${what}: longest of ${rounds}`, value: times.at(-1), unit: 'ms', most })
    }
    return rows
  } finally {
    await two.stop({ keep: true })
    await one.stop()
  }
}

async function timeOf(one, two, open) {
  const call = caller(one)
  const { id, path, headers } = await open(one, call)
  const ask = async () => {
    const response = await fetch(`${two.url}/v1/user`, { headers })
    await response.arrayBuffer()
    return response.status
  }
  for (let i = 0; i < 5; i++) if ((await ask()) !== 200) throw new Error('The other process does not know it.')
  await call('DELETE', `${path}/${id}`)
  const ended = performance.now()
  while ((await ask()) === 200);
  return performance.now() - ended
}

async function openToken(_, call) {
  const { id, token: secret } = await call('POST', '/user/tokens', { label: 'Revoked' })
  return { id, path: '/user/tokens', headers: { authorization: `Bearer ${secret}` } }
}

async function openSession({ url }) {
  const response = await fetch(`${url}/v1/sessions`, { method: 'POST', headers: own, body: JSON.stringify({ token }) })
  const { id } = await response.json()
  const [cookie] = response.headers.get('set-cookie').split(';')
  return { id, path: '/user/sessions', headers: { ...own, cookie } }
}
