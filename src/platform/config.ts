/** The configuration: environment variables, checked once at start. A wrong value is refused with a sentence. */
import { readFileSync } from 'node:fs'
import { delimiter, isAbsolute } from 'node:path'
import { readTranslateConfig, type TranslateConfig } from './config-translate.ts'
import { type ImportConfig, readImportConfig } from './imports/config.ts'

export interface Config {
  port: number
  host: string
  data: string
  /** Where the API and the app are reached. */
  url: string
  /** Where published sites are reached. */
  sitesUrl: string
  /** `postgres://…`, or the path of the SQLite file. */
  database: string
  poolSize: number
  adminEmail: string
  adminToken: string | undefined
  /** Where e-mail is sent from; none is sent without. */
  smtpUrl: string | undefined
  mailFrom: string
  allowPrivateFetch: boolean
  /** Whether host names of sites must be proved. */
  hostnameProof: boolean
  /** Requests a minute for each token; 0 is no limit. */
  rateLimit: number
  trustProxy: string | undefined
  /** Who may see the metrics: whoever shows this token, or whoever reaches this address. Nobody when unset. */
  metrics: MetricsAccess | undefined
  /** Who may create organizations. */
  organizationCreators: OrganizationCreators
  workers: boolean
  /** Whether the first start publishes the guide. */
  sample: boolean
  logLevel: string
  checkAnswers: boolean
  /** What the signing key is made of, when the operator keeps it; and the one before it, which still verifies. */
  secret: string | undefined
  formerSecret: string | undefined
  /** What translates; absent when nothing does. */
  translate: TranslateConfig | undefined
  imports: ImportConfig
  /** Folders whose repositories may be read and written by path. */
  gitRoots: string[]
}

export type MetricsAccess = { token: string } | { host: string; port: number }
export type OrganizationCreators = 'admins' | 'anyone' | 'nobody'

export class ConfigError extends Error {
  override name = 'ConfigError'
}

type Variables = Record<string, string | undefined>

export function readConfig(env: Variables): Config {
  const problems: string[] = []
  const read = <T>(
    name: string,
    fallback: string,
    parse: (text: string) => T | undefined,
    expected: string,
    show: (text: string) => string = withoutPassword,
  ): T => {
    const text = env[name] === undefined || env[name] === '' ? fallback : env[name]
    const value = parse(text)
    if (value === undefined) problems.push(`${name} must be ${expected}, and is ${JSON.stringify(show(text))}.`)
    return value as T
  }
  const optional = (name: string): string | undefined => env[name] || undefined

  const port = read('PORT', '4000', integer(0, 65_535), 'a port from 0 to 65535')
  const host = read('HOST', '127.0.0.1', nonEmpty, 'an address to listen on')
  const data = read('LECTERN_DATA', './data', nonEmpty, 'a folder')
  const url = read(
    'LECTERN_URL',
    `http://${host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host}:${port}`,
    webUrl,
    'an http or https address',
  )
  const config: Config = {
    port,
    host,
    data,
    url,
    // An address that was refused is not held against the one made from it.
    sitesUrl: read('LECTERN_SITES_URL', `${url ?? 'http://localhost'}/sites`, webUrl, 'an http or https address'),
    database: read(
      'DATABASE_URL',
      `${data}/lectern.db`,
      databaseLocation,
      'a postgres:// address (leave it out for the embedded SQLite)',
    ),
    poolSize: read('LECTERN_DATABASE_POOL', '10', integer(1, 500), 'a number of connections from 1 to 500'),
    adminEmail: read('LECTERN_ADMIN_EMAIL', 'admin@localhost', email, 'an e-mail address'),
    adminToken: optional('LECTERN_ADMIN_TOKEN'),
    smtpUrl: optional('LECTERN_SMTP_URL'),
    mailFrom: read('LECTERN_MAIL_FROM', 'lectern@localhost', mailFrom, 'an e-mail address, or Name <address>'),
    allowPrivateFetch: read('LECTERN_ALLOW_PRIVATE_FETCH', '0', flag, '0 or 1'),
    hostnameProof: read('LECTERN_HOSTNAME_PROOF', '1', flag, '0 or 1'),
    rateLimit: read(
      'LECTERN_RATE_LIMIT',
      '600000',
      integer(0, 1e9),
      'requests a minute for each token, or 0 for no limit',
    ),
    trustProxy: optional('LECTERN_TRUST_PROXY'),
    metrics:
      optional('LECTERN_METRICS') === undefined
        ? undefined
        : read('LECTERN_METRICS', '', metricsAccess, 'host:port, or a token of 16 visible characters or more', hidden),
    organizationCreators: read(
      'LECTERN_CREATE_ORGANIZATIONS',
      'admins',
      oneOf('admins', 'anyone', 'nobody'),
      'admins, anyone or nobody',
    ) as OrganizationCreators,
    workers: read('LECTERN_WORKERS', '1', flag, '0 or 1'),
    sample: read('LECTERN_SAMPLE', 'true', flag, 'true or false'),
    logLevel: read(
      'LECTERN_LOG_LEVEL',
      'info',
      oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
      'fatal, error, warn, info, debug, trace or silent',
    ),
    checkAnswers: read('LECTERN_CHECK_ANSWERS', '0', flag, '0 or 1'),
    secret: readSecret('LECTERN_SECRET', env, problems),
    formerSecret: readSecret('LECTERN_SECRET_FORMER', env, problems),
    translate: undefined,
    imports: readImportConfig(read),
    gitRoots: read('LECTERN_GIT_ROOTS', '', folders, 'absolute paths of folders, separated by colons'),
  }
  const translate = readTranslateConfig({
    engine: optional('LECTERN_TRANSLATE'),
    url: optional('LECTERN_TRANSLATE_URL') && read('LECTERN_TRANSLATE_URL', '', webUrl, 'an http or https address'),
    key: optional('LECTERN_TRANSLATE_KEY'),
    model: optional('LECTERN_TRANSLATE_MODEL'),
    milliseconds: 1000 * read('LECTERN_TRANSLATE_TIMEOUT', '120', integer(1, 600), 'a number of seconds from 1 to 600'),
  })
  if (translate && 'problem' in translate) problems.push(translate.problem)
  else config.translate = translate
  if (config.adminToken !== undefined && !/^[\x21-\x7e]{16,512}$/.test(config.adminToken)) {
    problems.push('LECTERN_ADMIN_TOKEN must have 16 to 512 visible characters.')
  }
  if (config.smtpUrl !== undefined && !/^smtps?:\/\/\S+$/.test(config.smtpUrl)) {
    problems.push('LECTERN_SMTP_URL must be an smtp:// or smtps:// address.')
  }
  for (const name of Object.keys(env)) {
    if (name.startsWith('LECTERN_') && !known.has(name))
      problems.push(`${name} is no setting of Lectern. ${nearest(name)}`)
  }
  if (problems.length > 0) throw new ConfigError(problems.join('\n'))
  return config
}

