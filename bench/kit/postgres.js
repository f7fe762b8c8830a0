// A PostgreSQL server as the tests have one, but durable: what is measured is what an operator would run.
import { fromTests } from './from-tests.js'

export async function startPostgres() {
  const made = await fromTests('kit/postgres.ts')
  const server = await made.startPostgres({ durable: true })
  await server.query('create database bench')
  return { url: server.url('bench'), stop: server.stop }
}
