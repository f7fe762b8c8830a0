/** The command line. Each command is loaded only when it is asked for, so that the server starts fast. */
import { type ArgsDef, type CommandDef, defineCommand, runMain } from 'citty'
import { plainly } from './cli/plain-errors.ts'
import { keepTickShape } from './platform/tick-shape.ts'
import { version } from './platform/version.ts'

const main = defineCommand({
  meta: { name: 'lectern', version, description: 'Documentation hosting that you run yourself.' },
  subCommands: {
    serve: load(() => import('./cli/serve.ts').then((module) => module.serve)),
    work: load(() => import('./cli/work.ts').then((module) => module.work)),
    user: load(() => import('./cli/people.ts').then((module) => module.user)),
    token: load(() => import('./cli/people.ts').then((module) => module.token)),
    domain: load(() => import('./cli/people.ts').then((module) => module.domain)),
    secret: load(() => import('./cli/secret.ts').then((module) => module.secret)),
    migrate: load(() => import('./cli/migrate.ts').then((module) => module.migrateCommand)),
    backup: load(() => import('./cli/backup.ts').then((module) => module.backup)),
    restore: load(() => import('./cli/backup.ts').then((module) => module.restore)),
    copy: load(() => import('./cli/backup.ts').then((module) => module.copy)),
    import: load(() => import('./cli/import.ts').then((module) => module.importCommand)),
    export: load(() => import('./cli/export.ts').then((module) => module.exportCommand)),
    publish: load(() => import('./cli/publish.ts').then((module) => module.publish)),
    check: load(() => import('./cli/check.ts').then((module) => module.check)),
  },
})

function load<T extends ArgsDef>(command: () => Promise<CommandDef<T>>): () => Promise<CommandDef<T>> {
  return async () => plainly(await command())
}

keepTickShape()
await runMain(main)
