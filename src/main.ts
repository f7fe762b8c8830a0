/** The command line. Each command is loaded only when it is asked for, so that the server starts fast. */
import v8 from 'node:v8'
import { type ArgsDef, type CommandDef, defineCommand, runMain } from 'citty'
import { plainly } from './cli/plain-errors.ts'
import { version } from './platform/version.ts'

const main = defineCommand({
  meta: { name: 'lectern', version, description: 'Documentation hosting that you run yourself.' },
  subCommands: {
    serve: load(() => import('./cli/serve.ts').then((module) => module.serve)),
    work: load(() => import('./cli/work.ts').then((module) => module.work)),
    user: loadShort(() => import('./cli/people.ts').then((module) => module.user)),
    token: loadShort(() => import('./cli/people.ts').then((module) => module.token)),
    domain: loadShort(() => import('./cli/people.ts').then((module) => module.domain)),
    secret: loadShort(() => import('./cli/secret.ts').then((module) => module.secret)),
    migrate: loadShort(() => import('./cli/migrate.ts').then((module) => module.migrateCommand)),
    backup: loadShort(() => import('./cli/backup.ts').then((module) => module.backup)),
    restore: loadShort(() => import('./cli/backup.ts').then((module) => module.restore)),
    copy: loadShort(() => import('./cli/backup.ts').then((module) => module.copy)),
    import: loadShort(() => import('./cli/import.ts').then((module) => module.importCommand)),
    export: loadShort(() => import('./cli/export.ts').then((module) => module.exportCommand)),
    publish: loadShort(() => import('./cli/publish.ts').then((module) => module.publish)),
    check: loadShort(() => import('./cli/check.ts').then((module) => module.check)),
  },
})

function load<T extends ArgsDef>(command: () => Promise<CommandDef<T>>): () => Promise<CommandDef<T>> {
  return async () => plainly(await command())
}

/**
 * A command that ends by itself. V8 optimizes what has run for a while, in a thread of its own; an import of 170 pages spent a
 * third of its processor time on that, and was over before it paid. So what is optimized here has run for longer.
 */
function loadShort<T extends ArgsDef>(command: () => Promise<CommandDef<T>>): () => Promise<CommandDef<T>> {
  return () => {
    v8.setFlagsFromString('--interrupt-budget=600000')
    return load(command)()
  }
}

await runMain(main)
