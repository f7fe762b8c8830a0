/**
 * The programs that tests need besides Node: PostgreSQL, Chromium, git and openssl.
 *
 * They are looked for on this machine. Before all tests, on Debian as root, those that are not here are installed
 * together: inside a test it would run into that test's time limit. Elsewhere whoever needs one says what to install.
 */
import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

interface Program {
  name: string
  /** Debian's packages for it. */
  packages: readonly string[]
  find: () => string | undefined
  /** What to do where it cannot be installed. */
  help: string
}

const postgres: Program = {
  name: 'PostgreSQL',
  packages: ['postgresql'],
  find: findPostgres,
  help: 'The tests need a PostgreSQL server: its programs `initdb` and `postgres` (version 13 or newer) were not found in PATH, in /usr/lib/postgresql or by pg_config. Install them (Debian and Ubuntu: apt-get install postgresql; Fedora: dnf install postgresql-server; macOS: brew install postgresql), then run the tests again.',
}

/**
 * Debian has Chromium in two forms, with the same engine. The one without windows is taken first: for each window the whole
 * browser loads pages of its own (the list below the address), which takes four times the processor time of an empty page.
 */
const headlessShell = 'chromium-headless-shell'

const chromium: Program = {
  name: 'Chromium',
  packages: ['chromium', 'fonts-liberation'],
  find: findChromium,
  help: 'The browser tests need Chromium: install it (Debian: apt-get install chromium) or set CHROMIUM_PATH.',
}

const git: Program = {
  name: 'git',
  packages: ['git'],
  find: () => findInPath('git'),
  help: 'The tests of repositories need git: install it (Debian: apt-get install git).',
}

const openssl: Program = {
  name: 'openssl',
  packages: ['openssl'],
  find: () => findInPath('openssl'),
  help: 'A test of https needs openssl to make a certificate: install it (Debian: apt-get install openssl).',
}

/** Installs what is missing, where that can be done; where not, the tests that need it will say so. */
export function installMissingPrograms(): void {
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) return
  installHeadlessShell()
  const missing = [postgres, chromium, git, openssl].filter((program) => program.find() === undefined)
  if (missing.length === 0) return
  console.log(
    `Not here: ${missing.map((program) => program.name).join(', ')}. Installing with apt-get; this takes a few minutes.`,
  )
  const fault = installPackages(missing.flatMap((program) => program.packages))
  if (fault !== undefined) throw new Error(fault)
}

/** Where it cannot be had, the whole browser does, and it is asked for again the next day. */
function installHeadlessShell(): void {
  if (process.env.CHROMIUM_PATH !== undefined || findInPath(headlessShell) !== undefined) return
  const note = join(fileURLToPath(new URL('../../.test-tools', import.meta.url)), 'no-headless-shell')
  const refused = statSync(note, { throwIfNoEntry: false })?.mtimeMs ?? 0
  if (Date.now() - refused < 24 * 60 * 60 * 1000) return
  console.log('Installing Chromium without windows: the tests of browsers take half as long in it.')
  const fault = installPackages([headlessShell, 'fonts-liberation'])
  if (fault === undefined) return
  console.log(fault)
  mkdirSync(dirname(note), { recursive: true })
  writeFileSync(note, fault)
}

/** What went wrong, if something did. */
function installPackages(packages: readonly string[]): string | undefined {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', '--no-remove', ...packages]]) {
    const done = spawnSync('apt-get', args, { env, encoding: 'utf8' })
    if (done.status !== 0) return `\`apt-get ${args.join(' ')}\` failed:\n${done.stderr}`
  }
  return undefined
}

/** The folder with `postgres` and `initdb`. */
export const requirePostgres = (): string => require(postgres)
export const requireChromium = (): string => require(chromium)
export const requireGit = (): string => require(git)
export const requireOpenssl = (): string => require(openssl)

function require(program: Program): string {
  const found = program.find()
  if (found === undefined) throw new Error(program.help)
  return found
}

/** Distributions often keep these out of PATH. */
function findPostgres(): string | undefined {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian)
    ? readdirSync(debian)
        .sort((a, b) => Number(b) - Number(a))
        .map((version) => join(debian, version, 'bin'))
    : []
  const config = spawnSync('pg_config', ['--bindir'], { encoding: 'utf8' })
  const folders = [
    ...searchPath(),
    ...versions,
    ...(config.status === 0 ? [config.stdout.trim()] : []),
    '/usr/local/pgsql/bin',
    '/opt/homebrew/bin',
  ]
  return folders.find((folder) => isProgram(join(folder, 'postgres')) && isProgram(join(folder, 'initdb')))
}

function findChromium(): string | undefined {
  const named = process.env.CHROMIUM_PATH
  if (named !== undefined && isProgram(named)) return named
  return [headlessShell, 'chromium', 'chromium-browser', 'google-chrome']
    .map(findInPath)
    .find((found) => found !== undefined)
}

function findInPath(name: string): string | undefined {
  return [...searchPath(), '/snap/bin'].map((folder) => join(folder, name)).find(isProgram)
}

function searchPath(): string[] {
  return (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '')
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}
