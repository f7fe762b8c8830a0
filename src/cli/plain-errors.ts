/** What goes wrong in a command is said in a sentence on stderr, with exit code 1. Only our own faults show a stack. */
import type { ArgsDef, CommandDef } from 'citty'
import { ApiError } from '../core/errors.ts'
import { ConfigError } from '../platform/config.ts'

/** Something that whoever typed the command can do something about. */
export class CommandError extends Error {
  override name = 'CommandError'
}

/** The command, and those below it, with their errors made plain. */
export function plainly<T extends ArgsDef>(command: CommandDef<T>): CommandDef<T> {
  const { run, subCommands, ...rest } = command
  return {
    ...rest,
    ...(run
      ? {
          async run(context) {
            try {
              refuseMistyped(await (typeof rest.args === 'function' ? rest.args() : rest.args), context.args)
              return await run(context)
            } catch (error) {
              process.stderr.write(`${sentenceOf(error)}\n`)
              process.exit(1)
            }
          },
        }
      : {}),
    ...(subCommands
      ? {
          subCommands: async () => {
            const known = await (typeof subCommands === 'function' ? subCommands() : subCommands)
            const commands: typeof known = Object.create(null)
            for (const [name, one] of Object.entries(known))
              commands[name] = async () => plainly(await (typeof one === 'function' ? one() : one))
            return commands
          },
        }
      : {}),
  }
}

/** What nobody asked for is not done: `import --dry-run` would import, and `--space` without an id be asked for none. */
function refuseMistyped(known: ArgsDef = {}, given: { _: string[] } & Record<string, unknown>): void {
  const spelt = Object.keys(known).flatMap((name) => [name, name.replace(/-(.)/g, (_, next) => next.toUpperCase())])
  const unknown = Object.keys(given).find((name) => name !== '_' && !spelt.includes(name))
  if (unknown !== undefined) {
    const option = `${unknown.length === 1 ? '-' : '--'}${unknown}`
    throw new CommandError(`${option} is no option of this command. --help lists them.`)
  }
  const empty = Object.keys(known).find((name) => known[name]?.type === 'string' && given[name] === '')
  if (empty !== undefined) throw new CommandError(`--${empty} asks for a value.`)
  const extra = given._[Object.values(known).filter(({ type }) => type === 'positional').length]
  if (extra !== undefined) throw new CommandError(`${extra} is one argument too many. --help tells what is taken.`)
}

const plain = new Set(['CommandError', 'DataFolderError', 'DatabaseTooNew', 'UnknownTables', 'TarError'])

function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error instanceof ApiError && error.cause instanceof Error)
    return readOnly(error.cause) ?? withCause(error, error.cause)
  if (error instanceof ApiError || error instanceof ConfigError || plain.has(error.name)) return error.message
  const { code, port, address } = error as Error & { code?: string; port?: number; address?: string }
  if (code === 'EADDRINUSE') return `Port ${port} of ${address} is in use already. Set PORT to another.`
  if (code === 'EACCES' && port !== undefined) return `Port ${port} of ${address} may not be used. Set PORT to another.`
  const unwritable = readOnly(error)
  if (unwritable) return unwritable
  const damage = /malformed|not a database|unable to open database file/.exec(error.message)
  if (damage) {
    return `The database cannot be read (${error.message}): it is damaged, or no database of Lectern. Restore a backup into an empty folder; docs/guide/operate/backup.md says how.`
  }
  // The system's own messages (no such file, no space left) are sentences enough.
  if (code !== undefined && 'syscall' in error) return error.message
  return error.stack ?? error.message
}

const readOnly = ({ message }: Error): string | undefined =>
  /readonly database/.test(message)
    ? `The database cannot be written (${message}): its folder and the files in it have to belong to the account that runs Lectern, on a disk that is not read-only.`
    : undefined

/** An address that means several has an error for each, and none of its own. */
const withCause = ({ message }: Error, cause: Error & { code?: string }): string =>
  `${message} The cause: ${cause.message || cause.code || cause.name}`
