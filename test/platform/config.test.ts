import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ConfigError, readConfig, variables } from '../../src/platform/config.ts'

const problemsOf = (env: Record<string, string>): string => {
  try {
    readConfig(env)
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
  return ''
}

test('needs nothing', () => {
  expect(readConfig({})).toMatchObject({
    port: 4000,
    host: '127.0.0.1',
    url: 'http://127.0.0.1:4000',
    sitesUrl: 'http://127.0.0.1:4000/sites',
    database: './data/lectern.db',
    adminEmail: 'admin@localhost',
    adminToken: undefined,
    allowPrivateFetch: false,
    workers: true,
  })
})

test('takes an empty variable for none', () => {
  expect(readConfig({ PORT: '', LECTERN_ADMIN_TOKEN: '', DATABASE_URL: '' })).toMatchObject({
    port: 4000,
    adminToken: undefined,
    database: './data/lectern.db',
  })
})

test('makes addresses of what it is told', () => {
  expect(readConfig({ HOST: '0.0.0.0', PORT: '80' }).url).toBe('http://localhost:80')
  expect(readConfig({ HOST: '::1', PORT: '80' }).url).toBe('http://[::1]:80')
  expect(readConfig({ LECTERN_URL: 'https://docs.test/' })).toMatchObject({
    url: 'https://docs.test',
    sitesUrl: 'https://docs.test/sites',
  })
  expect(readConfig({ LECTERN_SITES_URL: 'https://sites.test' }).sitesUrl).toBe('https://sites.test')
  expect(readConfig({ DATABASE_URL: 'postgres://u:p@h/db' }).database).toBe('postgres://u:p@h/db')
})

test('tells an address for metrics from a token', () => {
  const metricsOf = (text: string) => readConfig({ LECTERN_METRICS: text }).metrics
  expect(metricsOf('')).toBeUndefined()
  expect(metricsOf('127.0.0.1:9400')).toEqual({ host: '127.0.0.1', port: 9400 })
  expect(metricsOf('[::1]:9400')).toEqual({ host: '::1', port: 9400 })
  expect(metricsOf(':9400')).toEqual({ host: '0.0.0.0', port: 9400 })
  expect(metricsOf('a-token-for-prometheus')).toEqual({ token: 'a-token-for-prometheus' })
  expect(problemsOf({ LECTERN_METRICS: 'short' })).toContain('LECTERN_METRICS must be host:port, or a token')
  expect(problemsOf({ LECTERN_METRICS: 'localhost:99999' })).toContain('LECTERN_METRICS must be')
  expect(problemsOf({ LECTERN_CREATE_ORGANIZATIONS: 'me' })).toContain('admins, anyone or nobody')
})

test('says in a sentence what is wrong, for all at once', () => {
  const wrong = {
    PORT: '99999',
    LECTERN_URL: 'docs.test',
    DATABASE_URL: 'mysql://x',
    LECTERN_RATE_LIMIT: '-1',
    LECTERN_LOG_LEVEL: 'loud',
    LECTERN_WORKERS: 'maybe',
    LECTERN_ADMIN_EMAIL: 'admin',
    LECTERN_ADMIN_TOKEN: 'short',
  }
  const problems = problemsOf(wrong)
  for (const name of Object.keys(wrong)) expect(problems).toContain(name)
  expect(problems.split('\n')).toHaveLength(Object.keys(wrong).length)
  expect(problems).toContain('PORT must be a port from 0 to 65535, and is "99999".')
})

test('never shows a secret in a complaint', () => {
  expect(problemsOf({ LECTERN_ADMIN_TOKEN: 'my secret' })).not.toContain('my secret')
  expect(problemsOf({ DATABASE_URL: 'mysql://user:hunter2@host/db' })).not.toContain('hunter2')
})

test('takes no other address for the name of a file', () => {
  expect(problemsOf({ DATABASE_URL: 'sqlite:/data/lectern.db' })).toContain('DATABASE_URL')
  expect(readConfig({ DATABASE_URL: '/data/lectern.db' }).database).toBe('/data/lectern.db')
})

test('knows misspelled settings', () => {
  expect(problemsOf({ LECTERN_ADMINEMAIL: 'a@b.test' })).toContain('Did you mean LECTERN_ADMIN_EMAIL?')
  expect(problemsOf({ LECTERN_NONSENSE: '1' })).toContain('LECTERN_NONSENSE')
})

test('explains every setting', () => {
  for (const [name, meaning] of Object.entries(variables)) {
    expect(name).toMatch(/^(PORT|HOST|DATABASE_URL|LECTERN_[A-Z_0-9]+)$/)
    expect(meaning).toMatch(/\.$/)
  }
})

test('the README names every variable with its meaning, and no other', () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
  const [, table = ''] = /## Configure it\n([\s\S]*?)\n## /.exec(readme) ?? []
  const rows = Array.from(table.matchAll(/^\| `(\w+)`\s*\| ([^|]*)\|/gm), ([, name, meaning]) => [
    name,
    meaning?.trim(),
  ])
  expect(rows.map(([name]) => name).sort()).toEqual(Object.keys(variables).sort())
  for (const [name, meaning] of rows) expect(meaning, name).not.toBe('')
})