/** A secret, from the variable itself or from the file that `NAME_FILE` names. */
function readSecret(name: string, env: Variables, problems: string[]): string | undefined {
  const file = env[`${name}_FILE`] || undefined
  let value = env[name] || undefined
  if (value !== undefined && file !== undefined) problems.push(`Set ${name} or ${name}_FILE, not both.`)
  if (file !== undefined) {
    try {
      value = readFileSync(file, 'utf8').trim()
    } catch (error) {
      problems.push(`${name}_FILE cannot be read: ${error instanceof Error ? error.message : error}.`)
      return undefined
    }
  }
  if (value !== undefined && value.length < 32)
    problems.push(`${name} must have at least 32 characters, such as \`openssl rand -base64 32\` prints.`)
  return value
}

/** Every variable with what it means, for the README and `lectern serve --help`. */
export const variables: Record<string, string> = {
  PORT: 'Port to listen on (4000).',
  HOST: 'Address to listen on (127.0.0.1; 0.0.0.0 for all).',
  LECTERN_DATA: 'Folder for the database and files (./data).',
  LECTERN_URL: 'Address at which people reach the API and the app (http://HOST:PORT).',
  LECTERN_TOKEN:
    'API token with which `lectern publish`, `lectern import` and `lectern export` ask the server at LECTERN_URL (none).',
  LECTERN_SITES_URL: 'Address under which sites are published (LECTERN_URL + /sites).',
  DATABASE_URL: 'postgres://… for PostgreSQL; unset for the embedded SQLite.',
  LECTERN_DATABASE_POOL: 'Connections to PostgreSQL for each process (10).',
  LECTERN_ADMIN_EMAIL: 'E-mail of the first admin (admin@localhost).',
  LECTERN_ADMIN_TOKEN: 'Token of the first admin (made and printed once when unset).',
  LECTERN_SECRET:
    'What links and tokens are signed with, 32 characters or more (made at the first start and stored when unset).',
  LECTERN_SECRET_FILE: 'A file with the secret, instead of LECTERN_SECRET.',
  LECTERN_SECRET_FORMER: 'The secret before the present one: what it signed stays valid while this is set.',
  LECTERN_SECRET_FORMER_FILE: 'A file with it, instead of LECTERN_SECRET_FORMER.',
  LECTERN_SMTP_URL:
    'smtp://user:password@host:port (or smtps://) to send e-mail by; without it links come from `lectern user link`.',
  LECTERN_MAIL_FROM: 'Sender of e-mail (lectern@localhost).',
  LECTERN_ALLOW_PRIVATE_FETCH: '1 lets imports fetch from loopback and private addresses (0).',
  LECTERN_HOSTNAME_PROOF: '0 serves sites at any host name their admins set, without asking the domain (1).',
  LECTERN_RATE_LIMIT: 'Requests a minute for each token and process; 0 is no limit (600000).',
  LECTERN_TRUST_PROXY: 'Addresses of proxies whose X-Forwarded-For is believed, such as 10.0.0.0/8 (none).',
  LECTERN_METRICS:
    'Who reads /metrics: host:port serves it there, with /healthz and /readyz, and nowhere else; anything else is the bearer token it asks for (programs on the same machine while LECTERN_URL is localhost, else nobody).',
  LECTERN_CREATE_ORGANIZATIONS:
    'Who may create organizations: admins (of one they are in), anyone who has an account, or nobody (admins).',
  LECTERN_WORKERS: '0 keeps background work out of this process: run `lectern work` beside it (1).',
  LECTERN_SAMPLE: 'false leaves out the sample site that the first start publishes (true).',
  LECTERN_IMPORT_PAGES: 'The most pages that one import takes (2000).',
  LECTERN_IMPORT_MEGABYTES: 'The most that it fetches, and that an archive unpacks to (500).',
  LECTERN_IMPORT_SECONDS: 'The longest it may take (600).',
  LECTERN_IMPORT_WAIT: 'Seconds that content/import waits before it answers with what is done (120).',
  LECTERN_GIT_ROOTS:
    'Folders of Git repositories that spaces may be imported from and exported to by path, separated by colons (none).',
  LECTERN_TRANSLATE: 'What translates spaces: openai, libretranslate, deepl, or pseudo for trials (nothing).',
  LECTERN_TRANSLATE_URL: 'Its address, such as https://api.openai.com/v1 or http://localhost:5000.',
  LECTERN_TRANSLATE_KEY: 'Its API key.',
  LECTERN_TRANSLATE_MODEL: 'The model to ask for, of an engine that has several (openai).',
  LECTERN_TRANSLATE_TIMEOUT: 'Seconds that one answer of it may take (120).',
  LECTERN_LOG_LEVEL: 'fatal, error, warn, info, debug, trace or silent (info).',
  LECTERN_CHECK_ANSWERS: '1 checks every answer against the API document, for development (0).',
}

const known = new Set(Object.keys(variables))

const nearest = (name: string): string => {
  const close =
    [...known].find((other) => other.replaceAll('_', '') === name.replaceAll('_', '')) ??
    [...known].find((other) => other.slice(0, 12) === name.slice(0, 12))
  return close ? `Did you mean ${close}?` : 'The README lists them all.'
}

/** `postgres://user:***@host/db`: complaints end up in logs. */
const withoutPassword = (text: string): string => text.replace(/^(\w+:\/\/[^:/@\s]*):[^@\s]*@/, '$1:***@')

const integer = (low: number, high: number) => (text: string) => {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN
  return value >= low && value <= high ? value : undefined
}
const nonEmpty = (text: string) => (text.trim() === '' ? undefined : text)
const flag = (text: string) =>
  text === '1' || text === 'true' ? true : text === '0' || text === 'false' ? false : undefined
const email = (text: string) => (/^[^\s@]+@[^\s@]+$/.test(text) ? text.toLowerCase() : undefined)
const mailFrom = (text: string) =>
  /^(?:[^<>\r\n]*<[^\s@<>]+@[^\s@<>]+>|[^\s@<>]+@[^\s@<>]+)$/.test(text) ? text : undefined
const oneOf =
  (...values: string[]) =>
  (text: string) =>
    values.includes(text) ? text : undefined
/** `127.0.0.1:9400`, `[::1]:9400`, `:9400` for all addresses; anything else is a token. */
function metricsAccess(text: string): MetricsAccess | undefined {
  const [, ipv6, name = '', digits] = /^(?:\[([\da-f:]+)\]|([\w.-]*)):(\d{1,5})$/i.exec(text) ?? []
  const port = Number(digits)
  if (digits !== undefined)
    return port > 0 && port <= 65_535 ? { host: ipv6 ?? (name === '' ? '0.0.0.0' : name), port } : undefined
  return /^[\x21-\x7e]{16,512}$/.test(text) ? { token: text } : undefined
}
const folders = (text: string): string[] | undefined => {
  const paths = text.split(delimiter).filter((path) => path !== '')
  return paths.every((path) => isAbsolute(path)) ? paths : undefined
}
const hidden = (): string => 'something else'
const webUrl = (text: string) =>
  /^https?:\/\/[^\s/?#]+(\/[^\s?#]*)?$/.test(text) ? text.replace(/\/+$/, '') : undefined
/** Other addresses would be taken for the name of a file; one letter before a colon is a drive. */
const databaseLocation = (text: string) =>
  /^\w{2,}:/.test(text) && !/^postgres(ql)?:\/\//.test(text) ? undefined : text
